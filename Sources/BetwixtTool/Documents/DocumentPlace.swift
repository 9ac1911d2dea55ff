import Betwixt
import BetwixtFiles

/// Where a document file lies.
struct DocumentPlace {
  /// The path as the user named it, for messages.
  let name: String

  /// The path without symbolic links, so that a file has one lock and one identity whatever it is
  /// called.
  let path: String

  /// Finds a place; there may be no file yet, but there must be the folder.
  init(_ name: String) throws(ToolFailure) {
    self.name = name
    guard !name.isEmpty else {
      throw ToolFailure(FileFailure(.unreadable, at: name, because: "the name is empty"))
    }
    do {
      path = try PosixFileSystem().realPath(of: name)
    } catch {
      if error.reason == .notFound { throw DocumentPlace.missingFolder(of: name) }
      throw ToolFailure(
        FileFailure(.unreadable, at: name, error: SystemError(number: error.number)))
    }
  }

  private static func missingFolder(of name: String) -> ToolFailure {
    let folder = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return ToolFailure(
      .noInput,
      folder.isEmpty
        ? "Error: \(name.printable): the folder that this works in is gone"
        : "Error: \(name.printable): there is no folder \(folder.joined(separator: "/").printable)")
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
        FileFailure(.unreadable, at: name, error: SystemError(number: SystemCall.isDirectory)))
    case .other:
      throw ToolFailure(FileFailure(.unreadable, at: name, because: "it is no regular file"))
    case nil:
      throw missing
    }
  }

  private var missing: ToolFailure {
    let older = path + ".previous"
    guard DocumentPlace.kind(of: older) == .regular else {
      return ToolFailure(name, because: DocumentFileFailure.notFound)
    }
    return ToolFailure(
      .noInput,
      """
      Error: cannot read \(name.printable): there is no such file; an older generation is beside \
      it: 'betwixt doctor -o FILE \("\(name).previous".shellPath)' makes a document of that
      """)
  }
}
