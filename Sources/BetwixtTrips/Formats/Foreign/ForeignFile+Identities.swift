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
  var id: ItemID {
    ForeignIdentity.hashed(in: space, count == 0 ? text : "\(text)\u{0}\(count)")
  }

  /// The identity of the next one of the same text.
  fileprivate var next: ItemID { TextIdentity(space, text, count: count + 1).id }

  /// The text, by the bytes: texts that only look alike are two.
  fileprivate var key: [UInt8] { Array(text.utf8) }
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
  /// as far as that is known: on another one it is something new of the same name.
  ///
  /// - Parameters:
  ///   - list: The list; `nil` knows none.
  ///   - days: How the file's days are those of the list.
  ///   - remembersRemoved: Whether also what was removed there is meant.
  ///   - isWritten: Whether the file was written from the list, so that its rows stand as in that.
  /// - Returns: One for each item, and a note for each that may be a new one.
  /// - Complexity: O(*n*) for *n* items, and up to 16 looks for each of those alike
  func identities(
    in list: ReplicatedList?, on days: CountedDays, remembersRemoved: Bool, isWritten: Bool
  ) -> (ids: [ItemID], doubts: [(line: Int, text: String)]) {
    var used: Set<ItemID> = []
    var names: Set<FieldName> = []
    for item in items {
      if item.hasOwnID { used.insert(item.id) } else { names.formUnion(item.fields.keys) }
    }
    var matches = TextMatches(
      in: list, without: used, naming: names, remembersRemoved: remembersRemoved)
    let rows = rows(on: days)
    let known = known(rows, in: &matches, isWritten: isWritten)
    // What a row below means is nothing new above it.
    for case let id? in known { used.insert(id) }
    var ids: [ItemID] = []
    var doubts: [(line: Int, text: String)] = []
    for (index, item) in items.enumerated() {
      var id = known[index] ?? item.id
      // An item of the list may have got the text of one and hold the identity of another, and so may
      // one that was removed elsewhere.
      if known[index] == nil, !item.hasOwnID {
        while !used.insert(id).inserted || matches.isRemoved(id, elsewhereThan: rows[index]) {
          id = ForeignIdentity.hashed(in: "again", id.uuid)
        }
      }
      if !item.hasOwnID, let doubt = matches.doubt(of: rows[index], as: id) {
        doubts.append((item.line, doubt))
      }
      ids.append(id)
    }
    return (ids, doubts)
  }

  private func rows(on days: CountedDays) -> [TextRow] {
    items.map { item in
      TextRow(
        id: item.id, text: Array(item.text.utf8), section: section(of: item, on: days),
        isPlaced: !item.isDayAssumed && (item.day != nil || item.date != nil), fields: item.fields,
        valueCount: item.fields.values.count { $0 != nil })
    }
  }

  /// The items of a list that rows mean; `nil` for those that have an id, or are new there.
  private func known(
    _ rows: [TextRow], in matches: inout TextMatches, isWritten: Bool
  ) -> [ItemID?] {
    var known: [ItemID?] = rows.map { _ in nil }
    if !isWritten {
      for index in rowsThatCameBefore(rows, in: matches) {
        known[index] = matches.takeOwn(rows[index])
      }
    }
    var left = rows.indices.filter { !items[$0].hasOwnID && known[$0] == nil }
    for way in TextMatches.Way.allCases where !(isWritten && (way.isOwn || way.isOfMoves)) {
      // One way after the other, so that no row takes what is more surely another's.
      left.removeAll { index in
        known[index] = matches.take(rows[index], by: way)
        return known[index] != nil
      }
    }
    return known
  }

  /// The rows of texts that stand in the file as often as items were made of them, where nothing
  /// speaks against any: they came before, and each is known by its identity.
  private func rowsThatCameBefore(_ rows: [TextRow], in matches: TextMatches) -> [Int] {
    var last: [[UInt8]: TextIdentity] = [:]
    var others: Set<[UInt8]> = []
    for (index, row) in rows.enumerated() where !items[index].hasOwnID {
      guard let identity = items[index].textIdentity else { continue }
      last[identity.key] = identity
      if !matches.isFrom(row) { others.insert(identity.key) }
    }
    for (key, identity) in last where !others.contains(key) {
      if matches.knows(identity.next) { others.insert(key) }
    }
    return rows.indices.filter { index in
      guard !items[index].hasOwnID, let identity = items[index].textIdentity else { return false }
      return !others.contains(identity.key)
    }
  }
}
