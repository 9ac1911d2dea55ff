extension ReplicatedList {
  /// Whether a delta brings something new under numbers that this list's version covers.
  ///
  /// It does where numbers were used twice, by a document and its copy, say, which both were written
  /// on. Merging takes such writes in, but no version tells of them.
  ///
  /// - Complexity: O(*k*) for *k* entries, and O(log *n*) for each whose number is covered
  package func lacksUnderKnownNumbers(_ delta: Delta) -> Bool {
    let known = delta.replicas.rows.map { version[$0.id] }
    return delta.rows.contains { row in
      guard row.sequence <= known[Int(row.replica)] else { return false }
      let entry = delta.entry(row)
      let held = self.entry(at: RegisterAddress(entry.item, register: entry.register))
      return held?.isLess(than: entry) ?? true
    }
  }
}
