extension UndoHistory {
  /// An entry that was written again with the same value, in place of one that is nowhere any more.
  package struct Rewrite: Hashable, Sendable {
    package let old: Entry
    package let new: Entry

    package init(old: Entry, new: Entry) {
      self.old = old
      self.new = new
    }
  }

  /// Takes writes for those that they were made in place of.
  ///
  /// What the steps hold of items that come back as a whole is mended too: the old entries, and those
  /// before them, may be greater than the new ones and would beat them.
  ///
  /// - Parameter rewrites: What was written again.
  package mutating func meet(_ rewrites: [Rewrite]) {
    guard !rewrites.isEmpty else { return }
    bringAll()
    var news: [RegisterAddress: Entry] = [:]
    for rewrite in rewrites {
      let address = RegisterAddress(rewrite.new.item, register: rewrite.new.register)
      standIns.note(
        rewrite.new.dot, of: address, standsFor: standIns.state(of: rewrite.old).root)
      news[address] = rewrite.new
    }
    for window in stacks.keys {
      stacks[window]?.undos.meet(news)
      stacks[window]?.redos.meet(news)
    }
  }
}

extension [UndoStep] {
  fileprivate mutating func meet(_ news: [RegisterAddress: Entry]) {
    for step in indices {
      for item in self[step].items.indices {
        self[step].items[item].whole = self[step].items[item].whole.map { entry in
          let new = news[RegisterAddress(entry.item, register: entry.register)]
          guard let new, new.isLess(than: entry) else { return entry }
          return new
        }
      }
    }
  }
}
