import BetwixtDrag
import BetwixtTrips

extension Command {
  /// Tells the engine of drags a recorded session again.
  static let replay = Command(
    name: "replay",
    synopsis: "[--json] LOG",
    summary: "Replays a recorded session of drags and prints what the engine answered.",
    details: """
      A log is a file of JSON Lines, such as 'betwixt edit --record LOG' writes. One log gives the \
      same answers wherever it is replayed, so it is all that a report of a defect needs.
      """,
    operands: [("LOG", "A recorded session, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [.json],
    examples: ["betwixt replay session.jsonl", "betwixt replay --json session.jsonl > effects"],
    action: { (arguments, session) throws(ToolFailure) in
      let path = arguments.operands[0]
      let bytes = try session.read(path) { _ in Replay.byteLimit }
      let events: [(line: Int, event: DragEvent)]
      do throws(DocumentFailure) {
        events = try DragLog.events(bytes, file: path)
      } catch {
        throw ToolFailure(error)
      }
      let isForPrograms = arguments.isSet(.json)
      var engine = DragEngine()
      for (line, event) in events {
        let effects = engine.handle(event)
        if !isForPrograms { session.print("\(line): \(DragLog.name(of: event))\n") }
        for effect in effects {
          session.print(
            isForPrograms
              ? DragLog.line(for: effect, answering: line) + "\n"
              : "  " + DragLog.summary(of: effect).printable + "\n")
        }
      }
      return .done
    })
}

private enum Replay {
  static let byteLimit = 256 << 20
}
