extension ReplicatedList {
  /// 32 bytes that are equal iff two lists hold the same entries.
  ///
  /// The version takes no part.
  ///
  /// - Complexity: O(1) and the pages that changed since ``settleDigest()``
  public var digest: Digest { Digest(store.sum(sumOfEntries)) }

  /// The digest of a list that lacks some registers of this one.
  ///
  /// - Complexity: as for ``digest``, and O(log *n*) for each register
  package func digest(leavingOut registers: some Sequence<RegisterAddress>) -> Digest {
    var sum = store.sum(sumOfEntries)
    for address in registers {
      guard let slot = slot(address.item) else { continue }
      store.page(slot).forEachEntry(of: slot.place, self.registers, replicas) { entry in
        guard entry.register == address.register else { return }
        var bytes: [UInt8] = []
        entry.appendCanonicalBytes(to: &bytes)
        var one = EntrySum()
        one.add(digest: SHA256.hash(bytes))
        sum.subtract(one)
      }
    }
    return Digest(sum)
  }

  /// The digest that merging a few entries of different registers leads to.
  ///
  /// - Complexity: as for ``digest``, and O(log *n*) for each entry
  package func digest(merging entries: some Sequence<Entry>) -> Digest {
    var sum = store.sum(sumOfEntries)
    for entry in entries {
      if let held = self.entry(at: RegisterAddress(entry.item, entry.register)) {
        guard held.isLess(than: entry) else { continue }
        sum.subtract(held)
      }
      sum.add(entry)
    }
    return Digest(sum)
  }

  /// The number of entries: registers that were ever written.
  ///
  /// - Complexity: as for ``digest``
  public var entryCount: Int { Int(truncatingIfNeeded: store.sum(countOfEntries).count) }

  /// Keeps what ``digest`` would compute, so that the next digests of this list and its copies only
  /// look at what changes from here on.
  ///
  /// Call it where a list stays: after loading, after a merge.
  ///
  /// - Complexity: O(the pages that changed)
  public mutating func settleDigest() { store.settle(sumOfEntries) }

  private func sumOfEntries(_ page: Page) -> EntrySum {
    var hasher = EntryHasher()
    for place in page.items.indices {
      let record = page.items[place]
      let life = record.life
      if life.isWritten {
        Cost.count(.entryHash)
        hasher.add { bytes in
          record.id.appendCanonicalHead(
            .life, life.time, replicas[life.replica], life.sequence, 8, to: &bytes)
          bytes.appendBigEndian(life.length)
        }
      }
      let position = record.position
      if position.isWritten {
        Cost.count(.entryHash)
        hasher.add { bytes in
          record.id.appendCanonicalHead(
            .position, position.time, replicas[position.replica], position.sequence,
            8 + position.key.length, to: &bytes)
          bytes.appendBigEndian(UInt64(bitPattern: position.section) ^ 1 << 63)
          page.arena.append(position.key, to: &bytes)
        }
      }
      var index = record.firstField
      while index != FieldRecord.none {
        let field = page.fields[Int(index)]
        Cost.count(.entryHash)
        hasher.add { bytes in
          record.id.appendCanonicalHead(
            registers[field.name], field.time, replicas[field.replica], field.sequence,
            field.value.length, to: &bytes)
          page.arena.append(field.value, to: &bytes)
        }
        index = field.next
      }
    }
    return hasher.finish()
  }

  private func countOfEntries(_ page: Page) -> EntrySum {
    var count: UInt64 = UInt64(page.fields.count)
    for item in page.items {
      if item.life.isWritten { count += 1 }
      if item.position.isWritten { count += 1 }
    }
    return EntrySum(count: count)
  }
}

/// One register of one item.
package struct RegisterAddress: Hashable, Sendable {
  package let item: ItemID
  package let register: Register

  package init(_ item: ItemID, _ register: Register) {
    self.item = item
    self.register = register
  }
}
