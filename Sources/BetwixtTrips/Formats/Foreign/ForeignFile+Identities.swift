import Betwixt

/// What the identity of an item is made of in a file without ids: its text, and which of several alike
/// it is.
struct TextIdentity: Sendable {
  private let space: String
  private let text: String
  private let count: Int

  fileprivate init(_ space: String, _ text: String, count: Int) {
    (self.space, self.text, self.count) = (space, text, count)
  }

  /// The identity.
  var id: ItemID { id(count) }

  /// What is the same for all of one text.
  var key: [UInt8] { Array(text.utf8) }

  /// The identity of one of the same text that stands below so many.
  func id(_ count: Int) -> ItemID {
    ForeignIdentity.hashed(in: space, count == 0 ? text : "\(text)\u{0}\(count)")
  }

  /// The identity of a new row whose own is that of another item.
  static func again(_ id: ItemID) -> ItemID { ForeignIdentity.hashed(in: "again", id.uuid) }
}

/// Gives items of files without ids an identity.
struct TextIdentities {
  let space: String
  private var counts: [[UInt8]: Int] = [:]

  init(_ space: String) { self.space = space }

  mutating func item(_ text: String, line: Int) -> ForeignItem {
    let key = Array(text.utf8)
    let count = counts[key] ?? 0
    counts[key] = count + 1
    return ForeignItem(TextIdentity(space, text, count: count), line: line)
  }
}

extension ForeignFile {
  /// The identities of the items in a list.
  ///
  /// An id of the file's own comes first, wherever it stands. Rows that came before are the items that
  /// were made of them, whatever became of those. Of several items of one text that is meant which
  /// stands on the same day; the others follow one another. What was removed is known on its own day,
  /// as far as that is known: on another one it is something new of the same name. So it is where a base
  /// lacks it that was made when it was known.
  ///
  /// - Parameters:
  ///   - list: The list, or the base; `nil` knows none.
  ///   - days: How the file's days are those of the list.
  ///   - document: The list that takes in what the file has beyond the base; `nil` without one. Then
  ///     also what was removed is meant.
  ///   - past: What of that was there when the base was made.
  ///   - origin: Where the rows come from.
  /// - Returns: One for each item, a note for each that may be a new one, or one that a base lacks, and
  ///   those of the document that were removed and may be older than the base.
  /// - Complexity: O(*n*) for *n* items, and up to 128 looks for each of those alike
  func identities(
    in list: ReplicatedList?, on days: CountedDays, of document: ReplicatedList?, past: ListPast,
    from origin: RowOrigin
  ) -> (ids: [ItemID], doubts: [(line: Int, text: String)], removedHere: Set<ItemID>) {
    var used: Set<ItemID> = []
    for item in items where item.hasOwnID { used.insert(item.id) }
    let matches = TextMatches(list: list, remembersRemoved: document == nil, named: used)
    var (rows, fields) = rows(on: days)
    for index in rows.indices { rows[index].returned = origin.returned?.said[rows[index].id] }
    var known: [ItemID?]
    var names: [ItemID]?
    var doubts: [(line: Int, text: String)] = []
    if case .base(let returned) = origin {
      // One that the file calls by its id is none of its other rows.
      known = returned.meant.map { id in id.flatMap { used.contains($0) ? nil : $0 } }
      names = returned.names
    } else {
      let pairing = TextPairing(rows, in: matches, naming: fields, from: origin)
      known = pairing.ids
      for id in pairing.unsure {
        if let item = list?[id: id] { doubts.append((1, TextMatches.doubtOfLack(of: item))) }
      }
    }
    // What a row below means is nothing new above it.
    for case let id? in known { used.insert(id) }
    var ids: [ItemID] = []
    var removedHere: Set<ItemID> = []
    for (index, item) in items.enumerated() {
      var id = known[index] ?? names?[index] ?? item.id
      // An item of the list may have got the text of one and hold the identity of another, and so may
      // one that was removed elsewhere.
      if known[index] == nil, !item.hasOwnID {
        var removed = document?.removedItem(id)
        while !used.insert(id).inserted || matches.isAnother(id, than: rows[index])
          || removed.map({ past.holds($0) }) ?? false
        {
          id = TextIdentity.again(id)
          removed = document?.removedItem(id)
        }
        if let removed {
          removedHere.insert(id)
          doubts.append((item.line, TextMatches.doubt(of: removed)))
        }
      }
      if !item.hasOwnID, !origin.isEarlierList, let doubt = matches.doubt(of: rows[index], as: id) {
        doubts.append((item.line, doubt))
      }
      ids.append(id)
    }
    return (ids, doubts, removedHere)
  }

  /// The rows as they are looked for, and the fields that those without ids have.
  func rows(on days: CountedDays) -> ([TextRow], fields: Set<FieldName>) {
    var names: Set<FieldName> = []
    for item in items where !item.hasOwnID { names.formUnion(item.fields.keys) }
    let rows = items.map { item in
      var values = item.fields.compactMapValues { $0 }
      for (name, value) in item.defaults where names.contains(name) && item.fields[name] == nil {
        values[name] = value
      }
      return TextRow(
        identity: item.hasOwnID ? nil : item.textIdentity, id: item.id,
        text: Array(item.text.utf8), section: section(of: item, on: days),
        isPlaced: !item.isDayAssumed && (item.day != nil || item.date != nil), values: values)
    }
    return (rows, names)
  }
}

extension ReplicatedList {
  /// An item that was removed; `nil` for another one.
  fileprivate func removedItem(_ id: ItemID) -> ListItem? {
    self[id: id].flatMap { $0.isRemoved ? $0 : nil }
  }
}
