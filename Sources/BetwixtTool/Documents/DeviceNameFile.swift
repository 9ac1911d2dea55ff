import Betwixt
import BetwixtFiles
import BetwixtTrips

/// What this installation is called, for people who read who wrote what.
struct DeviceNameFile {
  private static let longestName = 60
  // One character may be any number of marks.
  private static let byteLimit = 4_096
  private let path: String

  /// Names the file; `nil` if there is no folder for it.
  init?(_ environment: Environment) {
    guard let folder = environment.stateDirectory else { return nil }
    path = "\(folder)/name"
  }

  /// The name; `nil` if nobody chose one.
  var name: String? {
    guard let bytes = try? InputFile.read(path, limit: { _ in DeviceNameFile.byteLimit }),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    return DeviceNameFile.checked(text)
  }

  /// Keeps a name.
  func keep(_ name: String, in folder: String) throws(ToolFailure) {
    do {
      try PosixFileSystem().makeDirectories(folder, for: .owner)
    } catch {
      throw ToolFailure(
        .cannotCreate,
        "Error: cannot make \(folder.printable): \(error.sentence); BETWIXT_STATE names another")
    }
    do { try OutputFile(path).write(Array(name.utf8)) } catch { throw ToolFailure(error) }
  }

  /// A name without the white space around it; `nil` if nothing is left, or far too much.
  static func checked(_ text: String) -> String? {
    let start = text.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    let name = String(start[...last]).printable
    return name.count <= longestName && name.utf8.count <= byteLimit ? name : nil
  }
}

extension Session {
  /// Writes into a document what the device is called, unless it says so already.
  ///
  /// That is no step: taking back an edit does not take back who made it. Without a name for this
  /// installation nothing is written.
  mutating func writeDeviceName(into document: inout Document) throws(ToolFailure) {
    guard let name = DeviceNameFile(environment)?.name, let writer = document.writer,
      document.list.deviceName(of: writer) != name, let field = FieldName(deviceOf: writer)
    else { return }
    do throws(Document.EditFailed<EditFailure>) {
      try document.edit { (list, me) throws(EditFailure) in
        try list.set([(field, .string(name))], of: .root, by: &me)
      }
    } catch {
      switch error {
      case .refused(let failure):
        throw ToolFailure(failure, of: document.name)
      case .failed(let failure): throw ToolFailure(failure)
      }
    }
  }
}

extension ReplicatedList {
  /// Who writes under an id: what the device is called, else the id.
  func writer(_ replica: ReplicaID) -> String {
    deviceName(of: replica).map { $0.printable.shortened(to: 60) } ?? replica.description
  }
}
