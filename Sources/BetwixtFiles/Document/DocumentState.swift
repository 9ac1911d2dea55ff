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
  private let random: @Sendable () -> UInt64

  var fileSystem: any FileSystem { drive.value }

  private static let ownerName = "path"
  static let stepsName = "undo"
  private static let stepsLimit = 64 << 20

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

  // MARK: Steps

  private var stepsPath: String { Path.joining(folder, DocumentState.stepsName) }

  /// Which file holds the steps; `nil` if there is none.
  var stepsStatus: FileStatus? { (try? fileSystem.status(at: stepsPath)) ?? nil }

  /// The steps that were kept of a document, and why there are none if they cannot be read.
  func steps(of document: ListID) -> (UndoHistory, failure: String?) {
    do throws(FileSystemError) {
      let bytes = try fileSystem.contents(of: stepsPath, limit: DocumentState.stepsLimit)
      do throws(DecodeFailure) {
        return (try UndoHistory(decoding: bytes, for: document), nil)
      } catch {
        // Another document took the place of this one, which had steps of its own.
        return (UndoHistory(), error.reason == .otherList ? nil : "\(error)")
      }
    } catch {
      return (UndoHistory(), error.reason == .notFound ? nil : "\(error)")
    }
  }

  /// Keeps the steps, once what they did is in the document; where that fails, none are kept.
  ///
  /// Steps are no writes: without the last one less can be taken back. So the drive is waited for
  /// only where each commit waits, and only until it has the bytes: a power cut leaves the new file or
  /// the one before.
  ///
  /// - Parameters:
  ///   - steps: All of them.
  ///   - document: What they were made in.
  ///   - level: When a commit of the document returns.
  /// - Returns: Why that failed; `nil` if it did not.
  func keep(
    _ steps: UndoHistory, of document: ListID, _ level: DocumentFile.SyncLevel
  ) -> String? {
    do {
      try put(DocumentState.stepsName, try steps.encoded(for: document), isSynced: level == .full)
      return nil
    } catch {
      // Whoever takes back the last step must not get the one before.
      try? fileSystem.unlinkIfPresent(stepsPath)
      return (error as? FileSystemError).map { "\($0.at(folder))" } ?? "\(error)"
    }
  }

  /// Replaces a file, whose new name need not be on the drive when this returns.
  private func put(
    _ name: String, _ bytes: [UInt8], isSynced: Bool
  ) throws(FileSystemError) {
    let target = Path.joining(folder, name)
    let temporary = "\(target).tmp-\(Hex.encode(random()))"
    let file: OpenFile
    do {
      file = try fileSystem.open(temporary, mode: .creatingPrivately)
    } catch {
      guard error.reason == .notFound else { throw error }
      try fileSystem.makeDirectories(folder, for: .owner)
      file = try fileSystem.open(temporary, mode: .creatingPrivately)
    }
    defer { fileSystem.close(file) }
    do throws(FileSystemError) {
      try fileSystem.appendAll(file, bytes: bytes)
      if isSynced { try fileSystem.sync(file) }
      try fileSystem.rename(temporary, to: target)
    } catch {
      try? fileSystem.unlink(temporary)
      throw error
    }
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
