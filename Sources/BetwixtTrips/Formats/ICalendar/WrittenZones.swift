import Betwixt

/// The names by which export writes the zones of a list.
///
/// A calendar's own name comes back where no other clock has it. Where several have it, each is written
/// by the name that the list gives it, which its clock makes; only those that show the same for all that
/// they are named for are written as one. What is written is a function of the list.
struct WrittenZones: Sendable {
  private let known: KnownZones

  // The names of zones that have a mark in the list.
  private var names: [[UInt8]: String] = [:]

  // Definitions of which nothing speaks, or another one is written for.
  private var dropped: Set<[UInt8]> = []

  // What a zone is called in the words that the list keeps.
  private var ownNames: [[UInt8]: String] = [:]

  // What knows a zone of the list, of those that were asked for.
  private var clocks: [[UInt8]: CalendarZones] = [:]

  /// - Parameters:
  ///   - list: The list.
  ///   - startDate: The date of day 1; `nil` for tasks.
  init(of list: ReplicatedList, startDate: CivilDate?) {
    known = KnownZones(of: list)
    var groups: [(stem: String, zones: [String])] = []
    var places: [[UInt8]: Int] = [:]
    for zone in known.names {
      guard let (stem, mark) = ZoneMark.parts(of: zone),
        let block = known.text(of: zone).flatMap({ CalendarZones.Block(text: $0) }),
        block.mark.hasSameBytes(as: mark)
      else { continue }
      ownNames[Array(zone.utf8)] = block.name
      if let place = places[Array(stem.utf8)] {
        groups[place].zones.append(zone)
      } else {
        places[Array(stem.utf8)] = groups.count
        groups.append((stem, [zone]))
      }
    }
    guard !groups.isEmpty else { return }
    let used = WrittenZones.names(usedIn: list)
    var spoken: [[UInt8]: WallClocks] = [:]
    for (stem, zones) in groups {
      var zones = zones
      let isUsed = used.contains(Array(stem.utf8))
      // A name that is itself one of ours is no calendar's.
      let isTaken = ownNames[Array(stem.utf8)] != nil
      if !isTaken, isUsed || known.text(of: stem) != nil { zones.insert(stem, at: 0) }
      let active = zones.filter { used.contains(Array($0.utf8)) }
      let rest = active.isEmpty ? [zones[0]] : active
      if zones.count > 1 { dropped.formUnion(zones.map { Array($0.utf8) }) }
      for zone in rest { dropped.remove(Array(zone.utf8)) }
      if rest.count > 1, spoken.isEmpty {
        spoken = WrittenZones.clocks(of: list, startDate: startDate)
      }
      name(rest, stem, isTaken: isTaken, spoken)
    }
  }

  private mutating func name(
    _ zones: [String], _ stem: String, isTaken: Bool, _ spoken: [[UInt8]: WallClocks]
  ) {
    let first = zones[0]
    var firstClock = known.clock(of: first)
    var others: [String] = []
    var same: [String] = []
    for zone in zones.dropFirst() {
      var clock = known.clock(of: zone)
      let times = spoken[Array(zone.utf8)]?.minutes(of: zone) ?? []
      if !times.isEmpty, clock.agrees(on: zone, with: first, in: &firstClock, at: times) {
        same.append(zone)
      } else {
        others.append(zone)
      }
    }
    let isPlain = first.hasSameBytes(as: stem)
    let name = isPlain || (others.isEmpty && !isTaken) ? stem : first
    if !isPlain { names[Array(first.utf8)] = name }
    for zone in same {
      names[Array(zone.utf8)] = name
      dropped.insert(Array(zone.utf8))
    }
    for zone in others { names[Array(zone.utf8)] = zone }
  }

  private static func names(usedIn list: ReplicatedList) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    if let zone = ShownZone.name(in: list) { names.insert(Array(zone.utf8)) }
    for item in list {
      for zone in item.zoneNames { names.insert(Array(zone.utf8)) }
    }
    return names
  }

  private static func clocks(
    of list: ReplicatedList, startDate: CivilDate?
  ) -> [[UInt8]: WallClocks] {
    var all: [[UInt8]: WallClocks] = [:]
    var shown = ShownZone(of: list)
    for item in list where !item.zoneNames.isEmpty {
      for (zone, minutes) in item.clocks(startDate: startDate, zone: &shown).all {
        all[Array(zone.utf8), default: WallClocks()].add(zone, minutes)
      }
    }
    return all
  }

  /// Which day of a series an event stands for, see ``CalendarOccurrence``.
  mutating func occurrence(_ remainder: String, startingIn zone: String?) -> String {
    guard let zone, CalendarTimeLine(remainder)?.time.isUTC ?? false else {
      var none = CalendarZones()
      return CalendarOccurrence.name(remainder, startingIn: nil, zones: &none)
    }
    let bytes = Array(zone.utf8)
    var clock = clocks[bytes] ?? known.clock(of: zone)
    defer { clocks[bytes] = clock }
    return CalendarOccurrence.name(remainder, startingIn: zone, zones: &clock)
  }

  /// A line, or what stands behind the name of its property, with the name of its zone.
  func renaming(_ line: String) -> String {
    guard !names.isEmpty else { return line }
    return CalendarLine.replacingParameter("TZID", in: line) { names[Array($0.utf8)] }
  }

  /// What stands behind the name of the property that says which zone the calendar is shown in.
  func renamingShown(_ remainder: String) -> String {
    guard !names.isEmpty else { return remainder }
    return ShownZone.renaming(remainder) { names[Array($0.utf8)] }
  }

  /// The definition of a zone as it is written; `nil` for one that is left out.
  func text(_ text: String, of zone: String) -> String? {
    let bytes = Array(zone.utf8)
    guard !dropped.contains(bytes) else { return nil }
    guard let name = names[bytes], let own = ownNames[bytes], !own.hasSameBytes(as: name) else {
      return text
    }
    return CalendarZones.Block.text(text, calling: name)
  }
}
