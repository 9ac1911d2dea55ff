public import Betwixt

/// Identities in a directory of the installation, one small file for each document.
public struct FileIdentityStore: IdentityStore {
  private let directory: String
  private let fileSystem: any FileSystem
  private let machine: [UInt8]
  private let random: @Sendable () -> UInt64

  /// Uses a directory; it is made with the first record.
  ///
  /// - Parameters:
  ///   - directory: A directory that no tool copies to other machines.
  ///   - machine: A name of the machine; ``machineName()`` on Linux.
  ///   - fileSystem: Where the directory is.
  ///   - random: Random bits, for the names of temporary files.
  public init(
    _ directory: String, machine: [UInt8], fileSystem: any FileSystem = PosixFileSystem(),
    random: @escaping @Sendable () -> UInt64
  ) {
    self.directory = directory
    self.machine = machine
    self.fileSystem = fileSystem
    self.random = random
  }

  /// The directory that programs use unless told otherwise: `BETWIXT_STATE`, or `betwixt` in
  /// `XDG_STATE_HOME`, or `~/.local/state/betwixt`; `nil` without a home.
  ///
  /// An `XDG_STATE_HOME` that is a relative path counts as none: it would be another directory wherever
  /// a program is started.
  public static func standardDirectory() -> String? {
    standardDirectory { PosixCall.environmentVariable($0) }
  }

  /// The same in an environment.
  static func standardDirectory(_ variable: (String) -> String?) -> String? {
    func value(_ name: String) -> String? {
      variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let directory = value("BETWIXT_STATE") { return directory }
    if let state = value("XDG_STATE_HOME"), state.utf8.first == UInt8(ascii: "/") {
      return Path.joining(state, "betwixt")
    }
    return value("HOME").map { Path.joining($0, ".local/state/betwixt") }
  }

  /// A name of this machine that a copy of a home directory does not carry along, hashed; empty if
  /// the system has none.
  public static func machineName() -> [UInt8] {
    let system = PosixFileSystem()
    guard let name = try? system.contents(of: "/etc/machine-id", limit: 4096), !name.isEmpty else {
      return []
    }
    return Array(SHA256.hash(Array("betwixt machine 1\0".utf8) + name).prefix(16))
  }

  private func path(of document: ListID) -> String {
    Path.joining(directory, "\(document).identity")
  }

  /// Reads the record's file.
  public func record(of document: ListID) throws(IdentityStoreFailure) -> IdentityRecord? {
    let bytes: [UInt8]
    do {
      bytes = try fileSystem.contents(of: path(of: document), limit: IdentityRecord.sizeLimit)
    } catch {
      guard error.reason == .notFound else { throw IdentityStoreFailure(error) }
      return nil
    }
    // A damaged record is like none: a new id is always safe.
    guard let record = try? IdentityRecord(bytes), record.document == document else { return nil }
    return record
  }

  /// Replaces the record's file as a whole.
  ///
  /// Programs that save at the same time do so one after the other; one that knows only a former id
  /// gets the record of the one that gave it up.
  public func save(
    _ record: IdentityRecord, durably: Bool
  ) throws(IdentityStoreFailure) -> IdentityRecord {
    let lock: OpenFile?
    do throws(FileSystemError) {
      try fileSystem.makeDirectories(directory, for: .owner)
      lock = try takeLock(path(of: record.document) + ".lock")
    } catch {
      throw IdentityStoreFailure(error)
    }
    defer { if let lock { fileSystem.close(lock) } }
    let present = try self.record(of: record.document)
    if let present, present.former.contains(record.replica) { return present }
    var record = record
    // Whoever took the record away may write under the id.
    if present == nil, record.place.inode != 0 { record.giveUp(for: ReplicaID(rawValue: random())) }
    do throws(FileSystemError) {
      if present == nil, try fileSystem.status(at: path(of: record.document)) != nil {
        record.followsUnreadable = true
      }
      return try write(present.map { record.joined(with: $0) } ?? record, durably: durably)
    } catch {
      throw IdentityStoreFailure(error)
    }
  }

  /// Gives a record to another directory of this installation, whose program goes on under the id.
  ///
  /// It is on the drive when this returns: a record that lay in both would be two writers.
  ///
  /// - Parameters:
  ///   - document: Whose record.
  ///   - other: Where it is to lie; there is none yet.
  /// - Returns: Whether it was there and is not any more.
  /// - Throws: ``IdentityStoreFailure``; it lies in one of the two.
  func move(
    _ document: ListID, to other: FileIdentityStore
  ) throws(IdentityStoreFailure) -> Bool {
    do throws(FileSystemError) {
      try fileSystem.makeDirectories(other.directory, for: .owner)
      let lock = try takeLock(path(of: document) + ".lock")
      defer { if let lock { fileSystem.close(lock) } }
      guard try fileSystem.status(at: path(of: document)) != nil else { return false }
      try fileSystem.rename(path(of: document), to: other.path(of: document))
      try fileSystem.syncDirectory(other.directory)
      try fileSystem.syncDirectory(directory)
      return true
    } catch {
      throw IdentityStoreFailure(error)
    }
  }

  /// Without locks the last of two records stays, and whose record is gone gives its id up.
  private func takeLock(_ path: String) throws(FileSystemError) -> OpenFile? {
    var waited = 0
    while true {
      do {
        return try fileSystem.lockIfPossible(path)
      } catch {
        guard error.reason == .locked, waited < FileIdentityStore.lockWaitMilliseconds else {
          throw error
        }
      }
      fileSystem.pause(milliseconds: FileIdentityStore.lockPauseMilliseconds)
      waited += FileIdentityStore.lockPauseMilliseconds
    }
  }

  // Saving takes a few milliseconds.
  private static let lockWaitMilliseconds = 10_000
  private static let lockPauseMilliseconds = 5

  /// The file must exist before its place is known, and name its place before it has its name.
  private func write(
    _ record: IdentityRecord, durably: Bool
  ) throws(FileSystemError) -> IdentityRecord {
    let target = path(of: record.document)
    let temporary = target + ".tmp-" + Hex.encode(random())
    let file = try fileSystem.open(temporary, mode: .creatingPrivately)
    defer { fileSystem.close(file) }
    var saved = record
    do throws(FileSystemError) {
      saved.place = place(try fileSystem.status(of: file))
      try fileSystem.appendAll(file, bytes: saved.bytes)
      if durably { try fileSystem.sync(file) }
      try fileSystem.rename(temporary, to: target)
    } catch {
      try? fileSystem.unlink(temporary)
      throw error
    }
    if durably { try fileSystem.syncDirectory(directory) }
    return saved
  }

  private func place(_ status: FileStatus) -> StorePlace {
    StorePlace(
      machine: machine, device: status.device, inode: status.inode, birthTime: status.birthTime)
  }

  /// The place of the record's file as it is now.
  public func place(of document: ListID) throws(IdentityStoreFailure) -> StorePlace {
    do throws(FileSystemError) {
      guard let status = try fileSystem.status(at: path(of: document)) else {
        throw FileSystemError("status", because: .notFound)
      }
      return place(status)
    } catch {
      throw IdentityStoreFailure(error)
    }
  }
}
