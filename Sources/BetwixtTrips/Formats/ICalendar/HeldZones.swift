import Betwixt

/// The zones that events of a calendar have in a list already.
///
/// A program writes a zone in other words, or with fewer years, or leaves it out. Where the clock shows
/// the same for an event, or nobody knows what it shows, the event keeps the zone that it has: that is
/// no edit.
struct HeldZones {
  // What may hold an event, the first one first.
  private let lists: [ReplicatedList]

  private let known: [KnownZones]

  /// The zones of the calendar, and those that events keep.
  private(set) var zones: CalendarZones

  // What knows a zone of the lists.
  private var clocks: [[UInt8]: CalendarZones] = [:]

  // Zones of the calendar in whose place an event keeps one of the list.
  private var replaced: Set<[UInt8]> = []

  // Zones of the list that events keep.
  private var isTaken: Set<[UInt8]> = []

  /// Whether an event may have another zone in a list.
  private let isNeeded: Bool

  /// - Parameters:
  ///   - zones: Those of the calendar, by their names in a list.
  ///   - lists: What may hold an event, the first one first.
  init(_ zones: CalendarZones, in lists: [ReplicatedList?]) {
    self.zones = zones
    self.lists = lists.compactMap { $0 }
    known = self.lists.map { KnownZones(of: $0) }
    isNeeded =
      zones.blocks.contains { ZoneMark.parts(of: $0.name) != nil }
      || known.contains { $0.names.contains { ZoneMark.parts(of: $0) != nil } }
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
    for list in lists where held.isEmpty {
      for zone in list[id: id]?.zoneNames ?? [] where held.insert(Array(zone.utf8)).inserted {
        byStem[Array(ZoneMark.stem(of: zone).utf8), default: []].append(zone)
      }
    }
    guard !held.isEmpty else { return [:] }
    var names: [[UInt8]: String] = [:]
    for (zone, minutes) in spoken().all {
      let bytes = Array(zone.utf8)
      // An event has one or two; whoever writes a thousand need not be waited for.
      guard !held.contains(bytes),
        let kept = byStem[Array(ZoneMark.stem(of: zone).utf8)]?.prefix(16)
          .first(where: { isSame(zone, as: $0, at: minutes) })
      else { continue }
      names[bytes] = kept
      replaced.insert(bytes)
      take(kept)
    }
    return names
  }

  private mutating func isSame(_ zone: String, as other: String, at minutes: [Int64]) -> Bool {
    let bytes = Array(other.utf8)
    let text = known.lazy.compactMap { $0.text(of: other) }.first
    var clock = clocks[bytes] ?? CalendarZones(other, definedAs: text)
    defer { clocks[bytes] = clock }
    if zones.definition(of: zone) == nil, zones.offset(of: zone, atLocal: 0) == nil {
      return clock.definition(of: other) != nil
    }
    return zones.agrees(on: zone, with: other, in: &clock, at: minutes)
  }

  private mutating func take(_ zone: String) {
    let bytes = Array(zone.utf8)
    guard isTaken.insert(bytes).inserted, zones.definition(of: zone) == nil else { return }
    for text in known.lazy.compactMap({ $0.text(of: zone) }).prefix(1) {
      if let block = CalendarZones.Block(text: text) { zones.add(block.named(zone)) }
    }
  }

  /// Leaves out the zones of the calendar that nothing speaks of any more.
  ///
  /// - Parameter spoken: What the calendar speaks of by now.
  mutating func dropReplaced(besides spoken: () -> WallClocks) {
    guard !replaced.isEmpty else { return }
    let names = Set(spoken().all.map { Array($0.zone.utf8) })
    let unused = replaced.subtracting(names)
    zones.remove { unused.contains(Array($0.utf8)) }
  }
}

extension CalendarFile {
  /// The calendar with the zones that its events have in lists already, and with the ids that earlier
  /// versions gave them there.
  func known(in lists: [ReplicatedList?]) -> CalendarFile {
    var file = self
    var held = HeldZones(zones, in: lists)
    for index in file.events.indices {
      file.events[index].takeFormerID(knownIn: lists)
      let event = file.events[index]
      let names = held.names(of: event.id) {
        var clocks = WallClocks()
        clocks.add(event.content)
        return clocks
      }
      guard !names.isEmpty else { continue }
      file.events[index].content.renameZones { names[Array($0.utf8)] }
    }
    held.dropReplaced {
      var clocks = file.clocks
      if let zone = file.zoneName { clocks.add(zone) }
      return clocks
    }
    file.zones = held.zones
    return file
  }
}
