import Betwixt
import BetwixtFiles
import BetwixtSync

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
  var exists: Bool { kind != nil }

  /// What stands there; `nil` if nothing does.
  var kind: SystemCall.Status.Kind? { DocumentPlace.kind(of: path) }

  private static func kind(of path: String) -> SystemCall.Status.Kind? {
    ((try? SystemCall.status(of: path)) ?? nil)?.kind
  }

  /// Makes sure that there is a regular file, without opening it: that of a pipe or a device may
  /// wait for ever.
  func checkIsFile() throws(ToolFailure) {
    switch kind {
    case .regular: return
    case .directory:
      throw ToolFailure(
        FileFailure(.unreadable, name, SystemError(number: SystemCall.isDirectory)))
    case .other:
      throw ToolFailure(FileFailure(.unreadable, name, "it is no regular file"))
    case nil:
      throw missing
    }
  }

  private var missing: ToolFailure {
    let older = path + ".previous"
    guard DocumentPlace.kind(of: older) == .regular else {
      return ToolFailure(name, DocumentFileFailure.notFound)
    }
    return ToolFailure(
      .noInput,
      """
      Error: cannot read \(name.printable): there is no such file; an older generation is beside \
      it: 'betwixt doctor -o FILE \(name.printable).previous' makes a document of that
      """)
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
