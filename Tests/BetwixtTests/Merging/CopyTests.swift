import Betwixt
import Testing

@Suite("Copies are independent")
struct CopyTests {
  @Test("edits of a copy do not reach the original, and the other way round")
  func bothSides() throws {
    for seed in 0..<40 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
      for _ in 0..<150 { try device.list.append(["n": 0], by: &device.me) }
      let copy = Device(device.list, replica: 2, clock: World.startOfTime)
      let before = (device.list.entries, device.list.map(\.id), device.list.digest)
      try edit(copy, 20, &source)
      #expect(device.list.entries == before.0 && device.list.map(\.id) == before.1)
      #expect(device.list.digest == before.2, "seed \(seed)")
      let copied = (copy.list.entries, copy.list.map(\.id), copy.list.digest)
      try edit(device, 20, &source)
      #expect(copy.list.entries == copied.0 && copy.list.map(\.id) == copied.1)
      #expect(copy.list.digest == copied.2, "seed \(seed)")
      #expect(device.list.merging(copy.list) == copy.list.merging(device.list), "seed \(seed)")
    }
  }

  @Test("one replica may edit two copies: both sides' writes survive the merge")
  func oneReplicaTwoCopies() throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    try device.list.append(by: &device.me)
    var copy = device.list
    let here = try device.list.append(by: &device.me)
    let there = try copy.append(by: &device.me)
    #expect(here != there)
    let merged = device.list.merging(copy)
    #expect(merged == copy.merging(device.list))
    #expect(merged.count == 3 && merged.contains(id: here) && merged.contains(id: there))
  }

  @Test("two writes under one number: a list knows what it lacks, though its version does not")
  func knownNumbers() throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    let item = try device.list.append(by: &device.me)
    let base = device.list
    var again = Replica(
      id: ReplicaID(rawValue: 1), sequence: base.version[ReplicaID(rawValue: 1)],
      families: { 5 }, clock: { 2_000 })
    var copy = base
    try device.list.set("note", of: item, to: "here", by: &device.me)
    try copy.set("other", of: item, to: "there", by: &again)
    #expect(device.list.version == copy.version)
    #expect(device.list.lacksUnderKnownNumbers(copy.delta(since: base.version)))
    #expect(device.list.lacksUnderKnownNumbers(copy.delta(since: VersionVector())))
    let merged = device.list.merging(copy)
    for list in [base, device.list, copy, merged] {
      #expect(!merged.lacksUnderKnownNumbers(list.delta(since: VersionVector())))
      #expect(!base.lacksUnderKnownNumbers(list.delta(since: base.version)))
    }
  }

  @Test("what is forgotten is nothing new, and what was never held is")
  func forgottenNumbers() throws {
    let me = ReplicaID(rawValue: 1)
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    let item = try device.list.append(["note": "here"], by: &device.me)
    let kept = try device.list.append(by: &device.me)
    let before = device.list
    try device.list.remove(item, by: &device.me)
    let removed = device.list
    device.list.forget(below: device.list.version)
    for list in [before, removed] {
      #expect(!device.list.lacksUnderKnownNumbers(list.delta(since: [:])))
    }
    // Somebody wrote earlier what comes later: that keeps nothing else in.
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: item, register: .field("note"), value: .field("late"),
        stamp: Stamp(time: .zero, replica: ReplicaID(rawValue: 2)), sequence: 1))
    var late = device.list
    late.merge(builder.build())
    #expect(late[id: item]?.fields == ["note": "late"])
    #expect(!late.lacksUnderKnownNumbers(before.delta(since: [:])))
    // The number of the removal, used once more for an item that was never removed.
    var again = Replica(
      id: me, sequence: before.version[me], families: { 5 }, clock: { 2_000 })
    var copy = before
    try copy.set("other", of: kept, to: "there", by: &again)
    #expect(device.list.floor[me] >= copy.version[me])
    #expect(device.list.lacksUnderKnownNumbers(copy.delta(since: before.version)))
    // What was restored gets back what others have of it, and no version tells of that.
    try device.list.restore(item, by: &device.me)
    #expect(device.list.lacksUnderKnownNumbers(before.delta(since: [:])))
    device.list.merge(before)
    #expect(device.list[id: item]?.fields == ["note": "here"])
    #expect(!device.list.lacksUnderKnownNumbers(before.delta(since: [:])))
  }

  @Test("an item that was read is a snapshot")
  func itemsAreSnapshots() throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    let id = try device.list.append(["title": "old"], by: &device.me)
    let item = try #require(device.list[id: id])
    try device.list.set("title", of: id, to: "new", by: &device.me)
    try device.list.remove(id, by: &device.me)
    #expect(item["title"] == "old" && item.isVisible && !item.isRemoved)
  }

  private func edit(_ device: Device, _ count: Int, _ source: inout ChoiceSource) throws {
    for _ in 0..<count {
      let item = device.list[source.next(below: device.list.count)].id
      switch source.next(below: 4) {
      case 0:
        try device.list.insert(at: source.next(below: device.list.count + 1), by: &device.me)
      case 1: try device.list.remove(item, by: &device.me)
      case 2:
        try device.list.move(
          item, toOffset: source.next(below: device.list.count + 1), by: &device.me)
      default:
        try device.list.set(
          "n", of: item, to: .int64(Int64(source.next(below: 9))), by: &device.me)
      }
    }
  }
}
