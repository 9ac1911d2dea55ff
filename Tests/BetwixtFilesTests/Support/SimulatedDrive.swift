@testable import BetwixtFiles

/// What is on a drive and what is only on its way there.
///
/// A write, a cut and a change of a name are each an operation that a sync makes lasting; a crash
/// keeps any part of those that were not.
struct SimulatedDrive {
  /// A change of a file's bytes that may be lost.
  enum Change: Hashable {
    case write(offset: Int, bytes: [UInt8])
    case cut(size: Int)
    /// What follows stays only if all that came before it did.
    case barrier
  }

  /// A change of a directory's names that may be lost.
  enum Naming: Hashable {
    case give(name: String, inode: Int)
    case take(name: String)
    case rename(from: String, to: String, inode: Int)
  }

  /// What a crash leaves of one operation.
  enum Fate: Int, CaseIterable {
    case lost
    case whole
    case torn
  }

  struct Inode {
    var isDirectory = false
    var birthTime: Int64 = 1_777_000_000
    var changeTime: Int64 = 0
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
  var lastInode = 0
  // Every change is at a time of its own.
  var lastChange: Int64 = 1_777_000_000

  /// The number of operations that a crash may lose.
  var unsyncedCount: Int {
    inodes.values.reduce(0) { $0 + $1.changes.count }
      + directories.values.reduce(0) { $0 + $1.namings.count }
  }

  mutating func makeInode(isDirectory: Bool = false) -> Int {
    lastInode += 1
    inodes[lastInode] = Inode(isDirectory: isDirectory)
    touch(lastInode)
    return lastInode
  }

  /// Notes that anything about a file was changed.
  mutating func touch(_ inode: Int) {
    lastChange += 1
    inodes[inode]?.changeTime = lastChange
  }

  mutating func change(_ inode: Int, _ change: Change) {
    inodes[inode]?.changes.append(change)
    if change != .barrier { touch(inode) }
    SimulatedDrive.apply(change, to: &inodes[inode, default: Inode()].bytes, .whole)
  }

  mutating func name(_ directory: String, _ naming: Naming) {
    directories[directory]?.namings.append(naming)
    switch naming {
    case .give(_, let inode), .rename(_, _, let inode): touch(inode)
    case .take(let name): if let inode = directories[directory]?.names[name] { touch(inode) }
    }
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

  /// The drive after a crash: what was synced, and of the rest what the fates say.
  func crashed(_ fate: () -> Fate) -> SimulatedDrive {
    var drive = self
    for number in inodes.keys.sorted() {
      guard var inode = inodes[number] else { continue }
      var bytes = inode.lasting
      var isComplete = true
      for change in inode.changes {
        if change == .barrier {
          if !isComplete { break }
          continue
        }
        let fate = fate()
        if fate != .whole { isComplete = false }
        if fate != .lost { SimulatedDrive.apply(change, to: &bytes, fate) }
      }
      if !inode.changes.isEmpty {
        drive.lastChange += 1
        inode.changeTime = drive.lastChange
      }
      inode.bytes = bytes
      inode.lasting = bytes
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
      let parent = directories[Path.directory(of: path)]
      let inode = parent?.names[Path.name(of: path)].flatMap { inodes[$0] }
      if inode?.isDirectory != true { directories[path] = nil }
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8], _ fate: Fate) {
    switch change {
    case .barrier: break
    case .cut(let size):
      bytes = Array(bytes.prefix(size))
    case .write(let offset, let news):
      let end = offset + news.count
      if bytes.count < end {
        bytes += [UInt8](repeating: 0, count: end - bytes.count)
      }
      // A torn write keeps its first half; the file has its new size all the same.
      let kept = fate == .torn ? news.count / 2 : news.count
      bytes.replaceSubrange(offset..<(offset + kept), with: news.prefix(kept))
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
