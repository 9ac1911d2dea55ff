import Betwixt
import BetwixtTrips

extension Command {
  /// Says why an item is as it is.
  static let explain = Command(
    name: "explain",
    synopsis: "[--json] FILE ITEM",
    summary: "Says who wrote what an item holds, and when.",
    details: "Nothing is changed. A plain file has no history: its writes are those of its import.",
    operands: [
      ("FILE", "A trip in any format, or - for standard input."),
      (
        "ITEM",
        "An item, removed or not: its title or the start of it, its row or id; 'trip' means the trip "
          + "itself."
      ),
    ],
    operandCount: 2...2,
    ownOptions: [.json],
    examples: ["betwixt explain rome.trip Lunch"],
    action: { (arguments, session) throws(ToolFailure) in
      let file = try session.open(arguments.operands[0])
      let list = file.list()
      let finder = ItemFinder(list, in: file.name, takesStarts: true)
      let id = try finder.findAny(arguments.operands[1])
      guard let explanation = list.explain(id) else {
        throw ToolFailure(.negative, "Error: nothing was ever written about the trip itself")
      }
      let text = ExplanationText(explanation, in: list)
      session.print(arguments.isSet(.json) ? text.jsonLines : text.text)
      return .done
    })
}
