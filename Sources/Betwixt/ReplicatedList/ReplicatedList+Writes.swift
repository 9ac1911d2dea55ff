extension ReplicatedList {
  /// The writes of a replica above a number that registers still show, rising by number.
  ///
  /// - Complexity: O(*k* log *k*) for *k* pages of 64 items with such writes, and O(*n* / 4,096) to
  ///   find them
  package func writes(by replica: ReplicaID, after sequence: Int64) -> [Entry] {
    guard let writer = replicas.index(of: replica) else { return [] }
    var entries: [Entry] = []
    for branch in store.branches where branch.newest.exceeds(sequence, of: writer) {
      for page in branch.pages where page.newest.exceeds(sequence, of: writer) {
        for place in 0..<page.itemCount where page.hasWrite(place, by: writer, after: sequence) {
          page.forEachEntry(of: place, registers: registers, replicas: replicas) { entry in
            if entry.replica == replica, entry.sequence > sequence { entries.append(entry.entry) }
          }
        }
      }
    }
    return entries.sorted { $0.sequence < $1.sequence }
  }
}

extension Page {
  /// Whether a register of an item shows a write of a replica above a number.
  fileprivate func hasWrite(_ place: Int, by replica: UInt32, after sequence: Int64) -> Bool {
    let life = item(place).life
    if life.replica == replica, life.sequence > sequence { return true }
    let content = content(place)
    if content.position.replica == replica, content.position.sequence > sequence { return true }
    var index = content.firstField
    while index != FieldRecord.none {
      let field = field(index)
      if field.replica == replica, field.sequence > sequence { return true }
      index = field.next
    }
    return false
  }
}
