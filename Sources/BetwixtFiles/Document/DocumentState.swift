package import Betwixt
import BetwixtSync

/// What an installation keeps of one document file: in a folder of its own, outside the file.
///
/// The folder is named after the path, because copies of a document that lie beside each other are
/// edited apart: each must have a writer of its own. A document that was moved is recognised by its
/// file: see ``takeOver(_:in:holding:settings:)``.
package struct DocumentState: Sendable {
  /// The folder.
  package let folder: String

  let directory: String
  let path: String
  private let drive: Indirect<any FileSystem>
  let random: @Sendable () -> UInt64

  var fileSystem: any FileSystem { drive.value }

  private static let ownerName = "path"

  /// Names the folder for a file; `nil` if there is no place for it.
  package init?(of path: String, settings: Document.Settings) {
    guard let directory = settings.stateDirectory else { return nil }
    self.path = path
    self.directory = directory
    folder = Path.joining(directory, DocumentState.name(of: path))
    drive = Indirect(settings.fileSystem)
    random = settings.random
  }

  /// The same of a file at another path, kept in a folder that there is already.
  init(at path: String, keptIn folder: String, like other: DocumentState) {
    self.path = path
    self.folder = folder
    (directory, drive, random) = (other.directory, other.drive, other.random)
  }

  /// Whether a name is like those that ``name(of:)`` makes.
  static func isName(_ name: String) -> Bool { Hex.decode(name.utf8)?.count == 16 }

  /// A short name for a path, the same for ever.
  package static func name(of path: String) -> String {
    Hex.encode(SHA256.hash(Array("betwixt file\0".utf8) + Array(path.utf8)).prefix(16))
  }

  /// Where the identity is kept.
  package func identityStore(_ settings: Document.Settings) -> FileIdentityStore {
    FileIdentityStore(
      folder, machine: settings.machine, fileSystem: fileSystem, random: random)
  }

  /// Where it is kept how far shared folders were written.
  package func headFile(of document: ListID) -> FolderHeadFile {
    FolderHeadFile(in: folder, of: document, fileSystem: fileSystem, random: random)
  }

  // MARK: Whose folder it is

  /// Keeps the path beside the identity, for lists of all identities.
  func noteOwner() throws(IdentityStoreFailure) {
    do {
      try replace(DocumentState.ownerName, by: Array(path.utf8))
    } catch {
      throw IdentityStoreFailure(error)
    }
  }

  /// The path that a folder of a state directory is about; `nil` if it says none.
  package static func owner(of folder: String, in fileSystem: any FileSystem) -> String? {
    let bytes = try? fileSystem.contents(of: Path.joining(folder, ownerName), limit: 1 << 16)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Devices

  /// The devices that were met over a document; a file that cannot be read is like none, because the
  /// devices make themselves known again.
  func roster(of document: ListID) -> DeviceRoster {
    let bytes = try? fileSystem.contents(
      of: Path.joining(folder, DocumentState.rosterName(document)), limit: DeviceRoster.sizeLimit)
    return bytes.flatMap { try? DeviceRoster($0) } ?? DeviceRoster()
  }

  /// Keeps the devices; where that fails they make themselves known again.
  func keep(_ roster: DeviceRoster, of document: ListID) {
    try? replace(DocumentState.rosterName(document), by: roster.bytes)
  }

  static func rosterName(_ document: ListID) -> String { "\(document).devices" }

  private func replace(_ name: String, by bytes: [UInt8]) throws(FileSystemError) {
    try fileSystem.makeDirectories(folder, for: .owner)
    let target = Path.joining(folder, name)
    try fileSystem.replace(
      target, with: bytes, temporary: "\(target).tmp-\(Hex.encode(random()))")
  }
}
