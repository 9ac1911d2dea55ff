import Betwixt

/// The zones that a trip knows by their names.
struct KnownZones: Sendable {
  private var texts: [FieldName: String] = [:]

  /// - Parameter list: A trip; `nil` knows none.
  init(of list: ReplicatedList?) {
    for entry in list?[id: .root]?.entries ?? [] {
      guard case .field(let name) = entry.register, KeptProperty.role(of: name) == .zone,
        case .field(let value) = entry.value
      else { continue }
      texts[name] = value?.string
    }
  }

  /// The zones of some calendars that are joined, beside those of a trip: of several by one name the
  /// least one that a calendar writes, so that the order of the calendars does not matter.
  ///
  /// - Parameters:
  ///   - list: What the calendars are joined with.
  ///   - zones: Those of each calendar.
  init(of list: ReplicatedList, and zones: [CalendarZones]) {
    self.init(of: list)
    var others: [FieldName: String] = [:]
    for (name, value) in zones.flatMap({ $0.fields }) {
      guard let text = value.string, texts[name] == nil else { continue }
      guard let other = others[name] else {
        others[name] = text
        continue
      }
      if text.precedesInBytes(other) { others[name] = text }
    }
    // A loop: merging dictionaries casts, which Embedded Swift cannot do. None of them is known yet.
    for (name, text) in others { texts[name] = text }
  }

  /// The field that keeps a zone; `nil` for a name that is too long for one.
  static func field(_ zone: String) -> FieldName? { FieldName("ics:VTIMEZONE#" + zone) }

  /// How a zone is defined here; `nil` if it is not known.
  func text(of zone: String) -> String? { KnownZones.field(zone).flatMap { texts[$0] } }

  /// How the zone that a field keeps is defined here; `nil` if it is not known.
  func text(of zone: FieldName) -> String? { texts[zone] }

  /// Whether a zone is defined here in other words.
  func isOther(_ block: CalendarZones.Block) -> Bool {
    text(of: block.name).map { !$0.hasSameBytes(as: block.text) } ?? false
  }
}

/// Other names for zones of a calendar whose names mean other clocks in the trip that takes it in.
///
/// A name counts in one calendar only: programs call a zone that somebody made by hand the same
/// everywhere. The new name is made from what the zone is, so that each device finds the same one.
struct ZoneNames: Sendable {
  private var names: [FieldName: String] = [:]

  /// The new names of zones that the calendar has, by the names that it gives them.
  private(set) var all: [(old: String, new: String)] = []

  /// - Parameters:
  ///   - file: The calendar.
  ///   - known: The zones of the trip.
  init(of file: CalendarFile, in known: KnownZones) {
    self.init(of: file.zones, in: known) { file.wallClocks(in: $0) }
  }

  /// - Parameters:
  ///   - zones: The zones of the calendar.
  ///   - known: The zones of the list.
  ///   - wallClocks: Those of some zones that the calendar speaks of, in minutes since 1970.
  init(
    of zones: CalendarZones, in known: KnownZones,
    wallClocks: (Set<FieldName>) -> [FieldName: [Int64]]
  ) {
    var others = zones.blocks.filter { known.isOther($0) }
    guard !others.isEmpty else { return }
    let times = wallClocks(Set(others.compactMap { KnownZones.field($0.name) }))
    others.removeAll { block in
      guard let field = KnownZones.field(block.name), let text = known.text(of: block.name) else {
        return true
      }
      return zones.agrees(on: block.name, with: text, at: times[field] ?? [])
    }
    guard !others.isEmpty else { return }
    var own: [FieldName: String] = [:]
    for block in zones.blocks {
      if let field = KnownZones.field(block.name), own[field] == nil { own[field] = block.text }
    }
    for block in others {
      guard let field = KnownZones.field(block.name), names[field] == nil,
        let name = ZoneNames.freeName(for: block, in: known, besides: own)
      else { continue }
      names[field] = name
      all.append((block.name, name))
    }
  }

  /// A name of a zone that means nothing else, neither in the list nor in the calendar; `nil` for one
  /// that is too long for a name.
  private static func freeName(
    for block: CalendarZones.Block, in known: KnownZones, besides own: [FieldName: String]
  ) -> String? {
    let stem = withoutMark(block.name)
    var hash = SHA256.hash(Array(block.text.utf8))
    // Few names are taken, so one of the next is free.
    while true {
      let name = "\(stem) \(Hex.encode(Array(hash[..<markByteCount])))"
      guard let field = KnownZones.field(name) else { return nil }
      let text = block.named(name).text
      let texts = [known.text(of: field), own[field]].compactMap { $0 }
      if texts.allSatisfy({ $0.hasSameBytes(as: text) }) { return name }
      hash = SHA256.hash(Array(hash))
    }
  }

  // How many bytes of what a zone is stand behind its name.
  private static let markByteCount = 4

  /// The name that a zone had before it got one of these, so that it does not grow each time.
  private static func withoutMark(_ name: String) -> String {
    let mark = name.utf8.suffix(2 * markByteCount)
    let rest = name.utf8.dropLast(2 * markByteCount)
    let isMark = mark.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isMark, rest.count > 1, rest.last == 0x20 else { return name }
    return String(Substring(rest.dropLast()))
  }

  /// A note for each zone whose new name a list does not know yet.
  func notes(unknownIn known: KnownZones) -> [(line: Int, text: String)] {
    all.filter { known.text(of: $0.new) == nil }.map { old, new in
      (1, "its zone “\(old.excerpt)” is another one here: it is kept as “\(new.excerpt)”")
    }
  }

  /// The new name of a zone; `nil` if it keeps its own.
  subscript(zone: String) -> String? { KnownZones.field(zone).flatMap { names[$0] } }

  /// What stands behind the name of a property, with the new name of its zone.
  func renaming(_ remainder: String) -> String {
    CalendarLine.replacingParameter("TZID", in: remainder) { self[$0] }
  }
}

extension CalendarFile {
  /// The wall clocks of zones that the events speak of; of a series those of a year.
  fileprivate func wallClocks(in zones: Set<FieldName>) -> [FieldName: [Int64]] {
    var times: [FieldName: [Int64]] = [:]
    for event in events {
      let end = event.content.end.flatMap { CalendarTimeLine($0.remainder) }
      for time in [event.content.start?.time, end?.time] {
        guard let time, case .named(let name) = time.zone, let zone = KnownZones.field(name),
          zones.contains(zone)
        else { continue }
        let count: Int64 = event.content.kept.isSeries ? 53 : 1
        for week in 0..<count { times[zone, default: []].append(time.minutes + week * 10_080) }
      }
    }
    return times
  }

  /// The calendar with other names for some of its zones.
  func renamingZones(by names: ZoneNames) -> CalendarFile {
    guard !names.all.isEmpty else { return self }
    var file = self
    file.zones = zones.renamed(by: names)
    file.zoneName = zoneName.map { names[$0] ?? $0 }
    file.events = events.map { event in
      var event = event
      event.content.renameZones(by: names)
      return event
    }
    return file
  }
}

extension CalendarContent {
  fileprivate mutating func renameZones(by names: ZoneNames) {
    start = start.map { CalendarTimeLine(names.renaming($0.remainder)) ?? $0 }
    end = end.map {
      CalendarEndLine(isDuration: $0.isDuration, remainder: names.renaming($0.remainder))
    }
    kept.renameZones(by: names)
  }
}
