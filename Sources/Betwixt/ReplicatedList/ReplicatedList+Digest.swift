extension ReplicatedList {
  /// 32 bytes that are equal iff two lists hold the same entries.
  ///
  /// The version takes no part.
  ///
  /// - Complexity: O(1) and the pages that changed since ``settleDigest()``
  public var digest: Digest { Digest(store.sum(sumOfEntries)) }

  /// The digest of a list that lacks some registers of this one.
  ///
  /// - Complexity: as for ``digest``, and for ``entries(at:)``
  package func digest(leavingOut registers: some Sequence<RegisterAddress>) -> Digest {
    Digest(sum(leavingOut: registers))
  }

  /// The sum of what ``digest(leavingOut:)`` is the digest of.
  package func sum(leavingOut registers: some Sequence<RegisterAddress>) -> EntrySum {
    var sum = store.sum(sumOfEntries)
    // A register that is named twice is left out once.
    var last: Register?
    var lastItem: ItemID?
    forEachEntry(at: Array(registers)) { _, entry in
      guard entry.item != lastItem || entry.register != last else { return }
      (lastItem, last) = (entry.item, entry.register)
      var bytes: [UInt8] = []
      entry.appendCanonicalBytes(to: &bytes)
      var one = EntrySum()
      one.add(digest: SHA256.hash(bytes))
      sum.subtract(one)
    }
    return sum
  }

  /// The digest that merging a few entries of different registers leads to.
  ///
  /// - Complexity: as for ``digest``, and for ``entries(at:)``
  package func digest(merging entries: [Entry]) -> Digest {
    var sum = store.sum(sumOfEntries)
    for (entry, held) in zip(entries, self.entries(at: entries.map { $0.address })) {
      if let held {
        guard held.isLess(than: entry) else { continue }
        sum.subtract(held)
      }
      sum.add(entry)
    }
    return Digest(sum)
  }

  /// Whether somebody has asked for the digest of what is held, and it takes O(1) since.
  package var isDigestSettled: Bool { store.count > 0 && store.isSettled }

  /// Keeps everything in less memory, each page of 64 items until it is written again.
  ///
  /// A list that was read or merged, or whose digest is settled, is packed. One that was made by edits,
  /// or edited all over since, lies loose: a program that keeps it at hand and has little to write, or
  /// is told that memory is short, packs it. Nothing that the list says changes.
  ///
  ///     var list = ReplicatedList(id: ListID(high: 1, low: 1))
  ///     for title in titles { try list.append(["title": .string(title)], by: &me) }
  ///     list.pack()
  ///
  /// - Complexity: O(the pages that were written since)
  public mutating func pack() { store.pack() }

  /// The number of entries: registers that were ever written.
  ///
  /// - Complexity: as for ``digest``
  public var entryCount: Int { Int(truncatingIfNeeded: store.sum(countOfEntries).count) }

  /// Keeps what ``digest`` would compute, so that the next digests of this list and its copies only
  /// look at what changes from here on, and packs those pages as ``pack()`` does.
  ///
  /// Call it where a list stays: after loading, after a merge.
  ///
  /// - Complexity: O(the pages that changed)
  public mutating func settleDigest() { store.settle(sumOfEntries) }

  // More than these, and hashing whole pages, four entries at a time, takes no longer.
  private static let fewItems = 8

  /// Merges a delta as ``merge(_:)-(Delta)`` does, and keeps the digest settled.
  ///
  /// Where a delta touches few items of a list whose digest was settled, only the entries of those
  /// are hashed, and not the pages on which they stand: what a live session merges is one edit.
  ///
  ///     list.settleDigest()
  ///     list.mergeSettling(edit)
  ///     list.digest              // O(1)
  ///
  /// - Parameter delta: Entries that were checked when the delta was made.
  /// - Returns: What changed.
  /// - Complexity: O(*k* (log *n* + *f*)) for *k* entries of items with *f* fields; and the pages that
  ///   changed, if they are many
  @discardableResult
  package mutating func mergeSettling(_ delta: Delta) -> ListChanges {
    var items: [ItemID] = []
    for row in delta.rows where row.item != items.last { items.append(row.item) }
    // A floor that rises changes other items as well.
    guard items.count <= ReplicatedList.fewItems, store.isSettled, floor.covers(delta.floor) else {
      let changes = merge(delta)
      settleDigest()
      return changes
    }
    // Rising by item, so that each is here once.
    let before = items.map { slot($0).map(sumOfItem) ?? EntrySum() }
    let changes = merge(delta)
    for (item, old) in zip(items, before) {
      guard let slot = slot(item) else { continue }
      var difference = sumOfItem(slot)
      difference.subtract(old)
      store.move(slot, by: difference)
    }
    store.settleWhatMoved(items.compactMap { slot($0) })
    // Whatever else a merge has changed.
    settleDigest()
    return changes
  }

  private func sumOfItem(_ slot: Slot) -> EntrySum {
    var hasher = EntryHasher()
    add(slot.place, of: store.page(slot), to: &hasher)
    return hasher.finish()
  }

  private func sumOfEntries(_ page: Page) -> EntrySum {
    var hasher = EntryHasher()
    for place in 0..<page.itemCount { add(place, of: page, to: &hasher) }
    return hasher.finish()
  }

  private func add(_ place: Int, of page: Page, to hasher: inout EntryHasher) {
    let record = page.item(place)
    let life = record.life
    if life.isWritten {
      Cost.count(.entryHash)
      hasher.add { bytes in
        record.id.appendCanonicalHead(
          .life, at: life.time, by: replicas[life.replica], sequence: life.sequence,
          valueByteCount: 8, to: &bytes)
        bytes.appendBigEndian(life.length)
      }
    }
    let content = page.content(place)
    let position = content.position
    if position.isWritten {
      Cost.count(.entryHash)
      hasher.add { bytes in
        record.id.appendCanonicalHead(
          .position, at: position.time, by: replicas[position.replica], sequence: position.sequence,
          valueByteCount: 8 + position.key.length, to: &bytes)
        bytes.appendBigEndian(UInt64(bitPattern: position.section) ^ 1 << 63)
        page.arena.append(position.key, to: &bytes)
      }
    }
    var index = content.firstField
    while index != FieldRecord.none {
      let field = page.field(index)
      Cost.count(.entryHash)
      hasher.add { bytes in
        record.id.appendCanonicalHead(
          registers[field.name], at: field.time, by: replicas[field.replica],
          sequence: field.sequence,
          valueByteCount: field.value.length, to: &bytes)
        page.arena.append(field.value, to: &bytes)
      }
      index = field.next
    }
  }

  private func countOfEntries(_ page: Page) -> EntrySum {
    var count: UInt64 = UInt64(page.fieldCount)
    for place in 0..<page.itemCount {
      let item = page.item(place)
      if item.life.isWritten { count += 1 }
      if item.hasPosition { count += 1 }
    }
    return EntrySum(count: count)
  }
}

/// One register of one item.
package struct RegisterAddress: Hashable, Sendable {
  package let item: ItemID
  package let register: Register

  package init(_ item: ItemID, register: Register) {
    self.item = item
    self.register = register
  }

  /// Whether what it holds is kept and means nothing: the root is always there, and nowhere.
  var isIgnored: Bool { item == .root && (register == .life || register == .position) }

  /// By item, then by register.
  func isBefore(_ other: RegisterAddress) -> Bool {
    item == other.item ? register < other.register : item < other.item
  }
}

extension Entry {
  /// The register that it is of.
  package var address: RegisterAddress { RegisterAddress(item, register: register) }
}
