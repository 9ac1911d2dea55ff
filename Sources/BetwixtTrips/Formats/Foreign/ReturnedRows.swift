import Betwixt

/// What the rows of a file are in its base.
///
/// The two files alone say that, whatever became of the list since: so a file that is taken in twice
/// means the same. What it has anew gets an identity that no row of the base has, wherever it stands.
struct ReturnedRows {
  /// For each row the item of the base that it means; `nil` for a new one, and for one with an id.
  private(set) var meant: [ItemID?]

  /// What the file says now of the items of the base, by the identities of the base alone.
  private(set) var said: [ItemID: TextSaid] = [:]

  /// For each row the identity that it begins with as a new item.
  let names: [ItemID]

  /// What the new rows begin with.
  let added: Set<ItemID>

  /// The items of the base that the file lacks.
  let gone: Set<ItemID>

  /// - Parameters:
  ///   - file: The file.
  ///   - base: What its base says, by the identities of the base alone.
  ///   - baseRows: The rows of the base.
  ///   - days: How the file's days are those of the base.
  /// - Complexity: As ``TextPairing``
  init(
    _ file: ForeignFile, in base: ReplicatedList, of baseRows: [ForeignItem], on days: CountedDays
  ) {
    let (rows, fields) = file.rows(on: days)
    let named = Set(file.items.filter { $0.hasOwnID }.map { $0.id })
    let matches = TextMatches(list: base, remembersRemoved: false, named: named)
    meant = TextPairing(rows, in: matches, naming: fields, from: .list).ids
    var counts: [[UInt8]: Int] = [:]
    for row in baseRows where !row.hasOwnID {
      if let identity = row.textIdentity { counts[identity.key, default: 0] += 1 }
    }
    for (row, id) in zip(rows, meant) {
      if let id { said[id] = TextSaid(values: row.values, section: row.section) }
    }
    var names: [ItemID] = []
    var added: Set<ItemID> = []
    for (index, row) in file.items.enumerated() {
      var name = row.id
      if meant[index] == nil, let identity = rows[index].identity {
        // Below a row that is called by its id another one of the text gave way.
        if let count = counts[identity.key] {
          name = identity.id(count)
          counts[identity.key] = count + 1
        }
        added.insert(name)
      }
      names.append(name)
    }
    (self.names, self.added) = (names, added)
    var gone: Set<ItemID> = []
    // Of what could not be read nobody knows what it is.
    if !file.hasUnknownSkips {
      let left = named.union(meant.compactMap { $0 }).union(file.skippedIDs)
      gone = Set(base.map { $0.id }).subtracting(left)
    }
    self.gone = gone
  }

  /// Calls the items of the base as a list does.
  mutating func rename(_ ids: [ItemID: ItemID]) {
    meant = meant.map { id in id.map { ids[$0] ?? $0 } }
  }
}
