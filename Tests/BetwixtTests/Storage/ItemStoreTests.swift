import Testing

@testable import Betwixt

/// Items with their registers, in the fewest words: what a store must be read back as.
private struct NaiveItems {
  struct Write: Equatable {
    var sequence: Int64
    var value: [UInt8]
  }

  struct Item: Equatable {
    var id: ItemID
    var life: (sequence: Int64, length: UInt64)?
    var position: Write?
    var fields: [UInt32: Write] = [:]

    static func == (left: Item, right: Item) -> Bool {
      left.id == right.id && left.life?.sequence == right.life?.sequence
        && left.life?.length == right.life?.length && left.position == right.position
        && left.fields == right.fields
    }

    /// Takes what lies at or below a number; how many registers that were.
    mutating func forget(below floor: Int64) -> Int {
      guard let life, life.length % 2 == 0, life.sequence <= floor, id != .root else { return 0 }
      let before = fields.count + (position == nil ? 0 : 1)
      fields = fields.filter { $0.value.sequence > floor }
      if let sequence = position?.sequence, sequence <= floor { position = nil }
      return before - fields.count - (position == nil ? 0 : 1)
    }
  }

  var items: [Item] = []

  /// Items with a life and a place, and removed ones.
  var completeCount: Int {
    items.count { item in
      item.life.map { item.position != nil || $0.length % 2 == 0 } ?? false
    }
  }
}

@Suite("The store of items")
struct ItemStoreTests {
  private static let names = RegisterTable(
    ["a", "b", "c", "d", "e"].map { Register.field($0) })

  /// A store with what it must hold, and edits of both.
  private struct Pair {
    var store = ItemStore()
    var naive = NaiveItems()
    var sequence: Int64 = 0

    mutating func append() {
      let id = ItemID(high: 1, low: UInt64(naive.items.count))
      #expect(store.append(id) == Slot(naive.items.count))
      naive.items.append(NaiveItems.Item(id: id))
    }

    mutating func setLife(_ number: Int) {
      sequence += 1
      let length = (naive.items[number].life?.length ?? 0) + 1
      store.setLife(
        Slot(number), life: LifeRecord(time: 7, sequence: sequence, length: length, replica: 0))
      naive.items[number].life = (sequence, length)
    }

    mutating func setPosition(_ number: Int, _ key: [UInt8]) {
      sequence += 1
      let bytes = key[...]
      store.setPosition(
        Slot(number),
        position: PositionRecord(time: 7, sequence: sequence, section: sequence, replica: 0),
        key: bytes.span)
      naive.items[number].position = .init(sequence: sequence, value: key)
    }

    mutating func setField(_ number: Int, _ name: UInt32, _ value: [UInt8]) {
      sequence += 1
      let bytes = value[...]
      store.setField(
        Slot(number),
        field: FieldRecord(
          time: 7, sequence: sequence, value: ByteArena.Reference(), replica: 0, name: name,
          next: FieldRecord.none),
        value: bytes.span, names: ItemStoreTests.names)
      naive.items[number].fields[name] = .init(sequence: sequence, value: value)
    }

    mutating func forget(_ number: Int?, below floor: Int64) {
      let lost: Int
      if let number {
        lost = store.forget(Slot(number)) { $1 <= floor }
        #expect(naive.items[number].forget(below: floor) == lost)
      } else {
        lost = store.forgetAll { $1 <= floor }
        #expect(
          naive.items.indices.reduce(0) { $0 + naive.items[$1].forget(below: floor) } == lost)
      }
    }

    /// What the store holds of an item.
    private func held(_ number: Int) -> NaiveItems.Item {
      let slot = Slot(number)
      let record = store.record(slot)
      var item = NaiveItems.Item(id: record.id)
      if record.life.isWritten { item.life = (record.life.sequence, record.life.length) }
      let position = store.position(slot)
      if position.isWritten {
        #expect(position.section == position.sequence)
        item.position = .init(sequence: position.sequence, value: Array(store.key(slot)))
      }
      let page = store.page(slot)
      var index = page.firstField(slot.place)
      var last: UInt32?
      while index != FieldRecord.none {
        let field = page.field(index)
        #expect(last.map { $0 < field.name } ?? true, "fields rise by register")
        last = field.name
        item.fields[field.name] = .init(sequence: field.sequence, value: Array(page.value(index)))
        index = field.next
      }
      return item
    }

    func check(_ comment: Comment) {
      #expect(store.count == naive.items.count, comment)
      #expect(store.completeCount == naive.completeCount, comment)
      for number in naive.items.indices {
        let held = held(number)
        #expect(held == naive.items[number], comment)
        #expect(store.record(Slot(number)).hasPosition == (held.position != nil), comment)
      }
      for branch in store.branches {
        for page in branch.pages { #expect(page.fault == nil, comment) }
      }
    }
  }

  private static func bytes(_ source: inout ChoiceSource) -> [UInt8] {
    [UInt8](repeating: UInt8(source.next(below: 256)), count: source.pick([0, 1, 9, 70, 3_000]))
  }

  private static func edit(_ pair: inout Pair, _ source: inout ChoiceSource) {
    let count = pair.naive.items.count
    guard count > 0, source.next(below: 8) > 0 else { return pair.append() }
    let number = source.next(below: count)
    switch source.next(below: 17) {
    case 0..<5: pair.setLife(number)
    case 5..<9: pair.setPosition(number, bytes(&source))
    case 9..<13: pair.setField(number, UInt32(source.next(below: 5)), bytes(&source))
    case 13: pair.store.settle { _ in EntrySum() }
    case 14: pair.forget(nil, below: Int64(source.next(below: Int(pair.sequence) + 1)))
    default: pair.forget(number, below: Int64(source.next(below: Int(pair.sequence) + 1)))
    }
  }

  @Test(
    "it is read back after any edits, and so are its copies", arguments: 0..<30 as Range<UInt64>)
  func readingBack(seed: UInt64) {
    var source = ChoiceSource(seed: seed)
    var pair = Pair()
    // More than a page in some of the cases.
    for _ in 0..<source.next(below: 80) { pair.append() }
    for round in 0..<40 {
      let copy = pair
      for _ in 0..<5 { Self.edit(&pair, &source) }
      pair.check("seed \(seed), round \(round)")
      copy.check("seed \(seed), the copy of round \(round)")
    }
  }

  @Test("an item that was forgotten and is put somewhere again holds nothing of old")
  func puttingAgain() {
    var pair = Pair()
    for number in 0..<3 {
      pair.append()
      pair.setLife(number)
      pair.setPosition(number, [1, 2, 3])
      pair.setField(number, 1, [4])
    }
    for number in [0, 1] { pair.setLife(number) }
    pair.forget(nil, below: pair.sequence)
    pair.check("forgotten")
    let copy = pair
    // Without gaps the item that kept its place has another index, and the next one that of old.
    pair.setField(1, 3, [5])
    pair.setPosition(0, [6])
    pair.setLife(0)
    pair.setPosition(2, [7, 8])
    pair.check("put again")
    copy.check("the copy")
  }

  @Test("an item that is forgotten leaves nothing but its record")
  func whatIsLeft() {
    #expect(MemoryLayout<ItemRecord>.stride <= 48)
    #expect(MemoryLayout<ContentRecord>.stride <= 40)
    var pair = Pair()
    for number in 0..<3 * Slot.fanOut {
      pair.append()
      pair.setLife(number)
      pair.setPosition(number, [1, 2, 3])
      for name in 0..<5 as Range<UInt32> { pair.setField(number, name, [4]) }
    }
    // Of the second page one item stays.
    for number in 0..<2 * Slot.fanOut where number != 100 { pair.setLife(number) }
    pair.forget(nil, below: pair.sequence)
    let pages = pair.store.branches[0].pages
    #expect(pages[0].contentCount == 0 && pages[0].fieldCount == 0)
    #expect(pages[0].arena.bytes.capacity == 0)
    #expect(pages[1].contentCount == 1 && pages[1].fieldCount == 5)
    // Four bytes for each, and what the records of a kind share.
    #expect(pages[0].byteCount < 6 * Slot.fanOut)
    #expect(pages[1].byteCount < 10 * Slot.fanOut)
    #expect(pages[2].contentCount == Slot.fanOut)
  }
}
