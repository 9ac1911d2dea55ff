import Betwixt
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Serves a folder of documents to one peer.
  static let serve = Command(
    name: "serve",
    synopsis: "--stdio [--create] DIR",
    summary: "Syncs the documents of a folder with one peer.",
    details: """
      The peer says which document it means: DIR/ID.trip, where ID is the document's id in 32 \
      hexadecimal digits. It is for the other end of ssh, for socat (EXEC:'betwixt serve --stdio \
      DIR'), or for a socket of systemd: \
      each connection has a process of its own, and any number of them may work on DIR at the same \
      time. A device that has no copy yet begins with 'betwixt new --id ID FILE'. Whoever can start \
      it can read and write every document of DIR.
      """,
    operands: [("DIR", "A folder with documents.")],
    operandCount: 1...1,
    ownOptions: [.stdio, .make, .acceptClock],
    examples: [
      "betwixt sync --exec 'ssh host betwixt serve --stdio --create trips' rome.trip",
      "betwixt serve --stdio trips",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      guard arguments.isSet(.stdio) else {
        throw session.usage("option '--stdio' is missing: it is the only way to serve")
      }
      let folder = arguments.operands[0]
      guard SystemCall.isFolder(folder) else {
        throw ToolFailure(.noInput, "Error: there is no folder \(folder)")
      }
      var host = NamedDocument(isMade: arguments.isSet(.make), settings: session.serverSettings) {
        "\(folder)/\($0).trip"
      }
      let admission = session.admission(arguments)
      let result = Result { () throws(ToolFailure) in
        try session.talk(&host, list: nil, by: nil, running: nil, admission: admission).traffic()
      }
      // What had been merged is told, however it ended.
      for message in host.messages { session.warn(message) }
      for line in host.losses.lossLines { session.report("\(line.printable)\n") }
      if let list = host.list { session.show(host.notTaken, in: list, arguments: arguments) }
      _ = try result.get()
      return host.notTaken.isEmpty ? .done : .negative
    })
}

extension OptionSpec {
  fileprivate static let make = OptionSpec(
    "create", help: "Make a document that DIR does not have; without it the peer is refused.")
}
