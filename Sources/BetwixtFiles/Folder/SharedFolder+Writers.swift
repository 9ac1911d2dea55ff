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

    /// When the newest of them was made here, or came here, in milliseconds since 1970; 0 where the
    /// system does not tell.
    public internal(set) var newestFile: Int64 = 0
  }

  /// Whose files were read, rising by id.
  ///
  ///     var folder = SharedFolder("Sync", list: list.id, replica: me, settings: settings)
  ///     try folder.read(into: &list, now: now)
  ///     for writer in folder.writers { print(writer.replica, writer.fileCount) }
  ///
  /// - Complexity: O(*f* log *f*) for *f* files
  public var writers: [Writer] {
    var writers: [ReplicaID: Writer] = [:]
    for file in known.values {
      var writer = writers[file.heads.directory] ?? Writer(replica: file.heads.directory)
      writer.fileCount += 1
      writer.byteCount += file.size
      let birth = ((try? status(file.path)) ?? nil)?.birthTime ?? 0
      writer.newestFile = max(writer.newestFile, birth / 1_000_000)
      writers[writer.replica] = writer
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
  /// - Returns: How many files were taken away.
  /// - Throws: ``SharedFolderFailure``. Keep ``ownHead`` all the same: the files that were put in stay,
  ///   and of the others only those go whose content is there.
  /// - Complexity: O(the bytes of all files), and O(*n* log *n*) for *n* entries
  @discardableResult
  public mutating func absorb(
    _ replicas: Set<ReplicaID>, holding list: ReplicatedList,
    admission: AdmissionPolicy = AdmissionPolicy(now: nil)
  ) throws(SharedFolderFailure) -> Int {
    let others = replicas.subtracting([replica])
    let (gone, content) = try reread(admission: admission) { others.contains($0) }
    guard !gone.known.isEmpty else { return 0 }
    var (rest, _) = try reread(admission: admission) { !others.contains($0) }
    try rest.checkOwnFiles()
    let before = ownHead?.ordinal ?? 0
    // Whatever happens: what is there and not known is read with the next reading.
    defer { self = rest }
    try rest.write(
      list.entries(of: content, orMissingIn: rest.index.covered), of: list, floor: list.floor,
      admission: admission)
    for file in rest.known.values
    where file.heads.directory == replica && file.heads.ordinal > before {
      try rest.verify(file)
    }
    var count = 0
    let paths = gone.known.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for path in paths {
      if let file = gone.known[path], try rest.remove(file) { count += 1 }
    }
    for directory in Set(paths.map { Path.directory(of: $0) }) {
      // One in which something is stays.
      try? settings.fileSystem.removeDirectory(directory)
    }
    return count
  }

  /// Takes a file away if it is still the one that was read.
  ///
  /// - Returns: Whether it was.
  private func remove(_ file: FolderFile) throws(SharedFolderFailure) -> Bool {
    guard let status = try status(file.path), status.inode == file.inode,
      status.size == file.size
    else { return false }
    do {
      try settings.fileSystem.unlinkIfPresent(file.path)
    } catch {
      throw .fileSystem(error.at(file.path))
    }
    return true
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
