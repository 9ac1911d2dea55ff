import Betwixt

/// Where a document file lies, and where this installation keeps what it knows of it.
struct DocumentPlace {
  /// The path as the user named it, for messages.
  let name: String

  /// The path without symbolic links, so that a file has one lock and one identity whatever it is
  /// called.
  let path: String

  /// Finds a place; there may be no file yet, but there must be the folder.
  init(_ name: String) throws(ToolFailure) {
    self.name = name
    do {
      path = try SystemCall.resolvedTarget(name)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, name, error))
    }
  }

  /// Whether there is a file.
  var exists: Bool { ((try? SystemCall.status(of: path)) ?? nil) != nil }

  /// Whether a document can be opened at a path, from what a crash left of it if need be.
  static func holdsDocument(_ path: String) -> Bool {
    [path, path + ".previous"].contains { ((try? SystemCall.status(of: $0)) ?? nil) != nil }
  }

  /// The folder for what is known of this file.
  ///
  /// It is named after the path, because copies of a document that lie beside each other are
  /// edited apart: each must have a writer of its own.
  func stateFolder(in state: String) -> String {
    "\(state)/\(DocumentPlace.hash(of: path))"
  }

  /// A short name for a path, the same for ever.
  static func hash(of path: String) -> String {
    Hex.encode(SHA256.hash(Array("betwixt file\0".utf8) + Array(path.utf8)).prefix(16))
  }
}
