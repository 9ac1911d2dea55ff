// Operations on whole files, made of those that may do a part.

extension FileSystem {
  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - file: Which.
  ///   - size: How many it was seen to have: so many are asked for at once, and not copied.
  ///   - limit: The most that it may have.
  /// - Returns: The bytes.
  /// - Throws: ``FileSystemError``; with `failed` if the file is larger than `limit`.
  /// - Complexity: O(the bytes read)
  func readAll(
    _ file: OpenFile, expecting size: Int = 0, limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    // Some systems refuse to read 2 GiB or more at once.
    var bytes = try read(file, at: 0, count: min(max(size, 65_536), 1 << 30))
    var part = bytes
    while !part.isEmpty {
      guard bytes.count <= limit else { throw FileSystemError("read", because: .failed) }
      part = try read(file, at: bytes.count, count: 65_536)
      bytes += part
    }
    return bytes
  }

  /// All bytes of the file at a path.
  func contents(of path: String, limit: Int) throws(FileSystemError) -> [UInt8] {
    let file = try open(path, mode: .reading)
    defer { close(file) }
    return try contents(of: file, limit: limit)
  }

  /// The same, of an open file.
  func contents(of file: OpenFile, limit: Int) throws(FileSystemError) -> [UInt8] {
    let status = try status(of: file)
    guard status.kind == .regular else { throw FileSystemError("open", because: .wrongKind) }
    guard status.size <= limit else { throw FileSystemError("read", because: .failed) }
    return try readAll(file, expecting: status.size, limit: limit)
  }

  /// Appends all of the bytes, in as many steps as it takes.
  func appendAll(_ file: OpenFile, bytes: [UInt8]) throws(FileSystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try append(file, bytes: rest)
      guard count > 0, count <= rest.count else {
        throw FileSystemError("append", because: .failed)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes a new file that is on the drive when this returns; its name is not, yet.
  ///
  /// Who may read another file, if there is one, may read this one, and nobody else.
  func create(
    _ path: String, holding bytes: [UInt8], like other: String? = nil
  ) throws(FileSystemError) {
    close(try creating(path, holding: bytes, like: other))
  }

  /// The same, and leaves it open.
  func creating(
    _ path: String, holding bytes: [UInt8], like other: String?
  ) throws(FileSystemError) -> OpenFile {
    let isThere = try other.map { (path) throws(FileSystemError) in try status(at: path) != nil }
    let file = try open(path, mode: isThere == true ? .creatingPrivately : .creating)
    if isThere == true, let other, let old = try? open(other, mode: .reading) {
      protect(file, like: old)
      close(old)
    }
    do {
      try appendAll(file, bytes: bytes)
      try sync(file)
    } catch {
      close(file)
      try? unlink(path)
      throw error
    }
    return file
  }

  /// Replaces the file at a path as a whole: after a crash it is the old one or the new one.
  ///
  /// `temporary` is a free path in the same directory. Who may read the new file is said by the old one,
  /// unless another path is given that says it.
  func replace(
    _ path: String, with bytes: [UInt8], temporary: String, like other: String? = nil
  ) throws(FileSystemError) {
    try create(temporary, holding: bytes, like: other ?? path)
    do {
      try rename(temporary, to: path)
    } catch {
      try? unlink(temporary)
      throw error
    }
    try syncDirectory(Path.directory(of: path))
  }

  /// Makes a directory and those above it, each on the drive when this returns.
  ///
  /// - Complexity: O(the depth of the path)
  package func makeDirectories(
    _ path: String, for users: DirectoryUsers = .anybody
  ) throws(FileSystemError) {
    var missing: [String] = []
    var current = path
    while try status(at: current) == nil {
      missing.append(current)
      let parent = Path.directory(of: current)
      if parent == current { break }
      current = parent
    }
    for directory in missing.reversed() {
      do {
        try makeDirectory(directory, for: users)
      } catch {
        guard error.reason == .exists else { throw error }
      }
      try syncDirectory(Path.directory(of: directory))
    }
  }

  /// Whether a path leads to a directory, by symbolic links or without.
  func isDirectory(_ path: String) -> Bool {
    guard let target = try? realPath(of: path) else { return false }
    return ((try? status(at: target)) ?? nil)?.kind == .directory
  }

  /// Opens a file for its lock; `nil` where the file system has no locks.
  func lockIfPossible(_ path: String) throws(FileSystemError) -> OpenFile? {
    do {
      return try lock(path)
    } catch {
      guard error.reason == .unsupported else { throw error }
      return nil
    }
  }

  /// Locks an open file for all its names, where the file system has such locks.
  func lockContentIfPossible(_ file: OpenFile) throws(FileSystemError) {
    do {
      try lock(file)
    } catch {
      guard error.reason == .unsupported else { throw error }
    }
  }

  /// Gives a file a second name, which nothing may have yet; where the drive has no second names, a
  /// copy gets it.
  ///
  /// The name is not on the drive, yet.
  ///
  /// - Complexity: O(1) with second names, otherwise O(the bytes of the file)
  func giveSecondName(_ name: String, to path: String) throws(FileSystemError) {
    do throws(FileSystemError) {
      try link(path, to: name)
    } catch {
      // Drives of cameras and sticks have no second names.
      guard error.reason == .unsupported else { throw error }
      let bytes = try contents(of: path, limit: DocumentFile.sizeLimit)
      try create(name, holding: bytes, like: path)
    }
  }

  /// Gives a file another name, which nothing may have yet.
  ///
  /// Where the drive has no second names, whoever takes the name at the same moment loses it.
  func rename(_ path: String, toFree name: String) throws(FileSystemError) {
    do throws(FileSystemError) {
      try link(path, to: name)
    } catch {
      guard error.reason == .unsupported else { throw error }
      guard try status(at: name) == nil else { throw FileSystemError("rename", because: .exists) }
      return try rename(path, to: name)
    }
    // The file has its name; the old one is harmless.
    try? unlink(path)
  }

  /// Keeps a file under a second name, in place of what has that: after a crash the name is as it was, or
  /// it is one of all of the file.
  ///
  /// `temporary` is a free path in the same directory. The name is not on the drive, yet. Nothing is done
  /// to a file that this user may not replace.
  ///
  /// - Complexity: O(1) with second names, otherwise O(the bytes of the file)
  func keep(
    _ path: String, as name: String, temporary: String
  ) throws(FileSystemError) {
    try checkMayReplace(path)
    try giveSecondName(temporary, to: path)
    do throws(FileSystemError) {
      try rename(temporary, to: name)
      // Renaming one name of a file to another one of the same file does nothing.
      try unlinkIfPresent(temporary)
    } catch {
      try? unlink(temporary)
      throw error
    }
  }

  /// Takes a name away if it is there.
  func unlinkIfPresent(_ path: String) throws(FileSystemError) {
    do {
      try unlink(path)
    } catch {
      guard error.reason == .notFound else { throw error }
    }
  }
}

/// The parts of a path.
enum Path {
  /// All before the last part: `.` if there is only one.
  static func directory(of path: String) -> String {
    let bytes = Array(path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }

  /// The last part.
  static func name(of path: String) -> String {
    let bytes = Array(path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(decoding: bytes[(slash + 1)...], as: UTF8.self)
  }

  /// A path below a directory.
  static func joining(_ directory: String, _ name: String) -> String {
    directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
  }
}
