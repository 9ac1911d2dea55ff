/// Writes whole files: all of it or nothing.
///
/// The bytes go to a temporary file in the same folder, which is synced, gets the permissions of
/// the file it replaces, and then takes its name. Whenever this is cut short, the old file is
/// whole. A device or a pipe cannot be replaced and is written to.
package struct OutputFile {
  private let path: String

  /// Names the file; nothing is opened yet.
  package init(_ path: String) { self.path = path }

  /// Replaces the file, or creates it.
  ///
  /// - Parameter bytes: The new content.
  /// - Throws: ``FileFailure``; a file that stood there before is unharmed.
  /// - Complexity: O(*n*) in the number of bytes.
  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    guard
      let old = try attempt(
        .cannotCreate,
        { () throws(SystemError) in
          try SystemCall.status(of: path)
        })
    else {
      // A link that leads to nothing yet stays, and what it leads to is made.
      let target = try OutputFile.followed(path)
      _ = try place(bytes, at: target, permissions: nil, replacing: true)
      return
    }
    switch old.kind {
    case .directory:
      throw FileFailure(.cannotCreate, at: path, error: SystemError(number: SystemCall.isDirectory))
    case .other:
      try writeThrough(bytes)
    case .regular:
      // Renaming asks only the folder; a write-protected file means what it says all the same.
      let target = try attempt(.cannotCreate) { () throws(SystemError) in
        try SystemCall.checkWritable(path)
        return try SystemCall.resolved(path)
      }
      _ = try place(bytes, at: target, permissions: old.permissions, replacing: true)
    }
  }

  /// Creates the file, unless something stands there.
  ///
  /// - Parameter bytes: The content.
  /// - Returns: Whether nothing stood there; otherwise nothing was done.
  /// - Throws: ``FileFailure``
  /// - Complexity: O(*n*) in the number of bytes.
  package func writeNew(_ bytes: [UInt8]) throws(FileFailure) -> Bool {
    try place(bytes, at: try OutputFile.followed(path), permissions: nil, replacing: false)
  }

  /// Makes a folder unless it is there; the folders above it must exist.
  package static func makeFolder(_ path: String) throws(FileFailure) {
    do {
      if try SystemCall.status(of: path)?.kind != .directory { try SystemCall.makeFolder(path) }
    } catch {
      throw FileFailure(.cannotCreate, at: path, error: error)
    }
  }

  private func writeThrough(_ bytes: [UInt8]) throws(FileFailure) {
    let number: Int32
    do throws(SystemError) {
      number = try SystemCall.openFile(path, for: .writing)
    } catch {
      guard error.number == SystemCall.nobodyReads else {
        throw FileFailure(.cannotCreate, at: path, error: error)
      }
      throw FileFailure(.cannotCreate, at: path, because: "it is a pipe that nobody reads from")
    }
    try attempt(.brokenWrite) { () throws(SystemError) in
      defer { try? SystemCall.closeFile(number) }
      try SystemCall.wait(for: number)
      try Descriptor(number: number).write(bytes)
    }
  }

  /// Writes a file beside its place and gives it the name.
  ///
  /// - Returns: Whether it has it; not if another file has the name, which is not to be replaced.
  /// - Throws: `FileFailure`
  private func place(
    _ bytes: [UInt8], at target: String, permissions: UInt32?, replacing isReplacing: Bool
  ) throws(FileFailure) -> Bool {
    let folder = OutputFile.folder(of: target)
    let (number, temporary) = try attempt(.cannotCreate) { () throws(SystemError) in
      try OutputFile.createTemporary(in: folder)
    }
    let isPlaced: Bool
    do {
      try attempt(.brokenWrite) { () throws(SystemError) in
        try OutputFile.fill(number, with: bytes, permissions: permissions)
      }
      isPlaced = try attempt(.cannotCreate) { () throws(SystemError) in
        guard isReplacing else { return try SystemCall.moveFile(temporary, toFree: target) }
        try SystemCall.moveFile(temporary, to: target)
        return true
      }
    } catch {
      try? SystemCall.removeFile(temporary)
      throw error
    }
    guard isPlaced else {
      try? SystemCall.removeFile(temporary)
      return false
    }
    try attempt(.brokenWrite) { () throws(SystemError) in
      try OutputFile.synchronizeFolder(folder)
    }
    return true
  }

  private func attempt<Result>(
    _ kind: FileFailure.Kind, _ body: () throws(SystemError) -> Result
  ) throws(FileFailure) -> Result {
    do { return try body() } catch { throw FileFailure(kind, at: path, error: error) }
  }
}

extension OutputFile {
  /// The folder that a path stands in, with the slash at its end; empty for a bare name.
  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    // By bytes: a mark behind the slash belongs to the same character.
    return String(decoding: path.utf8[...slash], as: UTF8.self)
  }

  /// Where symbolic links lead that end at nothing; the path itself if it is none.
  private static func followed(_ path: String) throws(FileFailure) -> String {
    var place = path
    // The system follows as many.
    for _ in 0..<40 {
      guard let target = SystemCall.target(ofLink: place) else { return place }
      place = target.utf8.first == UInt8(ascii: "/") ? target : folder(of: place) + target
    }
    throw FileFailure(.cannotCreate, at: path, because: "its links lead around in a circle")
  }

  /// Creates an empty file with a name that no other run uses.
  private static func createTemporary(in folder: String) throws(SystemError) -> (Int32, String) {
    var attempt = 0
    while true {
      let name = "\(folder).betwixt-\(SystemCall.processNumber)-\(attempt).tmp"
      do {
        return (try SystemCall.openFile(name, for: .creating), name)
      } catch {
        attempt += 1
        guard error.number == SystemCall.fileExists, attempt < 1_000 else { throw error }
      }
    }
  }

  private static func fill(
    _ number: Int32, with bytes: [UInt8], permissions: UInt32?
  ) throws(SystemError) {
    do {
      if let permissions { try SystemCall.setPermissions(permissions, of: number) }
      try Descriptor(number: number).write(bytes)
      try SystemCall.synchronize(number)
    } catch {
      try? SystemCall.closeFile(number)
      throw error
    }
    // Some file systems report a full disk only here.
    try SystemCall.closeFile(number)
  }

  /// Makes the new name as durable as the bytes.
  private static func synchronizeFolder(_ folder: String) throws(SystemError) {
    let number = try SystemCall.openFile(folder.isEmpty ? "." : folder, for: .reading)
    defer { try? SystemCall.closeFile(number) }
    do {
      try SystemCall.synchronize(number)
    } catch  where error.number == SystemCall.invalidArgument {
      // Some file systems cannot sync a folder and say so; the file itself is synced.
    }
  }
}
