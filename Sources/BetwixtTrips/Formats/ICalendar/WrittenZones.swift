import Betwixt

/// The names by which export writes the zones of a list.
///
/// A calendar's own name comes back where no other clock has it. Where several have it, each is written
/// by the name that the list gives it, which its clock makes; only those that show the same for all that
/// they are named for are written as one. A name that neither the list nor the world defines is that of
/// the one clock that has it. What is written is a function of the list.
struct WrittenZones: Sendable {
  private let known: KnownZones

  // The names of zones that have a mark in the list.
  private var names: [[UInt8]: String] = [:]

  // Definitions of which nothing speaks, or another one is written for.
  private var dropped: Set<[UInt8]> = []

  // What a zone is called in the words that the list keeps.
  private var ownNames: [[UInt8]: String] = [:]

  /// - Parameters:
  ///   - list: The list.
  ///   - startDate: The date of day 1; `nil` for tasks.
  init(of list: ReplicatedList, startDate: CivilDate?) {
    known = KnownZones(of: list)
    var groups: [(stem: String, zones: [String])] = []
    var places: [[UInt8]: Int] = [:]
    for zone in known.names {
      guard let stem = ZoneMark.stem(ofMarked: zone),
        let block = known.text(of: zone).flatMap({ CalendarZones.Block(text: $0) }),
        ZoneMark.name(stem, block.mark).hasSameBytes(as: zone)
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
    let shown = ShownZone.name(in: list)
    var spoken: WallClocks?
    for (stem, zones) in groups {
      var zones = zones
      let isUsed = used.contains(Array(stem.utf8))
      let isMeant = isUsed && WrittenZones.isOne(zones, in: used) && !isDefined(stem)
      if !isMeant, isUsed || known.text(of: stem) != nil { zones.insert(stem, at: 0) }
      let active = zones.filter { used.contains(Array($0.utf8)) }
      let rest = active.isEmpty ? [zones[0]] : active
      if zones.count > 1 { dropped.formUnion(zones.map { Array($0.utf8) }) }
      for zone in rest { dropped.remove(Array(zone.utf8)) }
      guard rest.count > 1 else {
        name(rest, stem)
        continue
      }
      let all = spoken ?? WrittenZones.clocks(of: list, startDate: startDate)
      spoken = all
      name(rest, stem) { zone in
        guard let times = all.times(of: zone), !times.all.isEmpty else {
          // A calendar that is shown in a zone names it; where it shows nothing, any clock will do.
          return shown?.hasSameBytes(as: zone) ?? false ? ClockTimes() : nil
        }
        return times
      }
    }
  }

  /// Whether one of some zones is used alone, or is the only one there is.
  private static func isOne(_ zones: [String], in used: Set<[UInt8]>) -> Bool {
    let count = zones.count { used.contains(Array($0.utf8)) }
    return count == 1 || count == 0 && zones.count == 1
  }

  /// Whether the list or the world says what a zone shows.
  private func isDefined(_ zone: String) -> Bool {
    var clock = known.clock(of: zone)
    return known.text(of: zone) != nil || clock.offset(of: zone, atLocal: 0) != nil
  }

  /// Names zones of one stem.
  ///
  /// - Parameters:
  ///   - zones: The zones that are used.
  ///   - stem: What their calendars call them.
  ///   - times: The times that a zone is named for; `nil` if they are not known.
  private mutating func name(
    _ zones: [String], _ stem: String, at times: (String) -> ClockTimes? = { _ in nil }
  ) {
    let first = zones[0]
    var firstClock = known.clock(of: first)
    var others: [String] = []
    var same: [String] = []
    for zone in zones.dropFirst() {
      var clock = known.clock(of: zone)
      if let times = times(zone),
        let difference = clock.difference(of: zone, from: first, in: &firstClock),
        clock.agrees(on: zone, with: first, in: &firstClock, but: difference, at: times)
      {
        same.append(zone)
      } else {
        others.append(zone)
      }
    }
    let isPlain = first.hasSameBytes(as: stem)
    let name = isPlain || others.isEmpty ? stem : first
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

  private static func clocks(of list: ReplicatedList, startDate: CivilDate?) -> WallClocks {
    var clocks = WallClocks()
    var shown = ShownZone(of: list)
    for item in list where shown != nil || !item.zoneNames.isEmpty {
      for (zone, times) in item.clocks(startDate: startDate, zone: &shown).all {
        clocks.add(zone, times)
      }
    }
    return clocks
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
