import Testing

@testable import Betwixt

@Suite("The bytes of a page")
struct ByteArenaTests {
  private func value(_ byte: UInt8, _ count: Int) -> ArraySlice<UInt8> {
    [UInt8](repeating: byte, count: count)[...]
  }

  @Test("values of all sizes are read back, whichever of them are replaced")
  func readingBack() {
    var source = ChoiceSource(seed: 1)
    var arena = ByteArena()
    let sizes = [0, 1, 7, 100, 2_047, 2_048, 2_049, 5_000]
    var held: [(reference: ByteArena.Reference, value: ArraySlice<UInt8>)] = []
    for number in 0..<600 {
      let value = value(UInt8(number % 251), source.pick(sizes))
      if held.count < 12 {
        held.append((arena.store(value.span), value))
      } else {
        let index = source.next(below: held.count)
        held[index] = (arena.replace(held[index].reference, with: value.span), value)
      }
      for (reference, value) in held { #expect(arena[reference] == value) }
      for (reference, value) in held { #expect(reference.length == value.count) }
    }
  }

  @Test("it is wasteful if more than half is garbage, and not a little")
  func waste() {
    var arena = ByteArena()
    let first = arena.store(value(1, 513).span)
    let second = arena.store(value(2, 513).span)
    #expect(!arena.isWasteful)
    // 512 of 513 bytes are little, and so is half.
    var little = arena
    _ = little.replace(first, with: value(3, 1).span)
    #expect(!little.isWasteful)
    arena.discard(first)
    #expect(!arena.isWasteful)
    _ = arena.replace(second, with: value(3, 512).span)
    #expect(arena.isWasteful)
  }

  @Test("a small page is not cleaned up for a few bytes, even if they are more than half")
  func smallWaste() {
    var arena = ByteArena()
    let reference = arena.store(value(1, 512).span)
    arena.discard(reference)
    #expect(!arena.isWasteful)
    arena.discard(arena.store(value(2, 1).span))
    #expect(arena.isWasteful)
  }

  @Test("a large value that was replaced leaves its place to the next")
  func largeValues() {
    var arena = ByteArena()
    let first = arena.store(value(1, 3_000).span)
    let second = arena.store(value(2, 3_000).span)
    let small = arena.replace(first, with: value(3, 10).span)
    let third = arena.store(value(4, 4_000).span)
    #expect(third.isLarge && third.start == first.start && !small.isLarge)
    #expect(arena[second] == value(2, 3_000) && arena[third] == value(4, 4_000))
    #expect(arena[small] == value(3, 10) && arena.bytes.count == 10)
  }

  @Test("what fits into the place of the old value takes no other")
  func inPlace() {
    var arena = ByteArena()
    let old = arena.store(value(1, 20).span)
    let same = arena.replace(old, with: value(2, 20).span)
    let less = arena.replace(same, with: value(3, 19).span)
    #expect(arena.bytes.count == 20 && less.start == old.start)
    let more = arena.replace(less, with: value(4, 20).span)
    #expect(arena.bytes.count == 40 && arena[more] == value(4, 20))
  }

  @Test(
    "however often values and keys grow and shrink, a page stays about as large as what it holds",
    arguments: [false, true])
  func pageSize(isMoving: Bool) throws {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    for _ in 0..<10 { try device.list.append(["text": "", "other": ""], by: &device.me) }
    let ids = device.list.map(\.id)
    var source = ChoiceSource(seed: 5)
    var largest = 0
    for _ in 0..<2_000 {
      let id = source.pick(ids)
      if isMoving {
        // Long keys at one end of the list, short ones at the other.
        let offset = source.chance(1, in: 3) ? device.list.count : source.next(below: 3)
        try device.list.move(id, toOffset: offset, by: &device.me)
      } else {
        let text = String(repeating: "x", count: source.next(below: 200))
        try device.list.set(
          source.pick(["text", "other"]), of: id, to: .string(text), by: &device.me)
      }
      let page = device.list.store.page(Slot(0))
      let live =
        (0..<page.contentCount).reduce(0) { $0 + page.content(at: $1).position.key.length }
        + (0..<page.fieldCount).reduce(0) { $0 + page.field(Int32($1)).value.length }
      largest = max(largest, page.arena.bytes.count - live)
      #expect(page.arena.bytes.count <= max(2 * live, live + 512) + 200)
    }
    #expect(largest > 256, "hardly anything became garbage")
  }
}
