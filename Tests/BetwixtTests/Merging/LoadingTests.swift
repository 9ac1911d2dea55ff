import Betwixt
import Testing

@Suite("A list that holds nothing is built at once from what it is given")
struct LoadingTests {
  private func check(_ delta: Delta, _ comment: Comment) {
    var merged = ReplicatedList(id: World.listID)
    merged.merge(delta)
    var loaded = ReplicatedList(id: World.listID)
    loaded.join(delta)
    #expect(loaded == merged && loaded.version == merged.version, comment)
    #expect(loaded.map(\.id) == merged.map(\.id) && loaded.entries == merged.entries, comment)
    #expect(loaded.digest == merged.digest, comment)
    // What a page holds at most decides whether a delta looks into it.
    for component in merged.version {
      for part in [1, 2, 3] as [Int64] {
        var version = merged.version
        version[component.replica] = component.sequence * part / 4
        let entries = merged.delta(since: version).entries
        #expect(loaded.delta(since: version).entries == entries, comment)
      }
    }
  }

  @Test("any entries make the list that merging makes")
  func anyEntries() throws {
    for seed in 0..<150 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator(items: 3 + source.next(below: 200))
      check(
        try Delta(generator.entries(source.next(below: 600), from: &source)), "seed \(seed)")
    }
  }

  @Test("pages are full, however many items there are", arguments: [1, 63, 64, 65, 4_096, 4_097])
  func pages(count: Int) throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    for number in 0..<count {
      _ = try device.list.insert(
        ["n": .int64(Int64(number))], at: number / 2, by: &device.me)
    }
    let delta = device.list.delta(since: [:])
    check(delta, "\(count) items")
    var loaded = ReplicatedList(id: World.listID)
    loaded.join(delta)
    // What was loaded is edited and merged like any other.
    try loaded.move(fromOffset: 0, toOffset: count, by: &device.me)
    _ = try loaded.insert(["n": 1], at: 0, by: &device.me)
    try loaded.set("n", of: loaded[0].id, to: 2, by: &device.me)
    var other = device.list
    other.merge(loaded)
    #expect(other == loaded && other.map(\.id) == loaded.map(\.id))
  }

  @Test("the version takes what the delta claims, unless it was made for another list")
  func claims() throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    _ = try device.list.append(["a": 1], by: &device.me)
    let early = device.list.version
    _ = try device.list.append(["a": 2], by: &device.me)
    check(device.list.delta(since: [:]), "everything")
    check(device.list.delta(since: early), "for a list that knows the first item")
    var late = ReplicatedList(id: World.listID)
    late.join(device.list.delta(since: early))
    #expect(late.version.isEmpty && late.count == 1)
  }
}
