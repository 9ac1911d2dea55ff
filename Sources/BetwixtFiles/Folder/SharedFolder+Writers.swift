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
      let replica = file.heads.directory
      writers[replica, default: Writer(replica: replica)].fileCount += 1
      writers[replica]?.byteCount += file.size
    }
    return writers.values.sorted { $0.replica < $1.replica }
  }

  /// Takes the files of others out of the folder, and puts in before what no other file holds of them.
  ///
  /// It is for devices that are gone, whose files nobody else ever removes. If one of them comes back
  /// after all, nothing is lost: it finds its content in other files, and begins new ones. Files that
  /// have not arrived or were not let in stay.
  ///
  /// Where two do so for each other at the same time and in different places, a part may be in no file
  /// until the next ``write(_:admission:)`` of anybody who holds it.
  ///
  /// - Parameters:
  ///   - replicas: Whose files; the own ones stay.
  ///   - list: The list, with all that was read joined and committed.
  ///   - admission: What others let in: see ``write(_:admission:)``.
  /// - Returns: How many files were taken away.
  /// - Throws: ``SharedFolderFailure``. Keep ``ownHead`` all the same: the files that were put in stay,
  ///   and of the others only those go whose content is there.
  /// - Complexity: O(the bytes of all other files), and O(*n* log *n*) for *n* entries
  @discardableResult
  public mutating func absorb(
    _ replicas: Set<ReplicaID>, holding list: ReplicatedList,
    admission: AdmissionPolicy = AdmissionPolicy(now: nil)
  ) throws(SharedFolderFailure) -> Int {
    let others = replicas.subtracting([replica])
    let gone = known.values.filter { others.contains($0.heads.directory) }
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    guard !gone.isEmpty else { return 0 }
    var rest = try reread(without: Set(gone.map(\.path)), admission: admission)
    // Whatever happens: what is there and not known is read with the next reading.
    defer { self = rest }
    let before = ownHead?.ordinal ?? 0
    try rest.write(list, admission: admission)
    for file in rest.known.values
    where file.heads.directory == replica && file.heads.ordinal > before {
      try rest.verify(file)
    }
    for file in gone { try rest.remove(file) }
    for directory in Set(gone.map { Path.directory(of: $0.path) }) {
      // One in which something is stays.
      try? settings.fileSystem.removeDirectory(directory)
    }
    return gone.count
  }

  /// Takes a file away if it is still the one that was read.
  private func remove(_ file: FolderFile) throws(SharedFolderFailure) {
    guard let status = try status(file.path), status.inode == file.inode,
      status.size == file.size
    else { return }
    do {
      try settings.fileSystem.unlinkIfPresent(file.path)
    } catch {
      throw .fileSystem(error.at(file.path))
    }
  }

  /// Makes sure that a file can be read through the folder.
  func verify(_ file: FolderFile) throws(SharedFolderFailure) {
    guard let status = try status(file.path),
      case .whole(let read, _) = try self.file(file.path, status: status), read.hash == file.hash
    else { throw .notVerified }
  }
}
