import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Shows who writes.
  static let identity = Command(
    name: "identity",
    synopsis: "[--name NAME] [--rotate] [--json] [FILE]",
    summary: "Shows who writes in a document here, or lists all that this installation knows.",
    details: """
      Each document file has a writer of its own on each machine, made with the first edit and \
      kept outside the file, in the folder that BETWIXT_STATE names or in the user's state folder \
      (XDG_STATE_HOME, ~/.local/state), with the last commits that were made here. A file that is \
      not as it was left here, such as a copy that was put back, is written under another id, and \
      under the old one again when it returns. So a file may be copied, restored and kept in git: \
      nothing is mistaken for something else when its copies meet again. If there are signs that \
      an id is used twice, the next command takes a new one and says so. With --name the edits of \
      this installation are told by that name on every device, in 'betwixt log' and after a sync.
      """,
    operands: [("FILE", "A document; its identity is made if there is none.")],
    operandCount: 0...1,
    ownOptions: [.deviceName, .rotate, .json],
    examples: [
      "betwixt identity", "betwixt identity --name 'Phone of Ann'", "betwixt identity rome.trip",
      "betwixt identity --rotate rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      guard !arguments.isSet(.rotate) || !arguments.operands.isEmpty else {
        throw session.usage("option '--rotate' needs a FILE")
      }
      try session.takeDeviceName(arguments)
      guard let name = arguments.operands.first else {
        // Who gives a name asks for no list.
        if arguments.contains(.deviceName) {
          session.reportDeviceName()
        } else {
          try session.listIdentities(arguments)
        }
        return .done
      }
      var document = try session.openDocument(name, access: .exclusive, isWriting: true)
      if arguments.isSet(.rotate) {
        try session.using(&document) { (document) throws(Document.Failure) in
          try document.takeNewWriter()
        }
      }
      if arguments.contains(.deviceName) { try session.writeDeviceName(into: &document) }
      if let record = document.record {
        let name = document.list.deviceName(of: record.replica)
        session.show(record, of: document.path, calledBy: name, arguments: arguments)
      }
      return .done
    })
}

extension Session {
  /// Keeps what this installation is to be called, if that was said.
  fileprivate mutating func takeDeviceName(_ arguments: ParsedArguments) throws(ToolFailure) {
    guard let text = arguments.value(of: .deviceName) else { return }
    guard let name = DeviceNameFile.checked(text) else {
      throw usage("option '--name' is a text of 1 to 60 characters")
    }
    guard let folder = environment.stateDirectory, let file = DeviceNameFile(environment) else {
      throw ToolFailure(.cannotCreate, "Error: no state folder: set BETWIXT_STATE to a folder")
    }
    try file.keep(name, in: folder)
  }

  fileprivate mutating func reportDeviceName() {
    guard let name = DeviceNameFile(environment)?.name else { return }
    report("this installation is called “\(name)”\n")
  }

  /// All identities in the state folder, rising by the paths of their files.
  fileprivate mutating func listIdentities(_ arguments: ParsedArguments) throws(ToolFailure) {
    guard let state = environment.stateDirectory else {
      throw ToolFailure(.noInput, "Error: no state folder: set BETWIXT_STATE to a folder")
    }
    let files = PosixFileSystem()
    reportDeviceName()
    var found: [(path: String, record: IdentityRecord)] = []
    for name in try names(in: state, files) {
      let folder = "\(state)/\(name)"
      guard let path = DocumentState.owner(of: folder, in: files) else { continue }
      let store = FileIdentityStore(
        folder, machine: FileIdentityStore.machineName(), random: SystemCall.randomBits)
      for file in (try? files.list(folder)) ?? [] {
        guard let id = ListID(String(file.prefix(32))), file.hasSuffix(".identity"),
          let record = try? store.record(of: id)
        else { continue }
        found.append((path, record))
      }
    }
    found.sort { ($0.path, $0.record.document) < ($1.path, $1.record.document) }
    for (path, record) in found { show(record, of: path, arguments: arguments) }
    if found.isEmpty { report("no identities in \(state)\n") }
  }

  private func names(
    in state: String, _ files: PosixFileSystem
  ) throws(ToolFailure) -> [String] {
    do {
      return try files.list(state)
    } catch {
      guard error.reason != .notFound else { return [] }
      throw ToolFailure(.noInput, "Error: \(state.printable): \(error.sentence)")
    }
  }

  fileprivate mutating func show(
    _ record: IdentityRecord, of path: String, calledBy name: String? = nil,
    arguments: ParsedArguments
  ) {
    guard arguments.isSet(.json) else {
      var words = "writes as \(record.replica)"
      if let name { words += ", called “\(name.printable)”" }
      let earlier = record.earlierReplicas.count
      if earlier > 0 { words += ", \(earlier) for other states of the file" }
      if !record.former.isEmpty { words += ", \(record.former.count) given up" }
      print("\(path.printable): \(words)\n")
      return
    }
    var line = JSONLine()
    line.add("file", path)
    line.add("document", record.document.description)
    line.add("replica", record.replica.description)
    if let name { line.add("name", name) }
    line.add("earlier", Int64(record.earlierReplicas.count))
    line.add("former", Int64(record.former.count))
    print(line.text)
  }
}

extension OptionSpec {
  fileprivate static let deviceName = OptionSpec(
    "name", placeholder: "NAME",
    help: "Call this installation NAME; every copy of what it edits from now on knows it.")

  fileprivate static let rotate = OptionSpec(
    "rotate", help: "Take a new id now, such as after a disk was cloned.")
}
