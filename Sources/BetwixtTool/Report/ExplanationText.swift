import Betwixt
import BetwixtTrips

/// Says where an item stands and which write won each of its registers.
struct ExplanationText {
  private let explanation: Explanation
  private let list: ReplicatedList

  init(_ explanation: Explanation, in list: ReplicatedList) {
    self.explanation = explanation
    self.list = list
  }

  /// For a person: the item, then a line for each register.
  var text: String {
    var text = "“\(label.printable)”, id \(explanation.id.uuid), \(state)\n"
    for entry in explanation.entries {
      let value = "\(entry.register.words): \(words(entry.value))".printable
      let number = entry.sequence
      text +=
        "  \(value)  written \(time(entry)) by \(list.writer(entry.stamp.replica)), its "
        + "number \(number)\n"
    }
    return text
  }

  /// For a program: one object for each register.
  var jsonLines: String {
    var text = ""
    for entry in explanation.entries {
      var line = JSONLine()
      line.add("id", explanation.id == .root ? "root" : explanation.id.uuid)
      line.add("register", entry.register.words)
      line.add("value", json: entry.value.json)
      line.add("time", time(entry))
      line.add("counter", Int64(entry.stamp.time.counter))
      line.add("replica", entry.stamp.replica.description)
      line.add("sequence", entry.sequence)
      text += line.text
    }
    return text
  }

  private var label: String { list[id: explanation.id]?.summary ?? "" }

  private var state: String {
    if let row = RowNumbers(list)[explanation.id] { return "shown as \(row)" }
    if explanation.index != nil { return "shown" }
    if explanation.id == .root { return "the list itself" }
    if explanation.isForgotten { return "removed, and what it held is forgotten" }
    return explanation.isRemoved ? "removed" : "not shown: some of it has not arrived"
  }

  /// What a register holds: texts in quotes, places as a day or a date with a number.
  private func words(_ value: RegisterValue) -> String {
    switch value {
    case .life(let length): return length % 2 == 1 ? "present" : "removed"
    case .position(let section, let key):
      let number = "sortOrder \(NumberLayout.json(key.approximateSortOrder))"
      switch PlainDialect(of: list) {
      case .trip: return "day \(section), \(number)"
      case .tasks: return "\(CivilDate(dayNumber: section)?.description ?? "inbox"), \(number)"
      }
    case .field(nil): return "nothing"
    case .field, .other: return value.json.canonicalText
    }
  }

  private func time(_ entry: Entry) -> String {
    Moment(milliseconds: entry.stamp.time.milliseconds)?.description ?? "at an unknown time"
  }
}
