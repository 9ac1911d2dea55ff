import Betwixt

/// Reads a trip of TREK, the travel planner, as its interface hands it out: the trip, its days
/// with the places assigned to them, and the reservations.
///
/// Shapes learned from `server/src/types.ts` of the repository mauriceboe/TREK.
struct TrekReader {
  private var file = ForeignFile(.trek, in: .trip)
  private let lines: LineIndex
  // What tells the trip from others, whose days and places have the same numbers: a title may change.
  private var owner = ""
  private var days: [Int64: Int64] = [:]
  // The dates of days that have one of their own.
  private var dates: [Int64: CivilDate] = [:]
  private var assigned: Set<Int64> = []
  // How many entries have each name: one place may be visited twice.
  private var nameCounts: [String: Int] = [:]

  static func read(_ value: JSONValue, bytes: [UInt8]) -> ForeignFile {
    var reader = TrekReader(lines: LineIndex(bytes))
    reader.take(value)
    return reader.file
  }

  private init(lines: LineIndex) { self.lines = lines }

  private mutating func take(_ value: JSONValue) {
    let trip = value["trip"] ?? value
    file.name = trip.text("title") ?? trip.text("name")
    owner =
      TrekReader.id(of: trip).map { "\u{0}\($0)\u{0}\(trip.text("created_at") ?? "")" }
      ?? file.name ?? ""
    file.startDate = trip.text("start_date").flatMap { ISOTime($0)?.date }
    if let note = trip.text("description") { file.rootFields.append((.note, .string(note))) }
    let days = value["days"]?.elements ?? trip["days"]?.elements ?? []
    for (index, day) in days.enumerated() { take(dateOf: day, at: index) }
    for (index, day) in days.enumerated() { take(day: day, at: index) }
    for reservation in value["reservations"]?.elements ?? [] { take(reservation: reservation) }
    noteTheRest(of: value)
  }

  private static func number(of day: JSONValue, at index: Int) -> Int64 {
    day["day_number"]?.integer ?? Int64(index + 1)
  }

  private mutating func take(dateOf day: JSONValue, at index: Int) {
    guard let date = day.text("date").flatMap({ ISOTime($0)?.date }) else { return }
    let number = TrekReader.number(of: day, at: index)
    dates[number] = date
    if file.startDate == nil { file.startDate = date.firstDay(ifItIs: number) }
  }

  /// The date of a day; `nil` in a trip without dates.
  private func date(ofDay number: Int64) -> CivilDate? {
    dates[number] ?? (number > 0 ? file.startDate.flatMap { $0 + (number - 1) } : nil)
  }

  private mutating func take(day: JSONValue, at index: Int) {
    let number = TrekReader.number(of: day, at: index)
    if let id = day["id"]?.integer { days[id] = number }
    let last = file.startDate.flatMap { start in date(ofDay: number).map { $0 - start + 1 } }
    file.dayCount = Swift.max(file.dayCount ?? 1, last ?? number)
    var order = 0.0
    for assignment in day["assignments"]?.elements ?? day["places"]?.elements ?? [] {
      order += 1
      let place = assignment["place"] ?? assignment
      if let id = place["id"]?.integer ?? assignment["place_id"]?.integer { assigned.insert(id) }
      var item = self.item(
        "place", value: assignment, id: visitID(assignment, of: place, on: number), on: number,
        at: order)
      item.set(.title, place.text("name") ?? place.text("place_name"))
      item.set(.address, place.text("address"))
      item.set(.note, assignment.text("notes") ?? place.text("notes") ?? place.text("description"))
      item.setPoint(place.decimal("lat"), longitude: place.decimal("lng"))
      takeTime(assignment.text("assignment_time") ?? place.text("place_time"), of: &item)
      if let minutes = place["duration_minutes"]?.integer, minutes > 0 {
        item.fields[.duration] = .some(.int64(minutes))
      }
      file.items.append(item)
    }
    for note in day["notes_items"]?.elements ?? day["day_notes"]?.elements ?? [] {
      order += 1
      var item = self.item("note", value: note, on: number, at: order)
      item.set(.title, note.text("text"))
      takeTime(note.text("time"), of: &item)
      file.items.append(item)
    }
  }

  /// Who the visit of a place is: its own id, else that of the place with its day, as a place may be
  /// visited on several.
  private func visitID(_ visit: JSONValue, of place: JSONValue, on day: Int64) -> String? {
    let reference = visit["place_id"]
    let isPlace = visit["place"] == nil && reference == nil
    if !isPlace, let id = TrekReader.id(of: visit) { return id }
    let id = TrekReader.id(of: place) ?? reference?.integer.map { String($0) }
    return id.map { "\($0)\u{0}day \(day)" }
  }

  private mutating func take(reservation value: JSONValue) {
    let start = value.text("reservation_time").flatMap { ISOTime($0) }
    let day = start == nil ? value["day_id"]?.integer.flatMap { days[$0] } : nil
    guard start != nil || day != nil else {
      file.skippedIDs.insert(item("reservation", value: value, on: nil, at: 0).id)
      if TrekReader.id(of: value) == nil { file.hasUnknownSkips = true }
      file.notes.append(
        (lines.line(of: value.offset), "skipped: the reservation has neither a time nor a day"))
      return
    }
    var item = self.item(
      "reservation", value: value, on: day,
      at: start?.clock.map { Double(100 + $0.minuteOfDay) } ?? -1)
    if let start { item.date = start.date }
    item.set(.title, value.text("title"))
    item.set(.address, value.text("location"))
    item.set(.note, value.text("notes"))
    item.set("reservationNumber", value.text("confirmation_number"))
    item.set(.time, start?.clock?.description)
    if let start, let end = value.text("reservation_end_time").flatMap({ ISOTime($0) }),
      let minutes = ISOTime.minutes(from: start, to: end)
    {
      item.fields[.duration] = .some(.int64(minutes))
    }
    let ends = value["endpoints"]?.elements ?? []
    let from = ends.first { $0.text("role") == "from" }
    if let from, let to = ends.first(where: { $0.text("role") == "to" }) {
      item.set(.kind, "travel")
      item.set(.mode, value.text("type"))
      item.set(.from, from.text("name"))
      item.set(.to, to.text("name"))
      item.setPoint(from.decimal("lat"), longitude: from.decimal("lng"))
    }
    file.items.append(item)
  }

  private static func id(of value: JSONValue) -> String? {
    value["id"]?.integer.map { String($0) } ?? value.text("id")
  }

  private mutating func item(
    _ what: String, value: JSONValue, id: String? = nil, on day: Int64?, at number: Double
  ) -> ForeignItem {
    let line = lines.line(of: value.offset)
    let id = id ?? TrekReader.id(of: value) ?? "day \(day ?? 0)"
    let name = "\(what)\u{0}\(id)"
    let count = nameCounts[name] ?? 0
    nameCounts[name] = count + 1
    let own = count == 0 ? name : "\(name)\u{0}\(count)"
    var item = ForeignItem("trek", id: "\(owner)\u{0}\(own)", line: line)
    // A day is its date, whatever a list counts from.
    item.date = day.flatMap { date(ofDay: $0) }
    item.day = item.date == nil ? day : nil
    item.number = number
    item.set(.kind, "custom")
    item.set("json:trek", value.canonicalText)
    return item
  }

  private func takeTime(_ text: String?, of item: inout ForeignItem) {
    guard let text else { return }
    item.set(.time, (ClockTime(droppingSecondsOf: text) ?? ISOTime(text)?.clock)?.description)
  }

  // What has no day has no place in a trip.
  private mutating func noteTheRest(of value: JSONValue) {
    var parts: [String] = []
    let places = value["places"]?.elements ?? []
    let left = places.count { place in
      place["id"]?.integer.map { !assigned.contains($0) } ?? true
    }
    if left > 0 { parts.append("\(left) × place without a day") }
    for (name, words) in [
      ("accommodations", "accommodation"), ("packingItems", "thing to pack"),
      ("packing", "thing to pack"), ("todoItems", "task"), ("budgetItems", "cost"),
      ("budget", "cost"), ("files", "file"), ("members", "member"),
      ("collabNotes", "note"),
    ] {
      if let count = value[name]?.elements?.count, count > 0 { parts.append("\(count) × \(words)") }
    }
    if !parts.isEmpty { file.notes.append((1, "not taken: " + parts.joined(separator: ", "))) }
  }
}
