extension ReplicatedList {
  /// Whether a delta brings something new under numbers that this list's version covers.
  ///
  /// It does where numbers were used twice, by a document and its copy, say, which both were written
  /// on. Merging takes such writes in, but no version tells of them. What merging drops again, because
  /// its item is forgotten, is nothing new; an item that was restored since gets it back.
  ///
  /// - Complexity: O(*k*) for *k* entries, and as ``entries(at:)`` for those whose numbers are covered
  package func lacksUnderKnownNumbers(_ delta: Delta) -> Bool {
    let known = delta.replicas.rows.map { version[$0.id] }
    let entries = delta.rows.filter { $0.sequence <= known[Int($0.replica)] }
      .map { delta.entry($0) }
    return zip(entries, self.entries(at: entries.map { $0.address })).contains { entry, held in
      guard held?.isLess(than: entry) ?? true else { return false }
      return !forgets(entry)
    }
  }

  /// Whether merging a write drops it again with the rest of an item that was removed.
  private func forgets(_ entry: Entry) -> Bool {
    guard floor.covers(entry.dot), entry.register != .life, let slot = slot(entry.item) else {
      return false
    }
    return isForgotten(slot)
  }
}
