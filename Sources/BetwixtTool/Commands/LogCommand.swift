import Betwixt
import BetwixtTrips

extension Command {
  /// Lists what was written.
  static let log = Command(
    name: "log",
    synopsis: "[--limit N] [--json] FILE",
    summary: "Lists what was written in a document, by whom and when, the newest first.",
    details: """
      A device is told by its name ('betwixt identity --name'), else by its id. A line for each time at which a device wrote. Of each field the last write is known and no \
      earlier one; a plain file says one time for each item.
      """,
    operands: [("FILE", "A trip or tasks in any format, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [.limit, .json],
    examples: ["betwixt log rome.trip", "betwixt log --limit 5 rome.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      var limit = Int.max
      if let word = arguments.value(of: .limit) {
        guard let number = Int(word), number > 0 else {
          throw session.usage("option '--limit' is a number from 1, not '\(word.printable)'")
        }
        limit = number
      }
      let log = WriteLog(try session.open(arguments.operands[0]).list())
      for group in log.groups.prefix(limit) {
        session.print(arguments.isSet(.json) ? log.json(group) : log.text(group))
      }
      return .done
    })
}

extension OptionSpec {
  fileprivate static let limit = OptionSpec(
    "limit", placeholder: "N", help: "Only the newest N lines.")
}

/// The writes that a list holds, put together by who wrote them at what time.
struct WriteLog {
  /// What one device wrote at one time.
  struct Group {
    let time: Int64
    let replica: ReplicaID
    /// The registers that were written, by item, both rising.
    var items: [(id: ItemID, registers: [Register])] = []

    fileprivate var stamp: Stamp {
      Stamp(time: Timestamp(milliseconds: time), replica: replica)
    }
  }

  private let list: ReplicatedList

  /// The newest first.
  let groups: [Group]

  // The group with the earliest writes that are known of each item.
  private let births: [ItemID: Stamp]

  // How many items and fields a line names.
  private static let itemCount = 3
  private static let fieldCount = 4

  /// - Complexity: O(*n* log *n*) for *n* writes
  init(_ list: ReplicatedList) {
    self.list = list
    var groups: [Group] = []
    var places: [Stamp: Int] = [:]
    for item in list.allItems() {
      for entry in item.entries where !WriteLog.isName(entry) {
        // Of a time that was counted on the milliseconds say when.
        let time = entry.stamp.time.milliseconds
        let key = Stamp(time: Timestamp(milliseconds: time), replica: entry.stamp.replica)
        let place = places[key] ?? groups.count
        if place == groups.count {
          places[key] = place
          groups.append(Group(time: time, replica: key.replica))
        }
        if groups[place].items.last?.id == item.id {
          groups[place].items[groups[place].items.count - 1].registers.append(entry.register)
        } else {
          groups[place].items.append((item.id, [entry.register]))
        }
      }
    }
    self.groups = groups.sorted {
      ($1.time, $1.replica.rawValue) < ($0.time, $0.replica.rawValue)
    }
    var births: [ItemID: Stamp] = [:]
    for group in self.groups {
      for item in group.items { births[item.id] = group.stamp }
    }
    self.births = births
  }

  // What a device is called is told with all that it wrote.
  private static func isName(_ entry: Entry) -> Bool {
    guard entry.item == .root, case .field(let name) = entry.register else { return false }
    return name.isDeviceName
  }

  /// A line for a person.
  func text(_ group: Group) -> String {
    let items = group.items.map { words($0.id, registers: $0.registers, in: group) }
      .shortened(to: WriteLog.itemCount)
    // Times of one width stand below each other.
    let time = group.time > 0 ? Moment(milliseconds: group.time).map { $0.wallClock + "Z" } : nil
    return
      "\(time ?? self.time(group))  \(list.writer(group.replica))  \(items.joined(separator: "; "))\n"
  }

  /// One JSON object and a line break; an item is its id, its label and its registers.
  func json(_ group: Group) -> String {
    var line = JSONLine()
    line.add("time", time(group))
    line.add("replica", group.replica.description)
    if let name = list.deviceName(of: group.replica) { line.add("name", name) }
    let items = group.items.map { item in
      JSONValue(
        .array(
          [item.id == .root ? "root" : item.id.uuid, list[id: item.id]?.summary ?? ""].map {
            JSONValue(.string($0), at: 0)
          } + [
            JSONValue(
              .array(item.registers.map { JSONValue(.string($0.words), at: 0) }), at: 0)
          ]), at: 0)
    }
    line.add("items", json: JSONValue(.array(items), at: 0))
    return line.text
  }

  private func time(_ group: Group) -> String {
    guard group.time > 0 else { return "at no time given" }
    return Moment(milliseconds: group.time)?.description ?? "far in the future"
  }

  private func words(_ id: ItemID, registers: [Register], in group: Group) -> String {
    let item = list[id: id]
    let label =
      id == .root ? "the list" : "“\((item?.summary ?? "").printable.shortened(to: 40))”"
    if registers.contains(.life), id != .root {
      if item?.isRemoved ?? false { return "removed \(label)" }
      return (item?.lifeLength ?? 1) > 1 ? "restored \(label)" : "added \(label)"
    }
    // Of an item that was removed since, the life is written later than all that it was made with.
    if let item, item.lifeLength > 1, births[id] == group.stamp { return "added \(label)" }
    let names = registers.map { $0 == .position ? "moved" : $0.words.printable }
    return "\(label): \(names.shortened(to: WriteLog.fieldCount).joined(separator: ", "))"
  }
}
