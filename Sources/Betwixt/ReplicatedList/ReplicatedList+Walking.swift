/// An entry of a list as a codec writes it, its value beside it.
package struct ListEntry: Sendable {
  package let item: ItemID
  /// When it was written, and by which row of ``ReplicatedList/replicaRows``.
  package let stamp: EntryStamp
  /// Its register: `life`, `position`, or a row of ``ReplicatedList/registerRows``.
  package let register: Delta.RegisterCode
  /// Whether no other entry of the item follows.
  package let isLast: Bool
  /// The length of a life, or the section of a position as the bits of a signed number.
  package let number: UInt64

  package init(
    item: ItemID, stamp: EntryStamp, register: Delta.RegisterCode, isLast: Bool, number: UInt64
  ) {
    self.item = item
    self.stamp = stamp
    self.register = register
    self.isLast = isLast
    self.number = number
  }
}

// What a codec needs to write a whole list without making a delta of it.

extension ReplicatedList {
  /// The replicas that entries name by row; perhaps more than they use.
  package var replicaRows: [ReplicaID] { replicas.rows.map { $0.id } }

  /// The registers that entries name by row; perhaps more than they use.
  package var registerRows: [Register] { registers.registers }

  /// What the list may claim of each replica, rising by replica.
  package var ranges: [CoveredRange] {
    replicas.rows.filter { $0.known > 0 }
      .map { CoveredRange(replica: $0.id, after: 0, through: $0.known) }
      .sorted { $0.replica < $1.replica }
  }

  /// How many items and entries there are at most.
  ///
  /// - Complexity: O(*n* / 64)
  package var capacities: (itemCount: Int, entryCount: Int) {
    var (itemCount, contentCount) = (0, 0)
    for branch in store.branches {
      for page in branch.pages {
        itemCount += page.itemCount
        contentCount += page.contentCount + page.fieldCount
      }
    }
    return (itemCount, itemCount + contentCount)
  }

  /// Calls a closure with each entry, rising by item, then by register, and with the key of a position
  /// or the canonical value of a field.
  ///
  /// - Complexity: O(*n*), and O(*n* log *n*) if items arrived out of the order of their ids
  package func forEachEntry(_ body: (ListEntry, Span<UInt8>) -> Void) {
    guard let slots = store.slotsByID else {
      for branch in store.branches {
        for page in branch.pages {
          Cost.count(.pageVisit)
          page.unpacked.forEachEntry(of: 0..<page.itemCount, body)
        }
      }
      return
    }
    for slot in slots {
      store.page(slot).forEachEntry(of: slot.place..<slot.place + 1, body)
    }
  }
}

extension ItemStore {
  /// The slots in the order of their items' ids; `nil` if that is their own.
  var slotsByID: [Slot]? {
    var last: ItemID?
    var isRising = true
    for branch in branches where isRising {
      for page in branch.pages where isRising {
        for place in 0..<page.itemCount {
          let id = page.id(place)
          if let last, id <= last {
            isRising = false
            break
          }
          last = id
        }
      }
    }
    guard !isRising else { return nil }
    let items = (0..<count).map { (id: id(Slot($0)), slot: Slot($0)) }
    return items.sorted { $0.id < $1.id }.map { $0.slot }
  }
}

extension Page {
  /// Calls a closure with each entry of some items, rising by register.
  fileprivate func forEachEntry(of places: Range<Int>, _ body: (ListEntry, Span<UInt8>) -> Void) {
    // One slice for all: each counts a reference to what it is a part of.
    let bytes = arena.bytes[...]
    let none = bytes.span.extracting(first: 0)
    for place in places {
      let record = item(place)
      let content = content(place)
      let position = content.position
      var next = content.firstField
      if record.life.isWritten {
        let life = record.life
        body(
          ListEntry(
            item: record.id,
            stamp: EntryStamp(
              time: life.time, sequence: life.sequence, replica: Int(life.replica)),
            register: .life, isLast: content.isEmpty, number: life.length), none)
      }
      if position.isWritten {
        let entry = ListEntry(
          item: record.id,
          stamp: EntryStamp(
            time: position.time, sequence: position.sequence, replica: Int(position.replica)),
          register: .position, isLast: next == FieldRecord.none,
          number: UInt64(bitPattern: position.section))
        body(entry, bytes.span.extracting(position.key.range))
      }
      while next != FieldRecord.none {
        let field = field(next)
        next = field.next
        let entry = ListEntry(
          item: record.id,
          stamp: EntryStamp(
            time: field.time, sequence: field.sequence, replica: Int(field.replica)),
          register: Delta.RegisterCode(index: field.name), isLast: next == FieldRecord.none,
          number: 0)
        if field.value.isLarge {
          let value = arena[field.value]
          body(entry, value.span)
        } else {
          body(entry, bytes.span.extracting(field.value.range))
        }
      }
    }
  }
}
