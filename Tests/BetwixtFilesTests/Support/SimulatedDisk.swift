import Synchronization

@testable import BetwixtFiles
@testable import BetwixtSync

/// A file system in memory that fails, fills up and crashes when it is told to.
final class SimulatedDisk: FileSystem {
  /// What goes wrong, and when.
  struct Faults {
    /// The number of the call that fails.
    var failingCall: Int?

    /// The number of the append that fails, among appends alone.
    var failingAppend: Int?

    /// How it fails.
    var failure = Failure.error

    /// Whether syncs only say that they were done.
    var syncsLie = false

    /// The number of the call from which on nothing happens any more: the machine is off.
    var crashingCall: Int?

    /// How many bytes can still be written.
    var space: Int?

    /// The most bytes that one call writes.
    var shortWrite: Int?

    /// What no path of a new file may hold: there is no room for it.
    var fullPath: String?

    /// What no path of a file may hold that is taken away: only somebody else may.
    var keptPath: String?

    /// The files of somebody else in a sticky folder: no name of theirs can be taken away.
    var foreignInodes: Set<UInt64> = []

    /// Whether a file can have a second name.
    var hasLinks = true

    /// Whether anything can be locked.
    var hasLocks = true

    /// What others do while somebody waits.
    var pause: (@Sendable () -> Void)?

    /// What others do before a file comes to the drive.
    var beforeSync: (@Sendable () -> Void)?
  }

  /// The ways in which a call fails.
  enum Failure: CaseIterable {
    /// EIO: nothing was done.
    case error
    /// ENOSPC: nothing was done.
    case noSpace
    /// EIO, and a write has done half of its work.
    case half
    /// EIO, and all was done, as on a network drive whose answer was lost.
    case whole

    /// Whether an operation that fails so has done something.
    func leavesTraces(of operation: String) -> Bool {
      switch self {
      case .error, .noSpace: false
      case .half: operation == "append"
      // What would be opened could not be closed.
      case .whole: !["open", "lock"].contains(operation)
      }
    }
  }

  private struct State {
    var drive: SimulatedDrive
    var faults: Faults
    var callCount = 0
    var counts: [String: Int] = [:]
    var mostOpen = 0
    var open: [Int32: Int] = [:]
    var locked: [Int32: Int] = [:]
    var lastFile: Int32 = 0

    /// Whether the present call is the one that fails.
    func isFailing(_ operation: String) -> Bool {
      callCount == faults.failingCall
        || operation == "append" && counts[operation] == faults.failingAppend
    }
  }

  private let state: Mutex<State>

  init(_ drive: SimulatedDrive = SimulatedDrive(), _ faults: Faults = Faults()) {
    state = Mutex(State(drive: drive, faults: faults))
  }

  /// The number of calls so far.
  var callCount: Int { state.withLock { $0.callCount } }

  /// The number of calls of each operation.
  var counts: [String: Int] { state.withLock { $0.counts } }

  /// How many files were open, or locked, at once.
  var mostOpen: Int { state.withLock { $0.mostOpen } }

  /// What is on the drive.
  var drive: SimulatedDrive {
    get { state.withLock { $0.drive } }
    set { state.withLock { $0.drive = newValue } }
  }

  var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// Replaces the bytes of a file behind everybody's back.
  func overwrite(_ path: String, _ bytes: [UInt8]) {
    state.withLock { state in
      let inode = state.drive.directories[Path.directory(of: path)]?.names[Path.name(of: path)]
      if let inode {
        state.drive.inodes[inode] = SimulatedDrive.Inode(bytes: bytes, lasting: bytes)
        state.drive.touch(inode)
      }
    }
  }

  /// The bytes of a file, or `nil` if there is none.
  func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in
      state.drive.directories[Path.directory(of: path)]?.names[Path.name(of: path)]
        .flatMap { state.drive.inodes[$0]?.bytes }
    }
  }

  private func call<Result>(
    _ operation: String,
    _ body: (inout sending State) throws(FileSystemError) -> sending Result
  ) throws(FileSystemError) -> sending Result {
    try state.withLock { state throws(FileSystemError) in
      state.callCount += 1
      state.counts[operation, default: 0] += 1
      state.mostOpen = max(state.mostOpen, state.open.count + state.locked.count)
      if let crash = state.faults.crashingCall, state.callCount >= crash {
        throw FileSystemError(operation, because: .failed, number: -1)
      }
      if state.isFailing(operation) {
        if state.faults.failure.leavesTraces(of: operation) { _ = try body(&state) }
        throw state.faults.failure == .noSpace
          ? FileSystemError(operation, because: .noSpace, number: 28)
          : FileSystemError(operation, because: .failed, number: 5)
      }
      return try body(&state)
    }
  }
}

// MARK: - Files

extension SimulatedDisk {
  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try call("open") { state throws(FileSystemError) in
      let inode: Int
      if let found = try SimulatedDisk.find(path, state) {
        guard !mode.isCreating else { throw FileSystemError("open", because: .exists) }
        inode = found
      } else {
        guard mode.isCreating else { throw FileSystemError("open", because: .notFound) }
        if let full = state.faults.fullPath, path.contains(full) {
          throw FileSystemError("open", because: .noSpace, number: 28)
        }
        inode = state.drive.makeInode()
        state.drive.name(
          Path.directory(of: path), .give(name: Path.name(of: path), inode: inode))
      }
      return SimulatedDisk.opened(inode, &state)
    }
  }

  private static func opened(_ inode: Int, _ state: inout State) -> OpenFile {
    state.lastFile += 1
    state.open[state.lastFile] = inode
    return OpenFile(number: state.lastFile)
  }

  /// The file at a path; an error if there is not even its directory.
  private static func find(
    _ path: String, _ state: borrowing State
  ) throws(FileSystemError) -> Int? {
    guard let directory = state.drive.directories[Path.directory(of: path)] else {
      throw FileSystemError("open", because: .notFound)
    }
    return directory.names[Path.name(of: path)]
  }

  func close(_ file: OpenFile) {
    state.withLock { state in
      state.open[file.number] = nil
      state.locked[file.number] = nil
    }
  }

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try call("read") { state throws(FileSystemError) in
      let bytes = try SimulatedDisk.inode(file, state).bytes
      return Array(bytes.dropFirst(offset).prefix(count))
    }
  }

  private static func inode(
    _ file: OpenFile, _ state: borrowing State
  ) throws(FileSystemError) -> SimulatedDrive.Inode {
    guard let number = state.open[file.number], let inode = state.drive.inodes[number] else {
      throw FileSystemError("use", because: .failed, number: 9)
    }
    return inode
  }

  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    try call("append") { state throws(FileSystemError) in
      let size = try SimulatedDisk.inode(file, state).bytes.count
      var count = min(bytes.count, state.faults.shortWrite ?? bytes.count)
      if let space = state.faults.space {
        guard space > 0 else { throw FileSystemError("append", because: .noSpace, number: 28) }
        count = min(count, space)
        state.faults.space = space - count
      }
      if state.isFailing("append"), state.faults.failure == .half {
        count = (count + 1) / 2
      }
      let part = Array(bytes.prefix(count))
      if let inode = state.open[file.number] {
        state.drive.change(inode, .write(offset: size, bytes: part))
      }
      return count
    }
  }

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try call("truncate") { state throws(FileSystemError) in
      let before = try SimulatedDisk.inode(file, state).bytes.count
      if let inode = state.open[file.number] { state.drive.change(inode, .cut(size: size)) }
      if let space = state.faults.space { state.faults.space = space + before - size }
    }
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    state.withLock { $0.faults.beforeSync }?()
    try call("sync") { state throws(FileSystemError) in
      _ = try SimulatedDisk.inode(file, state)
      guard !state.faults.syncsLie else { return }
      if let inode = state.open[file.number] { state.drive.sync(inode) }
    }
  }

  func barrier(_ file: OpenFile) throws(FileSystemError) {
    try call("barrier") { state throws(FileSystemError) in
      _ = try SimulatedDisk.inode(file, state)
      if let inode = state.open[file.number] { state.drive.change(inode, .barrier) }
    }
  }

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try call("status") { state throws(FileSystemError) in
      let inode = try SimulatedDisk.inode(file, state)
      return SimulatedDisk.status(state.open[file.number] ?? 0, inode)
    }
  }

  private static func status(_ number: Int, _ inode: SimulatedDrive.Inode) -> FileStatus {
    FileStatus(
      kind: inode.isDirectory ? .directory : .regular, size: inode.bytes.count, device: 1,
      inode: UInt64(number), birthTime: inode.birthTime, changeTime: inode.changeTime)
  }
}

// MARK: - Names

extension SimulatedDisk {
  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try call("status") { state throws(FileSystemError) in
      if path == "/" { return FileStatus(kind: .directory, size: 0, device: 1, inode: 0) }
      guard let directory = state.drive.directories[Path.directory(of: path)],
        let number = directory.names[Path.name(of: path)],
        let inode = state.drive.inodes[number]
      else { return nil }
      return SimulatedDisk.status(number, inode)
    }
  }

  func rename(_ path: String, to target: String) throws(FileSystemError) {
    try call("rename") { state throws(FileSystemError) in
      guard let inode = try SimulatedDisk.find(path, state) else {
        throw FileSystemError("rename", because: .notFound)
      }
      try SimulatedDisk.checkOwner(of: inode, state)
      try SimulatedDisk.checkOwner(of: try SimulatedDisk.find(target, state), state)
      let directory = Path.directory(of: path)
      if directory == Path.directory(of: target) {
        state.drive.name(
          directory, .rename(from: Path.name(of: path), to: Path.name(of: target), inode: inode))
      } else {
        state.drive.name(
          Path.directory(of: target), .give(name: Path.name(of: target), inode: inode))
        state.drive.name(directory, .take(name: Path.name(of: path)))
      }
    }
  }

  func link(_ path: String, to target: String) throws(FileSystemError) {
    try call("link") { state throws(FileSystemError) in
      guard state.faults.hasLinks else { throw FileSystemError("link", because: .unsupported) }
      guard let inode = try SimulatedDisk.find(path, state) else {
        throw FileSystemError("link", because: .notFound)
      }
      guard try SimulatedDisk.find(target, state) == nil else {
        throw FileSystemError("link", because: .exists)
      }
      state.drive.name(
        Path.directory(of: target), .give(name: Path.name(of: target), inode: inode))
    }
  }

  private static func checkOwner(
    of inode: Int?, _ state: borrowing State
  ) throws(FileSystemError) {
    guard let inode, state.faults.foreignInodes.contains(UInt64(inode)) else { return }
    throw FileSystemError("rename", because: .notPermitted, number: 1)
  }

  func checkMayReplace(_ path: String) throws(FileSystemError) {
    try call("checkMayReplace") { state throws(FileSystemError) in
      do throws(FileSystemError) {
        try SimulatedDisk.checkOwner(of: try SimulatedDisk.find(path, state), state)
      } catch {
        throw FileSystemError("rename", because: .notOwner, number: 1)
      }
    }
  }

  func unlink(_ path: String) throws(FileSystemError) {
    try call("unlink") { state throws(FileSystemError) in
      guard let found = try SimulatedDisk.find(path, state) else {
        throw FileSystemError("unlink", because: .notFound)
      }
      try SimulatedDisk.checkOwner(of: found, state)
      if let kept = state.faults.keptPath, path.contains(kept) {
        throw FileSystemError("unlink", because: .notPermitted, number: 1)
      }
      let (directory, name) = (Path.directory(of: path), Path.name(of: path))
      let inode = state.drive.directories[directory]?.names[name]
      state.drive.name(directory, .take(name: name))
      guard let space = state.faults.space, let inode, !state.drive.isNamed(inode) else { return }
      state.faults.space = space + (state.drive.inodes[inode]?.bytes.count ?? 0)
    }
  }

  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try call("makeDirectory") { state throws(FileSystemError) in
      guard try SimulatedDisk.find(path, state) == nil else {
        throw FileSystemError("makeDirectory", because: .exists)
      }
      let inode = state.drive.makeInode(isDirectory: true)
      state.drive.name(Path.directory(of: path), .give(name: Path.name(of: path), inode: inode))
      state.drive.directories[path] = SimulatedDrive.Directory()
    }
  }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    try call("removeDirectory") { state throws(FileSystemError) in
      guard state.drive.directories[path]?.names.isEmpty == true else {
        throw FileSystemError("removeDirectory", because: .exists)
      }
      state.drive.directories[path] = nil
      state.drive.name(Path.directory(of: path), .take(name: Path.name(of: path)))
    }
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try call("syncDirectory") { state throws(FileSystemError) in
      state.drive.syncDirectory(path)
    }
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try call("list") { state throws(FileSystemError) in
      guard let directory = state.drive.directories[path] else {
        throw FileSystemError("list", because: .notFound)
      }
      return directory.names.keys.sorted()
    }
  }

  func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    try call("lock") { state throws(FileSystemError) in
      guard state.faults.hasLocks else { throw FileSystemError("lock", because: .unsupported) }
      let inode: Int
      if let found = try SimulatedDisk.find(path, state) {
        inode = found
      } else {
        if let full = state.faults.fullPath, path.contains(full) {
          throw FileSystemError("lock", because: .noSpace, number: 28)
        }
        inode = state.drive.makeInode()
        state.drive.name(
          Path.directory(of: path), .give(name: Path.name(of: path), inode: inode))
      }
      guard !state.locked.values.contains(inode) else {
        throw FileSystemError("lock", because: .locked)
      }
      let file = SimulatedDisk.opened(inode, &state)
      state.locked[file.number] = inode
      return file
    }
  }

  /// Locks an open file, under whatever name.
  func lock(_ file: OpenFile) throws(FileSystemError) {
    try call("lock") { state throws(FileSystemError) in
      guard state.faults.hasLocks else { throw FileSystemError("lock", because: .unsupported) }
      guard let inode = state.open[file.number] else {
        throw FileSystemError("lock", because: .failed, number: 9)
      }
      guard !state.locked.contains(where: { $0.value == inode && $0.key != file.number }) else {
        throw FileSystemError("lock", because: .locked)
      }
      state.locked[file.number] = inode
    }
  }

  /// Frees its lock.
  func unlock(_ file: OpenFile) {
    state.withLock { $0.locked[file.number] = nil }
  }

  func pause(milliseconds: Int) {
    let body = state.withLock { $0.faults.pause }
    body?()
  }
}
