extension ReplicatedList {
  /// What a list of a given version lacks: the entries above it, and the ranges they cover.
  ///
  ///     theirs.merge(mine.delta(since: theirs.version))
  ///
  /// - Parameter version: What the receiver knows. An empty one yields everything.
  /// - Returns: A delta; an empty one if nothing is missing.
  /// - Complexity: O(*k* log *n*) for *k* pages of 64 items with newer writes, O(*n* / 4,096) to find
  ///   them, and O(*r* log *r*) for *r* replicas, of each of which it says what is known
  public func delta(since version: VersionVector) -> Delta {
    delta(since: version, floor: VersionVector())
  }

  /// What a list of a given version and floor lacks.
  ///
  /// Where one of the two lists has forgotten something, an item that was restored since goes whole:
  /// what it held may be forgotten there. The delta says this list's floor unless it is known there.
  ///
  ///     file.append(list.delta(since: before.version, floor: before.floor))
  ///
  /// - Parameters:
  ///   - version: What the receiver knows. An empty one yields everything.
  ///   - floor: What it has forgotten.
  /// - Returns: A delta; an empty one if nothing is missing.
  /// - Complexity: As ``delta(since:)``
  public func delta(since version: VersionVector, floor: VersionVector) -> Delta {
    var delta = version.isEmpty ? everything() : news(since: version, floor: floor)
    delta.floor = floor.covers(self.floor) ? VersionVector() : self.floor
    return delta
  }

  private func news(since version: VersionVector, floor: VersionVector) -> Delta {
    let forgets = !self.floor.isEmpty || !floor.isEmpty
    var known: [Int64] = []
    known.reserveCapacity(replicas.rows.count)
    for row in replicas.rows { known.append(version[row.id]) }
    var delta = emptyDelta()
    for branch in store.branches where branch.newest.exceeds(known) {
      for page in branch.pages where page.newest.exceeds(known) {
        Cost.count(.pageVisit)
        delta.append(page, restoredWhole: forgets, above: known)
      }
    }
    for (row, from) in zip(replicas.rows, known) where row.known > from {
      delta.ranges.append(CoveredRange(replica: row.id, after: from, through: row.known))
    }
    delta.premise = VersionVector(
      zip(replicas.rows, known).map { row, from in
        VersionVector.Component(replica: row.id, sequence: Swift.min(from, row.highest))
      }.filter { $0.sequence > 0 })
    delta.finish(version: self.version)
    return delta
  }

  /// Every entry, with the ranges from the first write on.
  ///
  /// - Complexity: O(*n*), and O(*n* log *n*) if items arrived out of the order of their ids
  func everything() -> Delta {
    var delta = emptyDelta()
    delta.reserve(store)
    // Of nobody anything is known.
    let nothing = [Int64](repeating: 0, count: replicas.rows.count)
    for branch in store.branches {
      for page in branch.pages {
        Cost.count(.pageVisit)
        delta.append(page, restoredWhole: false, above: nothing)
      }
    }
    for row in replicas.rows where row.known > 0 {
      delta.ranges.append(CoveredRange(replica: row.id, after: 0, through: row.known))
    }
    delta.floor = floor
    delta.finish(version: version)
    return delta
  }

  // The tables are the list's own, so that entries need no translation.
  private func emptyDelta() -> Delta {
    var delta = Delta()
    delta.registers = registers
    delta.replicas = replicas
    return delta
  }
}

extension Delta {
  fileprivate mutating func finish(version: VersionVector) {
    sort()
    ranges.sort { $0.replica < $1.replica }
    context = version
  }

  /// Makes room for everything, which growing would move several times.
  fileprivate mutating func reserve(_ store: ItemStore) {
    var entryCount = 0
    var byteCount = 0
    for branch in store.branches {
      for page in branch.pages {
        entryCount += page.itemCount + page.contentCount + page.fieldCount
        byteCount += page.itemCount * 8 + page.contentCount * 8 + page.arena.bytes.count
      }
    }
    rows.reserveCapacity(entryCount)
    bytes.reserveCapacity(byteCount)
  }

  /// Appends the entries of a page above what is known of each replica, and all of an item that was
  /// restored if its life is one of them.
  fileprivate mutating func append(_ page: Page, restoredWhole: Bool, above known: [Int64]) {
    guard page.packed == nil else {
      return append(page.unpacked, restoredWhole: restoredWhole, above: known)
    }
    // A copy of each record that is looked at would be most of the work where little is news.
    let (items, contents, fields) = (page.items, page.contents, page.fields)
    var start = 0
    while let place = page.firstNews(from: start, above: known) {
      start = place + 1
      let isLifeNews =
        items[place].life.isWritten
        && items[place].life.sequence > known[Int(items[place].life.replica)]
      let isWhole = restoredWhole && isLifeNews && items[place].life.isLaterThanRemoval
      if isLifeNews { append(items[place]) }
      guard let index = page.contentIndex(place) else { continue }
      if contents[index].position.isWritten,
        isWhole
          || contents[index].position.sequence > known[Int(contents[index].position.replica)]
      {
        append(contents[index].position, of: items[place].id, in: page.arena)
      }
      var next = contents[index].firstField
      while next != FieldRecord.none {
        let field = Int(next)
        if isWhole || fields[field].sequence > known[Int(fields[field].replica)] {
          append(fields[field], of: items[place].id, in: page.arena)
        }
        next = fields[field].next
      }
    }
  }

  private mutating func append(_ item: ItemRecord) {
    let start = bytes.count
    bytes.appendBigEndian(item.life.length)
    append(
      item.id, register: .life, at: item.life.time, sequence: item.life.sequence,
      by: item.life.replica, start: start)
  }

  private mutating func append(
    _ position: PositionRecord, of item: ItemID, in arena: ByteArena
  ) {
    let start = bytes.count
    arena.append(UInt64(bitPattern: position.section) ^ 1 << 63, position.key, to: &bytes)
    append(
      item, register: .position, at: position.time, sequence: position.sequence,
      by: position.replica, start: start)
  }

  private mutating func append(_ field: FieldRecord, of item: ItemID, in arena: ByteArena) {
    let start = bytes.count
    arena.append(field.value, to: &bytes)
    append(
      item, register: RegisterCode(index: field.name), at: field.time, sequence: field.sequence,
      by: field.replica, start: start)
  }

  private mutating func append(
    _ item: ItemID, register: RegisterCode, at time: UInt64, sequence: Int64,
    by replica: UInt32, start: Int
  ) {
    rows.append(
      Row(
        item: item, time: time, sequence: sequence, replica: replica, register: register,
        start: start, count: bytes.count - start))
  }
}

extension Page {
  /// The first place from one on whose item has a write above what is known of its replica; `nil` if
  /// there is none.
  ///
  /// By itself, so that all it needs stays in registers: of most items nothing is news. Registers that
  /// were never written have the number 0, above which everything is known.
  @inline(never)
  fileprivate func firstNews(from start: Int, above known: [Int64]) -> Int? {
    guard !known.isEmpty else { return nil }
    for place in start..<items.count {
      if items[place].life.sequence > known[Int(items[place].life.replica)] { return place }
      let index = isAligned ? place : Int(items[place].content)
      // What holds nothing has an index that no content has.
      guard index < contents.count else { continue }
      if contents[index].position.sequence > known[Int(contents[index].position.replica)] {
        return place
      }
      var next = contents[index].firstField
      while next != FieldRecord.none {
        if fields[Int(next)].sequence > known[Int(fields[Int(next)].replica)] { return place }
        next = fields[Int(next)].next
      }
    }
    return nil
  }
}
