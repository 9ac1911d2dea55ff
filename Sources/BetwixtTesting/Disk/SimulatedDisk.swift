public import BetwixtFiles
import BetwixtSync
internal import Synchronization

/// A file system in memory that fails, fills up, lies and crashes when it is told to.
///
///     let disk = SimulatedDisk()
///     var settings = DocumentFile.Settings(random: { 4 })
///     settings.fileSystem = disk
///     var file = try DocumentFile.create(at: "/trip", holding: list, settings: settings)
///     let after = SimulatedDisk(disk.drive.crashed { .lost })  // all that was not synced is gone
public final class SimulatedDisk: FileSystem {
  /// What goes wrong, and when.
  public struct Faults: Hashable, Sendable {
    /// The number of the call that fails, counted from the first one of the disk.
    public var failingCall: Int?

    /// The number of the call from which on nothing happens any more: the machine is off.
    public var crashingCall: Int?

    /// How many bytes can still be written.
    public var space: Int?

    /// The most bytes that one call writes.
    public var shortWrite: Int?

    /// Whether syncing says that it is done and does nothing.
    public var liesAboutSync = false

    /// Whether a file can have a second name.
    public var hasLinks = true

    /// No faults.
    public init() {}
  }

  struct State {
    var drive: SimulatedDrive
    var faults: Faults
    var callCount = 0
    var open: [Int32: Int] = [:]
    var locked: [Int32: Int] = [:]
    var lastFile: Int32 = 0
  }

  let state: Mutex<State>

  /// A disk with what is on a drive.
  public init(_ drive: SimulatedDrive = SimulatedDrive(), faults: Faults = Faults()) {
    state = Mutex(State(drive: drive, faults: faults))
  }

  /// The number of calls so far.
  public var callCount: Int { state.withLock { $0.callCount } }

  /// What is on the drive, and on its way there.
  public var drive: SimulatedDrive {
    get { state.withLock { $0.drive } }
    set { state.withLock { $0.drive = newValue } }
  }

  /// What goes wrong.
  public var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  private func call<Result>(
    _ operation: String,
    _ body: (inout sending State) throws(FileSystemError) -> sending Result
  ) throws(FileSystemError) -> sending Result {
    try state.withLock { state throws(FileSystemError) in
      state.callCount += 1
      if let crash = state.faults.crashingCall, state.callCount >= crash {
        throw FileSystemError(operation, because: .failed, number: -1)
      }
      if state.callCount == state.faults.failingCall {
        throw FileSystemError(operation, because: .failed, number: 5)
      }
      return try body(&state)
    }
  }
}

// MARK: - Files

extension SimulatedDisk {
  /// Opens a file.
  public func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try call("open") { state throws(FileSystemError) in
      let inode: Int
      if let found = try SimulatedDisk.find(path, state: state) {
        guard !mode.isCreating else { throw FileSystemError("open", because: .exists) }
        guard state.drive.inodes[found]?.target == nil else {
          throw FileSystemError("open", because: .wrongKind)
        }
        inode = found
      } else {
        guard mode.isCreating else { throw FileSystemError("open", because: .notFound) }
        inode = SimulatedDisk.make(
          path, isPrivate: mode == .creatingPrivately, state: &state)
      }
      return SimulatedDisk.opened(inode, state: &state)
    }
  }

  /// Gives a file the rights of another one.
  public func protect(_ file: OpenFile, like other: OpenFile) {
    state.withLock { state in
      guard let mine = state.open[file.number], let theirs = state.open[other.number],
        let isPrivate = state.drive.inodes[theirs]?.isPrivate
      else { return }
      state.drive.inodes[mine]?.isPrivate = isPrivate
    }
  }

  private static func make(
    _ path: String, isPrivate: Bool = false, state: inout State
  ) -> Int {
    let (directory, name) = parts(path)
    let inode = state.drive.makeInode(isPrivate: isPrivate)
    state.drive.name(directory, naming: .give(name: name, inode: inode))
    return inode
  }

  private static func opened(_ inode: Int, state: inout State) -> OpenFile {
    state.lastFile += 1
    state.open[state.lastFile] = inode
    return OpenFile(number: state.lastFile)
  }

  /// The file at a path; an error if there is not even its directory.
  private static func find(
    _ path: String, state: borrowing State
  ) throws(FileSystemError) -> Int? {
    let (directory, name) = parts(path)
    guard let found = state.drive.directories[directory] else {
      throw FileSystemError("open", because: .notFound)
    }
    return found.names[name]
  }

  private static func inode(
    _ file: OpenFile, state: borrowing State
  ) throws(FileSystemError) -> (number: Int, inode: SimulatedDrive.Inode) {
    guard let number = state.open[file.number], let inode = state.drive.inodes[number] else {
      throw FileSystemError("use", because: .failed, number: 9)
    }
    return (number, inode)
  }

  /// Ends the use of a file and frees its lock.
  public func close(_ file: OpenFile) {
    state.withLock { state in
      state.open[file.number] = nil
      state.locked[file.number] = nil
    }
  }

  /// Reads some bytes; fewer at the end.
  public func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try call("read") { state throws(FileSystemError) in
      let bytes = try SimulatedDisk.inode(file, state: state).inode.bytes
      return Array(bytes.dropFirst(offset).prefix(count))
    }
  }

  /// Writes some of the bytes behind the end: as many as space and faults allow.
  public func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    try call("append") { state throws(FileSystemError) in
      let (number, inode) = try SimulatedDisk.inode(file, state: state)
      var count = min(bytes.count, state.faults.shortWrite ?? bytes.count)
      if let space = state.faults.space {
        guard space > 0 else { throw FileSystemError("append", because: .noSpace, number: 28) }
        count = min(count, space)
        state.faults.space = space - count
      }
      let change = SimulatedDrive.Change.write(
        offset: inode.bytes.count, bytes: Array(bytes.prefix(count)))
      state.drive.change(number, change: change)
      return count
    }
  }

  /// Cuts a file to a size, which frees space.
  public func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try call("truncate") { state throws(FileSystemError) in
      let (number, inode) = try SimulatedDisk.inode(file, state: state)
      state.drive.change(number, change: .cut(size: size))
      if let space = state.faults.space { state.faults.space = space + inode.bytes.count - size }
    }
  }

  /// Makes the bytes of a file last, or says so.
  public func sync(_ file: OpenFile) throws(FileSystemError) {
    try call("sync") { state throws(FileSystemError) in
      let number = try SimulatedDisk.inode(file, state: state).number
      if !state.faults.liesAboutSync { state.drive.sync(number) }
    }
  }

  /// Keeps what comes later from lasting without what came before.
  public func barrier(_ file: OpenFile) throws(FileSystemError) {
    try call("barrier") { state throws(FileSystemError) in
      state.drive.change(try SimulatedDisk.inode(file, state: state).number, change: .barrier)
    }
  }

  /// What an open file is.
  public func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try call("status") { state throws(FileSystemError) in
      let (number, inode) = try SimulatedDisk.inode(file, state: state)
      return SimulatedDisk.status(number, inode: inode)
    }
  }

  private static func status(_ number: Int, inode: SimulatedDrive.Inode) -> FileStatus {
    FileStatus(
      kind: inode.isDirectory ? .directory : inode.target == nil ? .regular : .other,
      size: inode.bytes.count, device: 1, inode: UInt64(number), birthTime: inode.birthTime)
  }
}

// MARK: - Names

extension SimulatedDisk {
  /// What stands at a path.
  public func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try call("status") { state throws(FileSystemError) in
      if path == "/" { return FileStatus(kind: .directory, size: 0, device: 1, inode: 0) }
      let (directory, name) = SimulatedDisk.parts(path)
      guard let number = state.drive.directories[directory]?.names[name],
        let inode = state.drive.inodes[number]
      else { return nil }
      return SimulatedDisk.status(number, inode: inode)
    }
  }

  /// Gives a file another name.
  public func rename(_ path: String, to target: String) throws(FileSystemError) {
    try call("rename") { state throws(FileSystemError) in
      guard let inode = try SimulatedDisk.find(path, state: state) else {
        throw FileSystemError("rename", because: .notFound)
      }
      _ = try SimulatedDisk.find(target, state: state)
      let (old, new) = (SimulatedDisk.parts(path), SimulatedDisk.parts(target))
      if old.directory == new.directory {
        state.drive.name(old.directory, naming: .rename(from: old.name, to: new.name, inode: inode))
      } else {
        state.drive.name(new.directory, naming: .give(name: new.name, inode: inode))
        state.drive.name(old.directory, naming: .take(name: old.name))
      }
    }
  }

  /// Gives a file a second name.
  public func link(_ path: String, to target: String) throws(FileSystemError) {
    try call("link") { state throws(FileSystemError) in
      guard state.faults.hasLinks else { throw FileSystemError("link", because: .unsupported) }
      guard let inode = try SimulatedDisk.find(path, state: state) else {
        throw FileSystemError("link", because: .notFound)
      }
      guard try SimulatedDisk.find(target, state: state) == nil else {
        throw FileSystemError("link", because: .exists)
      }
      let (directory, name) = SimulatedDisk.parts(target)
      state.drive.name(directory, naming: .give(name: name, inode: inode))
    }
  }

  /// Takes a name away.
  public func unlink(_ path: String) throws(FileSystemError) {
    try call("unlink") { state throws(FileSystemError) in
      guard try SimulatedDisk.find(path, state: state) != nil else {
        throw FileSystemError("unlink", because: .notFound)
      }
      let (directory, name) = SimulatedDisk.parts(path)
      let inode = state.drive.directories[directory]?.names[name]
      state.drive.name(directory, naming: .take(name: name))
      guard let space = state.faults.space, let inode, !state.drive.isNamed(inode) else { return }
      state.faults.space = space + (state.drive.inodes[inode]?.bytes.count ?? 0)
    }
  }

  /// Makes a directory.
  public func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try call("makeDirectory") { state throws(FileSystemError) in
      guard try SimulatedDisk.find(path, state: state) == nil else {
        throw FileSystemError("makeDirectory", because: .exists)
      }
      let (parent, name) = SimulatedDisk.parts(path)
      let inode = state.drive.makeInode(isDirectory: true)
      state.drive.name(parent, naming: .give(name: name, inode: inode))
      state.drive.directories[path] = SimulatedDrive.Directory()
    }
  }

  /// Makes the names of a directory last, or says so.
  public func syncDirectory(_ path: String) throws(FileSystemError) {
    try call("syncDirectory") { state throws(FileSystemError) in
      if !state.faults.liesAboutSync { state.drive.syncDirectory(path) }
    }
  }

  /// The names in a directory, rising.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    try call("list") { state throws(FileSystemError) in
      guard let directory = state.drive.directories[path] else {
        throw FileSystemError("list", because: .notFound)
      }
      return directory.names.keys.sorted()
    }
  }

  /// Opens a file with its lock, or fails if another has it.
  public func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    try call("lock") { state throws(FileSystemError) in
      let inode =
        try SimulatedDisk.find(path, state: state) ?? SimulatedDisk.make(path, state: &state)
      guard !state.locked.values.contains(inode) else {
        throw FileSystemError("lock", because: .locked)
      }
      let file = SimulatedDisk.opened(inode, state: &state)
      state.locked[file.number] = inode
      return file
    }
  }

  /// Locks an open file, under whatever name.
  public func lock(_ file: OpenFile) throws(FileSystemError) {
    try call("lock") { state throws(FileSystemError) in
      let inode = try SimulatedDisk.inode(file, state: state).number
      guard !state.locked.contains(where: { $0.value == inode && $0.key != file.number }) else {
        throw FileSystemError("lock", because: .locked)
      }
      state.locked[file.number] = inode
    }
  }

  /// Frees its lock.
  public func unlock(_ file: OpenFile) {
    state.withLock { $0.locked[file.number] = nil }
  }

  /// Does not wait: nothing else runs meanwhile.
  public func pause(milliseconds: Int) {}
}
