extension ReplicatedList {
  /// 32 bytes that are equal iff two lists hold the same entries.
  ///
  /// The version takes no part.
  ///
  /// - Complexity: O(1) and the pages that changed since ``settleDigest()``
  public var digest: Digest { Digest(store.sum(sumOfEntries)) }

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
    var sum = EntrySum()
    var bytes: [UInt8] = []
    for place in page.items.indices {
      page.forEachEntry(of: place, registers, replicas) { entry in
        Cost.count(.entryHash)
        bytes.removeAll(keepingCapacity: true)
        entry.appendCanonicalBytes(to: &bytes)
        sum.add(SHA256.digest(bytes))
      }
    }
    return sum
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
