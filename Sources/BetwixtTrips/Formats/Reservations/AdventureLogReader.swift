import Betwixt

/// Reads the `data.json` of an AdventureLog backup: visits, journeys, lodging and notes that have
/// a date.
///
/// Shapes learned from `BackupViewSet.export` of the repository seanmorley15/AdventureLog.
struct AdventureLogReader {
  private var file = ForeignFile(.adventureLog, in: .trip)
  private let lines: LineIndex
  private var undated = 0
  private var known: Set<ItemID> = []
  private var rules = KnownZoneRules()

  static func read(_ value: JSONValue, bytes: [UInt8]) -> ForeignFile {
    var reader = AdventureLogReader(lines: LineIndex(bytes))
    reader.take(value)
    return reader.file
  }

  private init(lines: LineIndex) { self.lines = lines }

  private mutating func take(_ value: JSONValue) {
    let collections = value["collections"]?.elements ?? []
    file.name = collections.count == 1 ? collections[0].text("name") : "AdventureLog"
    if collections.count == 1 {
      file.startDate = collections[0].text("start_date").flatMap { ISOTime($0)?.date }
    }
    for location in value["locations"]?.elements ?? [] { take(location: location) }
    for journey in value["transportation"]?.elements ?? [] {
      add("transportation", journey, start: "date", end: "end_date", zone: "start_timezone") {
        item in
        item.set(.kind, "travel")
        item.set(.mode, journey.text("type"))
        item.set(.from, journey.text("from_location"))
        item.set(.to, journey.text("to_location"))
        item.setPoint(
          journey.decimal("origin_latitude"), longitude: journey.decimal("origin_longitude"))
      }
    }
    for lodging in value["lodging"]?.elements ?? [] {
      add("lodging", lodging, start: "check_in", end: "check_out", zone: "timezone") { item in
        item.set(.address, lodging.text("location"))
        item.set("reservationNumber", lodging.text("reservation_number"))
        item.setPoint(lodging.decimal("latitude"), longitude: lodging.decimal("longitude"))
      }
    }
    for note in value["notes"]?.elements ?? [] {
      add("note", note, start: "date", end: "date", zone: "timezone") { item in
        item.set(.note, note.text("content"))
      }
    }
    for list in value["checklists"]?.elements ?? [] {
      add("checklist", list, start: "date", end: "date", zone: "timezone") { item in
        let lines = (list["items"]?.elements ?? []).map { entry in
          var isDone = false
          if case .bool(true)? = entry["is_checked"]?.content { isDone = true }
          return (isDone ? "[x] " : "[ ] ") + (entry.text("name") ?? "")
        }
        item.set(.note, lines.joined(separator: "\n"))
      }
    }
    noteTheRest(of: value)
  }

  private mutating func take(location: JSONValue) {
    let visits = location["visits"]?.elements ?? []
    if visits.isEmpty { undated += 1 }
    for visit in visits {
      add("visit", visit, start: "start_date", end: "end_date", zone: "timezone", of: location) {
        item in
        item.set(.title, location.text("name"))
        item.set(.address, location.text("location"))
        item.set(.note, visit.text("notes") ?? location.text("description"))
        item.setPoint(location.decimal("latitude"), longitude: location.decimal("longitude"))
      }
    }
  }

  private mutating func add(
    _ what: String, _ value: JSONValue, start: String, end: String, zone: String,
    of owner: JSONValue? = nil, _ fill: (inout ForeignItem) -> Void
  ) {
    guard let written = value.text(start).flatMap({ ISOTime($0) }) else {
      undated += 1
      // A date that cannot be read is a part of what the entry was known by.
      if value.text(start) != nil { file.hasUnknownSkips = true }
      return
    }
    let time = written.shown(by: value.text(zone).flatMap { rules.rule(of: $0) })
    let line = lines.line(of: value.offset)
    let name = (owner ?? value).text("name") ?? ""
    let numbers = [owner, value].compactMap { $0?["export_id"]?.integer }.map { String($0) }
    let id = ([what, name, value.text(start) ?? ""] + numbers).joined(separator: "\u{0}")
    var item = ForeignItem("adventurelog", id: id, line: line)
    guard known.insert(item.id).inserted else {
      file.notes.append((line, "skipped: it stands in the file twice"))
      return
    }
    item.set(.kind, "custom")
    item.set(.title, name)
    item.set(.note, value.text("description"))
    // A day without a time is written as its midnight in UTC.
    let isWholeDay = (written.clock?.minuteOfDay ?? 0) == 0 && (written.utcOffset ?? 0) == 0
    item.date = isWholeDay ? written.date : time.date
    if !isWholeDay { item.set(.time, time.clock?.description) }
    item.number = isWholeDay ? -1 : Double(100 + (time.clock?.minuteOfDay ?? 0))
    if !isWholeDay, let last = value.text(end).flatMap({ ISOTime($0) }),
      let minutes = ISOTime.minutes(from: written, to: last)
    {
      item.fields[.duration] = .some(.int64(minutes))
    }
    fill(&item)
    item.set("json:adventurelog", (owner?.visited(by: value) ?? value).canonicalText)
    file.items.append(item)
  }

  private mutating func noteTheRest(of value: JSONValue) {
    var parts: [String] = []
    if undated > 0 { parts.append("\(undated) × entry without a date") }
    for (name, words) in [
      ("visited_cities", "visited city"), ("visited_regions", "visited region"),
    ] {
      if let count = value[name]?.elements?.count, count > 0 { parts.append("\(count) × \(words)") }
    }
    if let collections = value["collections"]?.elements, collections.count > 1 {
      parts.append("the division into \(collections.count) collections")
    }
    if !parts.isEmpty { file.notes.append((1, "not taken: " + parts.joined(separator: ", "))) }
  }
}

extension JSONValue {
  /// A location with one of its visits, which is kept with that visit: with all of them the file would
  /// be kept as often as it has visits.
  fileprivate func visited(by visit: JSONValue) -> JSONValue {
    guard case .object(let members) = content else { return self }
    let changed = members.map { member in
      guard member.name.hasSameBytes(as: "visits") else { return member }
      return JSONMember(
        name: member.name, nameOffset: member.nameOffset,
        value: JSONValue(.array([visit]), at: member.value.offset))
    }
    return JSONValue(.object(changed), at: offset)
  }
}
