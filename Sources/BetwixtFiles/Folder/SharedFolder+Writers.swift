public import Betwixt
import BetwixtSync

// Whose files are in a folder, and what becomes of those of a device that is gone.

extension SharedFolder {
  /// One who has files in a shared folder.
  public struct Writer: Hashable, Sendable {
    /// Under which id.
    public let replica: ReplicaID

    /// How many files, each as often as it is there.
    public internal(set) var fileCount = 0

    /// The bytes of them together.
    public internal(set) var byteCount = 0

    /// How many more there are that cannot be read: they are not whole, a newer version wrote them, or
    /// they hold writes that were not let in.
    public internal(set) var unreadCount = 0

    /// When the newest of all these was made here, or came here, in milliseconds since 1970; 0 where
    /// the system does not tell.
    public internal(set) var newestFile: Int64 = 0
  }

  /// Whose files were found, rising by id.
  ///
  ///     var folder = SharedFolder("Sync", list: list.id, replica: me, settings: settings)
  ///     try folder.read(into: &list, now: now)
  ///     for writer in folder.writers { print(writer.replica, writer.fileCount) }
  ///
  /// - Complexity: O(*f* log *f*) for *f* files
  public var writers: [Writer] {
    var writers: [ReplicaID: Writer] = [:]
    func note(_ path: String, of replica: ReplicaID, _ count: (inout Writer) -> Void) {
      // What is gone since, because its writer has replaced it, is there no longer.
      let found = Result { () throws(SharedFolderFailure) in try status(path) }
      if case .success(nil) = found { return }
      let birth = ((try? found.get()) ?? nil)?.birthTime ?? 0
      var writer = writers[replica] ?? Writer(replica: replica)
      writer.newestFile = max(writer.newestFile, birth / 1_000_000)
      count(&writer)
      writers[replica] = writer
    }
    for file in known.values {
      note(file.path, of: file.heads.directory) { writer in
        writer.fileCount += 1
        writer.byteCount += file.size
      }
    }
    for path in unread.filter({ known[$0] == nil }).map(\.path) {
      // Whose they are, only their place tells.
      guard let replica = ReplicaID(Path.name(of: Path.directory(of: path))) else { continue }
      note(path, of: replica) { $0.unreadCount += 1 }
    }
    return writers.values.sorted { $0.replica < $1.replica }
  }

  /// Takes the files of others out of the folder, and puts in before what they hold, as own files.
  ///
  /// It is for devices that are gone, whose files nobody else ever removes. If one of them comes back
  /// after all, nothing is lost: it finds its content in other files, and begins new ones. Files that
  /// have not arrived or were not let in stay.
  ///
  /// What they hold is put in whether other files hold it too or not: whoever takes those out at the
  /// same time, somewhere else, cannot know the new ones. So however many do this for each other, what
  /// was in the folder is in some file of it.
  ///
  /// - Parameters:
  ///   - replicas: Whose files; the own ones stay.
  ///   - list: The list, with all that was read joined and committed.
  ///   - admission: What others let in: see ``write(_:admission:)``.
  /// - Returns: How many files were taken away; ``writers`` tells what stays.
  /// - Throws: ``SharedFolderFailure``. Keep ``ownHead`` all the same. Of the others' files only those go
  ///   whose content is there; if none could go, what was put in for them goes again.
  /// - Complexity: O(the bytes of all files), and O(*n* log *n*) for *n* entries
  @discardableResult
  public mutating func absorb(
    _ replicas: Set<ReplicaID>, holding list: ReplicatedList,
    admission: AdmissionPolicy = AdmissionPolicy(now: nil)
  ) throws(SharedFolderFailure) -> Int {
    guard let absorption = try putIn(what: replicas, hold: list, admission: admission) else {
      return 0
    }
    return try finish(absorption)
  }

  /// Files of others whose content is in own ones, too.
  struct Absorption {
    fileprivate let gone: [FolderFile]
    fileprivate let added: [FolderFile]
    /// What was read before anything was put in.
    fileprivate let before: SharedFolder
  }

  /// Puts in what the files of some others hold, as own files that were read back.
  ///
  /// Keep ``ownHead`` before ``finish(_:)``: whoever is killed between finds these files as its own.
  ///
  /// - Returns: What is to be taken away; `nil` if nothing is.
  /// - Throws: ``SharedFolderFailure``; what was put in is taken out again.
  mutating func putIn(
    what replicas: Set<ReplicaID>, hold list: ReplicatedList, admission: AdmissionPolicy
  ) throws(SharedFolderFailure) -> Absorption? {
    let others = replicas.subtracting([replica])
    let (gone, content) = try reread(of: { others.contains($0) }, holding: list)
    guard !gone.known.isEmpty else {
      spoiled.subtract(replicas)
      return nil
    }
    let (rest, _) = try reread(of: { !others.contains($0) }, holding: list)
    try rest.checkOwnFiles()
    let before = self
    self = rest
    do throws(SharedFolderFailure) {
      let entries = list.entries(of: content, orMissingIn: index.covered)
      // What is ahead of the clock stays in the folder if it was there, and does not come in if not: then
      // what was there stays instead.
      let news = entries.compactMap {
        admission.isEarly($0) ? content.entry(at: $0.address) : $0
      }
      let holdsBack = news != entries
      try write(
        news, of: list, claims: before.claims(of: list, holdingBack: holdsBack),
        floor: holdsBack ? VersionVector() : list.floor, admission: admission)
      for file in ownFiles(since: before) { try verify(file) }
    } catch {
      takeBack(to: before)
      throw error
    }
    return Absorption(
      gone: gone.known.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
      added: ownFiles(since: before), before: before)
  }

  /// Takes away the files whose content was put in.
  ///
  /// - Returns: How many.
  /// - Throws: ``SharedFolderFailure``. If none could go, what was put in is taken out again: whoever
  ///   tries it each night fills no drive.
  mutating func finish(_ absorption: Absorption) throws(SharedFolderFailure) -> Int {
    var count = 0
    do throws(SharedFolderFailure) {
      for file in absorption.gone {
        switch try remove(file) {
        case .done: count += 1
        case .isAnother: unread.insert(PathKey(file.path))
        case .isGone: break
        }
      }
    } catch {
      if count == 0 { takeBack(absorption) }
      throw error
    }
    spoiled.subtract(absorption.gone.map(\.heads.directory))
    for directory in Set(absorption.gone.map { Path.directory(of: $0.path) }) {
      // One in which something is stays.
      try? settings.fileSystem.removeDirectory(directory)
    }
    return count
  }

  /// Takes out what was put in, if all is there for which it was.
  mutating func takeBack(_ absorption: Absorption) {
    guard absorption.gone.allSatisfy({ (try? isThere($0)) ?? false }) else { return }
    takeBack(to: absorption.before)
  }

  /// Takes own files out that were put in since something was read, and goes on from there.
  private mutating func takeBack(to before: SharedFolder) {
    for file in ownFiles(since: before) { try? settings.fileSystem.unlinkIfPresent(file.path) }
    // Their numbers are used up.
    let head = ownHead
    self = before
    ownHead = head
  }

  private func ownFiles(since before: SharedFolder) -> [FolderFile] {
    known.values.filter {
      $0.heads.directory == replica && $0.heads.ordinal > before.ownHead?.ordinal ?? 0
    }
  }

  private enum Removal {
    case done
    /// Somebody else was faster.
    case isGone
    /// There is something else under its name.
    case isAnother
  }

  /// Takes a file away if it is still the one that was read.
  private func remove(_ file: FolderFile) throws(SharedFolderFailure) -> Removal {
    guard try isThere(file) else { return try status(file.path) == nil ? .isGone : .isAnother }
    do {
      try settings.fileSystem.unlinkIfPresent(file.path)
    } catch {
      throw .fileSystem(error.at(file.path))
    }
    return .done
  }

  private func isThere(_ file: FolderFile) throws(SharedFolderFailure) -> Bool {
    guard let status = try status(file.path) else { return false }
    return status.inode == file.inode && status.size == file.size
  }

  /// Makes sure that a file can be read through the folder.
  func verify(_ file: FolderFile) throws(SharedFolderFailure) {
    guard let status = try status(file.path),
      case .whole(let read, _) = try self.file(file.path, status: status), read.hash == file.hash
    else { throw .notVerified }
  }
}

extension ReplicatedList {
  /// The entries that another list holds too, or that a third one does not.
  fileprivate func entries(of other: ReplicatedList, orMissingIn third: ReplicatedList) -> [Entry] {
    var entries = self.entries(missingIn: third)
    let found = Set(entries.map { RegisterAddress($0.item, register: $0.register) })
    for item in other.allItems() {
      for entry in item.entries {
        let address = RegisterAddress(entry.item, register: entry.register)
        guard !found.contains(address), self.entry(at: address) == entry else { continue }
        entries.append(entry)
      }
    }
    return entries
  }
}
