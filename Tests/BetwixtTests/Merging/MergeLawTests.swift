import Betwixt
import Testing

@Suite("Merging takes the greatest write of each register")
struct MergeLawTests {
  /// Two lists and two models of some random entries each.
  private func list(_ entries: [Entry]) throws -> ReplicatedList {
    var list = ReplicatedList(id: World.listID)
    list.merge(try Delta(entries))
    return list
  }

  private func model(_ entries: [Entry]) -> NaiveList {
    var model = NaiveList()
    for entry in entries { model.join(entry) }
    return model
  }

  @Test("any entries come out as in the model")
  func sameAsModel() throws {
    for seed in 0..<150 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator()
      let entries = generator.entries(40, from: &source)
      let list = try list(entries)
      let model = model(entries)
      #expect(list.entries == model.entries, "seed \(seed)")
      #expect(list.map(\.id) == model.visible, "seed \(seed)")
      #expect(list.digest.bytes == model.digest, "seed \(seed)")
    }
  }

  @Test("commutative, associative, idempotent")
  func joinLaws() throws {
    for seed in 0..<100 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator()
      let a = try list(generator.entries(20, from: &source))
      let b = try list(generator.entries(20, from: &source))
      let c = try list(generator.entries(20, from: &source))
      let ab = a.merging(b)
      #expect(ab == b.merging(a), "seed \(seed)")
      #expect(ab.merging(c) == a.merging(b.merging(c)), "seed \(seed)")
      #expect(ab.merging(b) == ab && ab.merging(a) == ab && ab.merging(ab) == ab, "seed \(seed)")
      #expect(ab.map(\.id) == b.merging(a).map(\.id), "seed \(seed)")
    }
  }

  @Test("any order, grouping and repetition of the same entries gives one list")
  func partsInAnyOrder() throws {
    for seed in 0..<100 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator()
      let entries = generator.entries(30, from: &source)
      let whole = try list(entries)
      var parts = ReplicatedList(id: World.listID)
      var rest = source.shuffled(entries + entries.prefix(10))[...]
      while !rest.isEmpty {
        let part = rest.prefix(1 + source.next(below: 6))
        parts.merge(try Delta(part))
        rest = rest.dropFirst(part.count)
      }
      #expect(parts == whole, "seed \(seed)")
      #expect(parts.digest == whole.digest, "seed \(seed)")
      #expect(parts.map(\.id) == whole.map(\.id), "seed \(seed)")
    }
  }

  @Test("the digest tells lists apart that differ in one entry")
  func digestIsContent() throws {
    for seed in 0..<100 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator()
      let entries = model(generator.entries(20, from: &source)).entries
      let whole = try list(entries)
      let missing = try list(Array(entries.dropLast()))
      #expect(whole.digest != missing.digest && whole != missing, "seed \(seed)")
      #expect(whole.digest == (try list(entries.reversed())).digest, "seed \(seed)")
    }
  }

  @Test("merging is inflationary: nothing greater is ever replaced by less")
  func inflationary() throws {
    for seed in 0..<60 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var generator = EntryGenerator()
      var list = ReplicatedList(id: World.listID)
      var model = NaiveList()
      for entry in generator.entries(60, from: &source) {
        let before = model
        let wins = model.join(entry)
        let changes = list.merge(try Delta([entry]))
        #expect(list.entries == model.entries, "seed \(seed)")
        guard !wins else { continue }
        #expect(model.registers == before.registers, "seed \(seed)")
        // A write that lost is told; nothing that is shown has changed.
        let isQuiet =
          changes.removed.isEmpty && changes.inserted.isEmpty && changes.moved.isEmpty
          && changes.updated.isEmpty && changes.metadata.isEmpty
        #expect(isQuiet, "seed \(seed)")
      }
    }
  }
}
