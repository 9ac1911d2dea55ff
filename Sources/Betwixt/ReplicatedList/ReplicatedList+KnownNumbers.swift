extension ReplicatedList {
  /// Whether a delta brings something new under numbers that this list's version covers.
  ///
  /// It does where numbers were used twice, by a document and its copy, say, which both were written
  /// on. Merging takes such writes in, but no version tells of them. What was held once and is
  /// forgotten is nothing new.
  ///
  /// - Complexity: O(*k*) for *k* entries, and as ``entries(at:)`` for those whose numbers are covered
  package func lacksUnderKnownNumbers(_ delta: Delta) -> Bool {
    let known = delta.replicas.rows.map { version[$0.id] }
    let entries = delta.rows.filter { $0.sequence <= known[Int($0.replica)] }
      .map { delta.entry($0) }
    return zip(entries, self.entries(at: entries.map { $0.address })).contains { entry, held in
      guard held?.isLess(than: entry) ?? true else { return false }
      return !mayHaveForgotten(entry, holding: held)
    }
  }

  /// Whether a write that is not held may have gone with the rest of an item that was removed.
  private func mayHaveForgotten(_ entry: Entry, holding held: Entry?) -> Bool {
    guard floor.covers(entry.dot), entry.register != .life, let slot = slot(entry.item) else {
      return false
    }
    // Whose life is longer was removed before; from any other nothing was ever taken.
    let life = store.record(slot).life
    let wasRemoved = life.length > 1 && entry.item != .root
    return wasRemoved && (held == nil || isForgotten(slot))
  }
}
