/// What is on a drive, and what is only on its way there.
///
/// A write, a cut and a change of a name are each an operation that a sync makes lasting; a crash
/// keeps any part of those that were not.
public struct SimulatedDrive: Sendable {
  /// What a crash leaves of one operation.
  public enum Fate: Hashable, Sendable {
    /// Nothing.
    case lost

    /// Everything.
    case whole

    /// Of a write, so many eighths of its bytes; the file has its new size, and zeros behind them.
    case torn(eighths: Int)

    /// Of a write, the 512-byte sectors whose bit is set, counted from its start modulo 8.
    case scattered(sectors: UInt8)
  }

  enum Change: Hashable {
    case write(offset: Int, bytes: [UInt8])
    case cut(size: Int)
    /// What follows stays only if all that came before it did.
    case barrier
  }

  enum Naming: Hashable {
    case give(name: String, inode: Int)
    case take(name: String)
    case rename(from: String, to: String, inode: Int)
  }

  struct Inode {
    var isDirectory = false
    /// Where a symbolic link leads.
    var target: String?
    /// Whether only its owner may open it.
    var isPrivate = false
    /// Nanoseconds since 1970; no two files have the same.
    var birthTime: Int64 = 0
    var bytes: [UInt8] = []
    var lasting: [UInt8] = []
    var changes: [Change] = []
  }

  struct Directory {
    var names: [String: Int] = [:]
    var lasting: [String: Int] = [:]
    var namings: [Naming] = []
  }

  var inodes: [Int: Inode] = [:]
  var directories: [String: Directory] = ["/": Directory()]
  private var lastInode = 0

  /// An empty drive.
  public init() {}

  /// The number of operations that a crash may lose.
  ///
  /// - Complexity: O(*f*) for *f* files
  public var unsyncedCount: Int {
    inodes.values.reduce(0) { $0 + $1.changes.count }
      + directories.values.reduce(0) { $0 + $1.namings.count }
  }

  /// The drive after a crash: what was synced, and of each other operation what its fate says.
  ///
  /// Fates are asked for in an order that depends on nothing but the history of the drive.
  ///
  /// - Complexity: O(*b*) for *b* bytes on the drive
  public func crashed(_ fate: () -> Fate) -> SimulatedDrive {
    var drive = self
    for number in inodes.keys.sorted() {
      guard var inode = inodes[number] else { continue }
      inode.bytes = SimulatedDrive.remains(of: inode, fate)
      inode.lasting = inode.bytes
      inode.changes = []
      drive.inodes[number] = inode
    }
    for path in directories.keys.sorted() {
      guard var directory = directories[path] else { continue }
      var names = directory.lasting
      for naming in directory.namings where fate() != .lost {
        SimulatedDrive.apply(naming, to: &names)
      }
      directory.names = names
      directory.lasting = names
      directory.namings = []
      drive.directories[path] = directory
    }
    drive.dropUnnamedDirectories()
    return drive
  }

  /// Drops the directories that no name leads to any more, with all that is in them.
  private mutating func dropUnnamedDirectories() {
    // What a directory is in comes before it.
    for path in directories.keys.sorted() where path != "/" {
      if inode(path).flatMap({ inodes[$0] })?.isDirectory != true { directories[path] = nil }
    }
  }

  private static func remains(of inode: Inode, _ fate: () -> Fate) -> [UInt8] {
    var bytes = inode.lasting
    var isComplete = true
    for change in inode.changes {
      if change == .barrier {
        if !isComplete { break }
        continue
      }
      let fate = fate()
      if fate != .whole { isComplete = false }
      if fate != .lost { apply(change, to: &bytes, fate: fate) }
    }
    return bytes
  }
}

// MARK: - Changes

extension SimulatedDrive {
  mutating func makeInode(isDirectory: Bool = false, isPrivate: Bool = false) -> Int {
    lastInode += 1
    inodes[lastInode] = Inode(
      isDirectory: isDirectory, isPrivate: isPrivate,
      birthTime: 1_777_000_000_000_000_000 + Int64(lastInode))
    return lastInode
  }

  mutating func change(_ inode: Int, change: Change) {
    inodes[inode]?.changes.append(change)
    SimulatedDrive.apply(change, to: &inodes[inode, default: Inode()].bytes, fate: .whole)
  }

  mutating func name(_ directory: String, naming: Naming) {
    directories[directory]?.namings.append(naming)
    SimulatedDrive.apply(naming, to: &directories[directory, default: Directory()].names)
  }

  /// Whether a file has a name.
  func isNamed(_ inode: Int) -> Bool {
    directories.values.contains { $0.names.values.contains(inode) }
  }

  mutating func sync(_ inode: Int) {
    guard var synced = inodes[inode] else { return }
    synced.lasting = synced.bytes
    synced.changes = []
    inodes[inode] = synced
  }

  mutating func syncDirectory(_ path: String) {
    guard var synced = directories[path] else { return }
    synced.lasting = synced.names
    synced.namings = []
    directories[path] = synced
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8], fate: Fate) {
    switch change {
    case .barrier: break
    case .cut(let size): bytes = Array(bytes.prefix(size))
    case .write(let offset, let news):
      let end = offset + news.count
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      switch fate {
      case .lost: break
      case .whole: bytes.replaceSubrange(offset..<end, with: news)
      case .torn(let eighths):
        let kept = news.count * min(max(eighths, 0), 8) / 8
        bytes.replaceSubrange(offset..<offset + kept, with: news.prefix(kept))
      case .scattered(let sectors):
        for place in news.indices where sectors >> UInt8(place / 512 % 8) & 1 == 1 {
          bytes[offset + place] = news[place]
        }
      }
    }
  }

  private static func apply(_ naming: Naming, to names: inout [String: Int]) {
    switch naming {
    case .give(let name, let inode): names[name] = inode
    case .take(let name): names[name] = nil
    case .rename(let from, let to, let inode):
      // Two names of one file: nothing happens.
      if names[to] == inode, names[from] == inode { return }
      names[from] = nil
      names[to] = inode
    }
  }
}
