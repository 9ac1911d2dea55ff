internal import Synchronization

// What people and their tools do to the files of a disk, behind everybody's back. All of it lasts.

extension SimulatedDisk {
  /// The bytes of a file, or `nil` if there is none.
  ///
  /// - Complexity: O(1)
  public func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in
      state.drive.inode(path)
        .flatMap { state.drive.inodes[$0] }
        .flatMap { $0.isDirectory || $0.target != nil ? nil : $0.bytes }
    }
  }

  /// The number of the file at a path, the same for all of its names; `nil` if there is none.
  ///
  /// - Complexity: O(1)
  public func inode(_ path: String) -> Int? { state.withLock { $0.drive.inode(path) } }

  /// Puts a file at a path, with its directories, as a tool that copies files does.
  ///
  /// What had the name stays open to those who have it open.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  public func put(_ path: String, bytes: [UInt8]) {
    let (directory, name) = SimulatedDisk.parts(path)
    putDirectory(directory)
    state.withLock { state in
      let inode = state.drive.makeInode()
      state.drive.inodes[inode]?.bytes = bytes
      state.drive.inodes[inode]?.lasting = bytes
      state.drive.name(directory, naming: .give(name: name, inode: inode))
      state.drive.syncDirectory(directory)
    }
  }

  /// Writes over the bytes of a file, whoever has it open; puts one where none is.
  ///
  /// - Complexity: O(*n*) for *n* bytes
  public func overwrite(_ path: String, with bytes: [UInt8]) {
    guard let inode = inode(path) else { return put(path, bytes: bytes) }
    state.withLock { state in
      state.drive.inodes[inode]?.bytes = bytes
      state.drive.inodes[inode]?.lasting = bytes
      state.drive.inodes[inode]?.changes = []
    }
  }

  /// Takes a name away.
  ///
  /// - Complexity: O(1)
  public func remove(_ path: String) {
    let (directory, name) = SimulatedDisk.parts(path)
    state.withLock { state in
      state.drive.name(directory, naming: .take(name: name))
      state.drive.syncDirectory(directory)
    }
  }

  /// Gives the file at a path a second name, in place of what had that name.
  ///
  /// - Complexity: O(1)
  public func name(_ path: String, also second: String) {
    guard let inode = inode(path) else { return }
    let (directory, name) = SimulatedDisk.parts(second)
    putDirectory(directory)
    state.withLock { state in
      state.drive.name(directory, naming: .give(name: name, inode: inode))
      state.drive.syncDirectory(directory)
    }
  }

  /// Puts a symbolic link at a path.
  ///
  /// - Complexity: O(1)
  public func putLink(_ path: String, to target: String) {
    put(path, bytes: [])
    guard let inode = inode(path) else { return }
    state.withLock { state in state.drive.inodes[inode]?.target = target }
  }

  /// The path that symbolic links lead to; `nil` if they lead in a circle.
  ///
  /// - Complexity: O(1)
  public func resolved(_ path: String) -> String? {
    state.withLock { state in
      var path = path
      for _ in 0..<8 {
        guard let number = state.drive.inode(path), let target = state.drive.inodes[number]?.target
        else { return path }
        path = target
      }
      return nil
    }
  }

  /// Makes a directory and those above it.
  ///
  /// - Complexity: O(the depth of the path)
  public func putDirectory(_ path: String) {
    guard state.withLock({ $0.drive.directories[path] == nil }) else { return }
    let (parent, name) = SimulatedDisk.parts(path)
    putDirectory(parent)
    state.withLock { state in
      let inode = state.drive.makeInode(isDirectory: true)
      state.drive.name(parent, naming: .give(name: name, inode: inode))
      state.drive.syncDirectory(parent)
      state.drive.directories[path] = SimulatedDrive.Directory()
    }
  }

  /// The files below a directory, rising by path.
  ///
  /// - Complexity: O(*f* log *f*) for *f* files on the disk
  public func files(under root: String) -> [(path: String, bytes: [UInt8])] {
    state.withLock { state in
      var files: [(path: String, bytes: [UInt8])] = []
      for (path, directory) in state.drive.directories
      where path == root || path.hasPrefix(root + "/") {
        for (name, number) in directory.names {
          guard let inode = state.drive.inodes[number], !inode.isDirectory, inode.target == nil
          else { continue }
          files.append((path + "/" + name, inode.bytes))
        }
      }
      return files.sorted { $0.path < $1.path }
    }
  }

  /// The names in a directory with the numbers of their files; none if there is no directory.
  ///
  /// - Complexity: O(*f*) for *f* names
  /// Whether only its owner may open a file; `nil` if there is none.
  func isPrivate(_ inode: Int) -> Bool? { state.withLock { $0.drive.inodes[inode]?.isPrivate } }

  /// Takes the rights of others away from a file, or gives them back.
  func chmod(_ inode: Int) { state.withLock { $0.drive.inodes[inode]?.isPrivate.toggle() } }

  func inodes(in directory: String) -> [String: Int] {
    state.withLock { $0.drive.directories[directory]?.names ?? [:] }
  }

  /// Changes one bit of a file.
  ///
  /// - Returns: Whether there is such a file, and it is so long.
  /// - Complexity: O(*n*) for *n* bytes
  @discardableResult
  public func flip(_ path: String, bit: Int) -> Bool {
    guard var bytes = bytes(path), bytes.indices.contains(bit / 8) else { return false }
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    overwrite(path, with: bytes)
    return true
  }

  /// All before the last part of a path, and that part.
  static func parts(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("/", path) }
    let directory = path[..<slash]
    return (
      directory.isEmpty ? "/" : String(directory), String(path[path.utf8.index(after: slash)...])
    )
  }
}

extension SimulatedDrive {
  /// The number of the file at a path.
  func inode(_ path: String) -> Int? {
    let (directory, name) = SimulatedDisk.parts(path)
    return directories[directory]?.names[name]
  }
}
