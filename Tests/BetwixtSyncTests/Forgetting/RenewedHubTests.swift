import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// People who meet at a hub that takes writes from their writers alone, forget, and find it begun anew,
/// as where a server's drive was lost.
///
/// What is expected knows nothing of floors: who meets often enough sees the same.
@Suite struct RenewedHubTests {
  private static let listID = ListID(high: 3, low: 10)

  private struct World {
    var random: SplitMix64
    var people: [ReplicatedList]
    var hub = SyncHub(list: ReplicatedList(id: listID))
    var trail: [String] = []
    private var time: Int64 = 1_777_000_000_000
    private var serial = 0
    /// What the last meeting told each.
    var events: [[SyncEvent]]

    init(seed: UInt64, count: Int) {
      random = SplitMix64(seed: seed)
      people = Array(repeating: ReplicatedList(id: listID), count: count)
      events = Array(repeating: [], count: count)
    }

    private static func name(_ person: Int) -> String { "user \(person)" }

    mutating func edit(_ person: Int) throws {
      time += 1_000
      let now = time
      let id = ReplicaID(rawValue: UInt64(person + 1))
      var me = Replica(id: id, sequence: people[person].version[id]) { now }
      let all = people[person].allItems().filter { $0.id != .root }
      let item = all.isEmpty ? nil : all[random.next(below: all.count)]
      switch (random.next(below: 5), item) {
      case (1, let item?) where item.isVisible:
        try people[person].remove(item.id, by: &me)
        trail.append("\(person) removes \(item.id)")
      case (2, let item?) where !item.isVisible:
        try people[person].restore(item.id, by: &me)
        trail.append("\(person) restores \(item.id)")
      case (3, let item?) where item.isVisible:
        try people[person].set("title", of: item.id, to: .int64(now), by: &me)
        trail.append("\(person) sets \(item.id)")
      default:
        serial += 1
        try people[person].append(["title": .int64(Int64(serial)), "note": "n"], by: &me)
        trail.append("\(person) appends \(serial)")
      }
    }

    mutating func forget(_ person: Int) {
      people[person].forget(below: people[person].version)
      trail.append("\(person) forgets")
    }

    mutating func renew() {
      hub = SyncHub(list: ReplicatedList(id: listID))
      trail.append("anew")
    }

    /// Some come, one after the other, and leave once all is quiet.
    mutating func meet(_ some: [Int]) {
      trail.append("meet \(some)")
      var room = HubTests.Room(hub)
      for person in some {
        room.join(people[person], as: World.name(person), replica: UInt64(person + 1))
        room.run()
      }
      for _ in 0..<20 { room.run() }
      for (index, person) in some.enumerated() {
        people[person] = room.clients[index].list
        events[person] = room.clients[index].events
        room.server.closed(UInt64(index), now: room.now)
      }
      hub = room.server.hub
    }

    var seen: [String] {
      (people + [hub.list]).map { list in
        "\(list.map { ($0.id, $0["title"], $0["note"]) })"
      }
    }
  }

  @Test(arguments: 0..<(runsLong ? 2_000 : 60)) func allEndWithTheSame(seed: UInt64) throws {
    var world = World(seed: seed, count: 3)
    for _ in 0..<40 {
      let person = world.random.next(below: 3)
      switch world.random.next(below: 10) {
      case 0...4: try world.edit(person)
      case 5: world.forget(person)
      case 6 where world.random.next(below: 2) == 0: world.renew()
      case 7: world.meet([0, 1, 2].filter { _ in world.random.next(below: 2) == 0 })
      default: world.meet([person])
      }
    }
    for _ in 0..<3 {
      for person in 0..<3 { world.meet([person]) }
    }
    let trail = "\(seed)\n" + world.trail.joined(separator: "\n")
    #expect(Set(world.seen).count == 1, "\(trail)\n\(world.seen.joined(separator: "\n"))")
    for (person, events) in world.events.enumerated() {
      for event in events {
        switch event {
        case .unequal, .refused: Issue.record("\(person): \(event) at last\n\(trail)")
        default: break
        }
      }
    }
  }
}
