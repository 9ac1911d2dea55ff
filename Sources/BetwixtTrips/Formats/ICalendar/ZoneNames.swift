import Betwixt

/// The names by which a trip keeps the zones of a calendar.
///
/// A name counts in one calendar only: programs call a zone that somebody made by hand the same
/// everywhere. So a trip calls a zone by a name that its clock makes and nothing else: each device finds
/// the same one, whatever it took in before. Only a zone of the world that shows what the world's clock
/// shows keeps its own, in the years for which that is known. Export gives the calendar's name back, see
/// ``WrittenZones``.
struct ZoneNames: Sendable {
  /// How a trip keeps a zone.
  struct Name: Sendable {
    /// What its calendar calls it.
    let stem: String
    /// What its clock makes.
    let mark: String
    /// Its name in the trip.
    let kept: String

    /// Whether it is kept by a name of ours.
    var isMarked: Bool { !kept.hasSameBytes(as: stem) }
  }

  private var places: [[UInt8]: Int] = [:]

  /// Those of the zones that are kept, in the order of the file.
  private(set) var all: [Name] = []

  // Whether each zone is kept by the name that the file gives it.
  private var isPlain = true

  init() {}

  /// - Parameters:
  ///   - zones: The zones by the names that the calendar gives them.
  ///   - clocks: What the calendar speaks of, by these names.
  init(of zones: inout CalendarZones, at clocks: () -> WallClocks) {
    var spoken: WallClocks?
    for block in zones.blocks {
      let bytes = Array(block.name.utf8)
      guard places[bytes] == nil, let first = zones.definition(of: block.name) else { continue }
      let isKept =
        first.isKept
        || zones.blocks.contains {
          $0.isKept && $0.name.hasSameBytes(as: first.name) && $0.mark.hasSameBytes(as: first.mark)
        }
      guard isKept else { continue }
      let stem = ZoneMark.stem(of: block.name)
      var isPlain = zones.isOfTheWorld(first, called: stem)
      if isPlain, first.hasClock {
        let all = spoken ?? clocks()
        spoken = all
        // What the world's clock showed before, and will show, nobody here knows.
        isPlain =
          all.times(of: block.name)?.all.allSatisfy {
            CalendarZones.timesOfTheWorld.contains($0)
          } ?? true
      }
      let kept = isPlain ? stem : ZoneMark.name(stem, first.mark)
      let name = Name(stem: stem, mark: first.mark, kept: kept)
      if !name.kept.hasSameBytes(as: block.name) { self.isPlain = false }
      places[bytes] = all.count
      all.append(name)
    }
  }

  /// How a zone of the calendar is kept; `nil` for one that is not.
  func name(of zone: String) -> Name? { places[Array(zone.utf8)].map { all[$0] } }

  /// The name of a zone in the trip.
  subscript(zone: String) -> String { name(of: zone)?.kept ?? zone }

  /// What stands behind the name of a property, with the name of its zone in the trip.
  func renaming(_ remainder: String) -> String {
    guard !isPlain else { return remainder }
    return CalendarLine.replacingParameter("TZID", in: remainder) { self[$0] }
  }

  /// Renames the zones of events.
  func rename(_ events: inout [CalendarEvent]) {
    guard !isPlain else { return }
    for index in events.indices { events[index].content.renameZones { self[$0] } }
  }

  /// Renames the zones of properties.
  func rename(_ kept: inout KeptProperties) {
    guard !isPlain else { return }
    kept.renameZones { self[$0] }
  }

  /// A note for each zone that is new to a list and whose name means another clock there, or in a
  /// calendar that is joined with it.
  ///
  /// - Parameters:
  ///   - known: The zones of the list.
  ///   - zones: Those of the calendar by their names in the list.
  ///   - clocks: What the calendar speaks of, by the zones that its events have in the list.
  /// - Returns: The notes.
  func notes(
    in known: KnownZones, zones: CalendarZones, at clocks: () -> WallClocks
  ) -> [(line: Int, text: String)] {
    let new = all.filter { $0.isMarked && !known.isInTrip($0.kept) }
    guard !new.isEmpty else { return [] }
    var byStem: [[UInt8]: [String]] = [:]
    for zone in known.names {
      byStem[Array(ZoneMark.stem(of: zone).utf8), default: []].append(zone)
    }
    var zones = zones
    var others: [[UInt8]: CalendarZones] = [:]
    var noted: Set<[UInt8]> = []
    var spoken: WallClocks?
    var notes: [(line: Int, text: String)] = []
    for name in new {
      guard let stem = byStem[Array(name.stem.utf8)] else { continue }
      let all = spoken ?? clocks()
      spoken = all
      guard let times = all.times(of: name.kept) else { continue }
      let isOther = stem.contains { zone in
        // Of calendars that are joined none is the first one.
        guard !zone.hasSameBytes(as: name.kept),
          known.isInTrip(zone) || zone.precedesInBytes(name.kept)
        else { return false }
        var other = others[Array(zone.utf8)] ?? known.clock(of: zone)
        defer { others[Array(zone.utf8)] = other }
        guard let difference = zones.difference(of: name.kept, from: zone, in: &other) else {
          return true
        }
        return !zones.agrees(on: name.kept, with: zone, in: &other, but: difference, at: times)
      }
      guard isOther, noted.insert(Array(name.kept.utf8)).inserted else { continue }
      let (old, kept) = (name.stem.excerpt, name.kept.excerpt)
      notes.append((1, "its zone “\(old)” is another one here: it is kept as “\(kept)”"))
    }
    return notes
  }
}

extension CalendarFile {
  /// The wall clocks of zones that it speaks of.
  var clocks: WallClocks {
    var clocks = WallClocks()
    for event in events { clocks.add(event.content) }
    return clocks
  }

  /// A note for each zone whose name means another clock in a list.
  func zoneNotes(in known: KnownZones) -> [(line: Int, text: String)] {
    zoneNames.notes(in: known, zones: zones) { clocks }
  }
}

extension CalendarContent {
  /// Gives the zones of its times other names.
  mutating func renameZones(by name: (String) -> String?) {
    start = start.map {
      CalendarTimeLine(CalendarLine.replacingParameter("TZID", in: $0.remainder, by: name)) ?? $0
    }
    end = end.map {
      CalendarEndLine(
        isDuration: $0.isDuration,
        remainder: CalendarLine.replacingParameter("TZID", in: $0.remainder, by: name))
    }
    kept.renameZones(by: name)
  }
}
