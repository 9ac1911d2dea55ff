import Betwixt
import BetwixtFiles

/// The document of a second device, in a folder of its own that is thrown away.
///
/// It writes under an id of its own, and nothing of it is where documents or the identities of this
/// installation are.
struct BesideCopy: Sendable {
  /// The folder, which only this user may look into.
  let folder: String

  /// The document in it.
  let path: String

  /// Makes the folder.
  init(_ session: Session) throws(ToolFailure) {
    let parent = session.environment.temporaryFolder
    folder = "\(parent)/betwixt-beside-\(String(SystemCall.randomBits(), radix: 16))"
    path = "\(folder)/second.trip"
    do {
      try SystemCall.makeFolder(folder, permissions: 0o700)
    } catch {
      throw ToolFailure(
        .cannotCreate,
        """
        Error: cannot make a folder for the second device in \(parent.printable): \
        \(error.reason); TMPDIR names another place
        """)
    }
  }

  /// Makes a document that holds what a list does.
  func makeDocument(
    of list: ReplicatedList, in session: inout Session
  ) throws(ToolFailure) -> Document {
    var settings = session.documentSettings(.shared)
    settings.stateDirectory = "\(folder)/state"
    var document: Document
    do {
      document = try Document.create(at: path, settings: settings, startingWith: list)
    } catch {
      throw ToolFailure(error)
    }
    try session.makeWriter(of: &document)
    return document
  }

  /// Takes the folder away with all that is in it.
  func remove() { BesideCopy.remove(folder) }

  private static func remove(_ path: String) {
    for name in (try? PosixFileSystem().list(path)) ?? [] {
      let inner = "\(path)/\(name)"
      if SystemCall.isFolder(inner) { remove(inner) } else { try? SystemCall.removeFile(inner) }
    }
    try? SystemCall.removeFolder(path)
  }
}
