import Betwixt

/// The zones that events of a calendar have in a list already.
///
/// A program writes a zone in other words, or with fewer years, or leaves it out. Where the clock shows
/// the same for an event, or nobody knows what it shows, the event keeps the zone that it has: that is
/// no edit.
struct HeldZones {
  // What may hold an event, the first one first.
  private var holders: [Holder]

  /// The zones of the calendar, and those that events keep.
  private(set) var zones: CalendarZones

  // What knows a zone of the lists.
  private var clocks: [[UInt8]: CalendarZones] = [:]

  // When a zone of the calendar shows something else than one of the lists.
  private var differences: [Pair: ClockDifference?] = [:]

  // Zones of the lists that events keep.
  private var isTaken: Set<[UInt8]> = []

  /// Whether an event may have another zone in a list.
  private let isNeeded: Bool

  /// A list that may hold an event.
  private struct Holder {
    let list: ReplicatedList
    let known: KnownZones
    let startDate: CivilDate?
    var shown: ShownZone?

    init(_ list: ReplicatedList, ofTasks isTasks: Bool) {
      self.list = list
      known = KnownZones(of: list)
      startDate = isTasks ? nil : Trip(list).startDate
      shown = ShownZone(of: list)
    }
  }

  /// The names of two zones.
  private struct Pair: Hashable {
    let zone: [UInt8]
    let other: [UInt8]
  }

  /// - Parameters:
  ///   - zones: Those of the calendar, by their names in a list.
  ///   - lists: What may hold an event, the first one first.
  ///   - isTasks: Whether they are lists of tasks.
  init(_ zones: CalendarZones, in lists: [ReplicatedList?], ofTasks isTasks: Bool = false) {
    self.zones = zones
    holders = lists.compactMap { $0 }.map { Holder($0, ofTasks: isTasks) }
    isNeeded =
      zones.blocks.contains { ZoneMark.stem(ofMarked: $0.name) != nil }
      || holders.contains { $0.known.names.contains { ZoneMark.stem(ofMarked: $0) != nil } }
  }

  /// The zones that an event keeps, in place of those that its calendar names.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - spoken: What the event speaks of.
  /// - Returns: The new names by the bytes of the old ones.
  mutating func names(of id: ItemID, at spoken: () -> WallClocks) -> [[UInt8]: String] {
    guard isNeeded else { return [:] }
    var held: Set<[UInt8]> = []
    var byStem: [[UInt8]: [String]] = [:]
    var holder = 0
    for index in holders.indices where held.isEmpty {
      holder = index
      for zone in holders[index].list[id: id]?.zoneNames ?? []
      where held.insert(Array(zone.utf8)).inserted {
        byStem[Array(ZoneMark.stem(of: zone).utf8), default: []].append(zone)
      }
    }
    guard !held.isEmpty else { return [:] }
    var went: WallClocks?
    var names: [[UInt8]: String] = [:]
    for (zone, times) in spoken().all {
      let bytes = Array(zone.utf8)
      guard !held.contains(bytes), let all = byStem[Array(ZoneMark.stem(of: zone).utf8)] else {
        continue
      }
      // An event has one or two; whoever writes a thousand need not be waited for.
      let others = all.prefix(16)
      guard
        let kept = others.first(where: { isSame(zone, as: $0, at: times) })
          ?? others.first(where: { other in
            guard zones.definition(of: zone) == nil, text(of: other) != nil else { return false }
            let all = went ?? clocks(of: id, in: holder)
            went = all
            return WallClocks.isLeftOut(times, of: all.times(of: other))
          })
      else { continue }
      names[bytes] = kept
      take(kept)
    }
    return names
  }

  private mutating func isSame(_ zone: String, as other: String, at times: ClockTimes) -> Bool {
    let bytes = Array(other.utf8)
    var clock =
      clocks[bytes] ?? CalendarZones(other, definedAs: text(of: other))
    defer { clocks[bytes] = clock }
    if zones.definition(of: zone) == nil, zones.offset(of: zone, atLocal: 0) == nil {
      return clock.definition(of: other) != nil
    }
    let pair = Pair(zone: Array(zone.utf8), other: bytes)
    let difference =
      differences[pair] ?? zones.difference(of: zone, from: other, in: &clock)
    differences[pair] = .some(difference)
    guard let difference else { return false }
    return zones.agrees(on: zone, with: other, in: &clock, but: difference, at: times)
  }

  /// What an event speaks of as a list holds it.
  private mutating func clocks(of id: ItemID, in holder: Int) -> WallClocks {
    let startDate = holders[holder].startDate
    return holders[holder].list[id: id]?
      .clocks(startDate: startDate, zone: &holders[holder].shown) ?? WallClocks()
  }

  /// How a zone is defined in the lists.
  private func text(of zone: String) -> String? {
    holders.lazy.compactMap { $0.known.text(of: zone) }.first
  }

  private mutating func take(_ zone: String) {
    guard isTaken.insert(Array(zone.utf8)).inserted, zones.definition(of: zone) == nil,
      let block = text(of: zone).flatMap({ CalendarZones.Block(text: $0) })
    else { return }
    zones.add(block.named(zone))
  }

  /// Leaves out the zones that nothing in the calendar speaks of, where a list has one that its calendar
  /// calls the same: a program may define one in other words each time.
  ///
  /// - Parameters:
  ///   - known: The zones of the list.
  ///   - spoken: What the calendar speaks of by now.
  mutating func dropUnused(besides known: KnownZones, at spoken: () -> WallClocks) {
    guard isNeeded else { return }
    var stems: Set<[UInt8]> = []
    for zone in known.names where known.isInTrip(zone) {
      stems.insert(Array(ZoneMark.stem(of: zone).utf8))
    }
    func isKnown(_ zone: String) -> Bool {
      !known.isInTrip(zone) && stems.contains(Array(ZoneMark.stem(of: zone).utf8))
    }
    guard zones.blocks.contains(where: { isKnown($0.name) }) else { return }
    let spoken = spoken()
    zones.remove { isKnown($0) && spoken.times(of: $0) == nil }
  }
}

extension WallClocks {
  /// Whether a program may have left the definition of a zone out and the event's times as they went out.
  ///
  /// Then the world knows the name, and another clock by it than the calendar meant.
  fileprivate static func isLeftOut(_ times: ClockTimes, of held: ClockTimes?) -> Bool {
    held?.all.isSuperset(of: times.all) ?? false
  }
}

extension CalendarFile {
  /// The calendar with the zones that its events have in lists already.
  ///
  /// - Parameters:
  ///   - lists: What may hold its events, the first one first.
  ///   - known: The zones of the list that takes it in.
  /// - Returns: The calendar.
  func known(in lists: [ReplicatedList?], besides known: KnownZones) -> CalendarFile {
    var file = self
    var held = HeldZones(zones, in: lists)
    for index in file.events.indices {
      let event = file.events[index]
      let names = held.names(of: event.id) {
        var clocks = WallClocks()
        clocks.add(event.content)
        return clocks
      }
      guard !names.isEmpty else { continue }
      file.events[index].content.renameZones { names[Array($0.utf8)] }
    }
    held.dropUnused(besides: known) {
      var clocks = file.clocks
      if let zone = file.zoneName { clocks.add(zone) }
      return clocks
    }
    file.zones = held.zones
    return file
  }
}
