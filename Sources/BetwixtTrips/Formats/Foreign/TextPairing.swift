import Betwixt

/// Which item of a list each row of a file without ids means.
///
/// Rows of one text are told apart by what else they say. The identity of a row tells which item was
/// made of it, unless a row of its text came in above it, or went, or the file was written from the
/// list: then each row has the identity of another. So all items that were ever made of rows of a text
/// are looked at together, whatever became of them, the surest pairs first:
///
/// 1. Where as many rows of a text are there as items were made of them, and nothing speaks against
///    any, each is the item of its identity.
/// 2. An item that stands there untouched, and says the same.
/// 3. An item that nothing speaks against, be it moved, renamed, edited or removed since; the one that
///    says most of what the row does comes first.
/// 4. One that was made of such rows and says otherwise: the file changed it, or moved it.
/// 5. Any other item of the text, which was written here or came with another file.
///
/// Of the list as it was those items are meant that were made first, and none that somebody has made
/// since. What tells them apart is what they came with: what was written later may have been written
/// by the very file that comes once more.
struct TextPairing {
  private let rows: [TextRow]
  private let matches: TextMatches
  private let origin: RowOrigin
  private var groups: [TextGroup] = []
  private var taken: Set<ItemID> = []
  /// For each row the item that it means, if it means any.
  private(set) var ids: [ItemID?]
  /// What stays though a row is gone that may be it.
  private(set) var unsure: [ItemID] = []

  /// - Parameters:
  ///   - rows: The rows of the file.
  ///   - matches: The list.
  ///   - names: The fields that rows have.
  ///   - origin: Where the rows come from.
  /// - Complexity: O(*n* log *n*) for *n* rows and items, and up to 128 looks for each row of those
  ///   alike
  init(
    _ rows: [TextRow], in matches: TextMatches, naming names: Set<FieldName>, from origin: RowOrigin
  ) {
    (self.rows, self.matches, self.origin) = (rows, matches, origin)
    ids = rows.map { _ in nil }
    guard matches.list != nil else { return }
    gather(naming: names)
    if origin.isEarlierList { takeEarlier(naming: names) } else { takeNow() }
    for group in groups {
      takeBest(group, of: group.strangers + group.renamed, by: strange)
    }
    if origin.isEarlierList {
      for group in groups {
        straighten(group)
        unsure += group.unsure
      }
    }
  }

  private mutating func takeNow() {
    for group in groups {
      if !origin.isList { takeWhatCameBefore(group) }
      takeSame(group, of: group.series + group.strangers) { !$0.isMoved }
      takeBest(group, of: group.series, by: possible)
      takeSame(group, of: group.strangers) { $0.isMoved }
      takeChanged(group)
    }
  }

  /// Takes the items of the list as it was: first of texts of which nothing is gone, as these tell what
  /// else was there.
  private mutating func takeEarlier(naming names: Set<FieldName>) {
    var newest: [ReplicaID: Timestamp] = [:]
    for isLast in [false, true] {
      for group in groups.indices where groups[group].gone.isEmpty != isLast {
        groups[group].leaveOutYounger(rows: rows) { item in
          newest[item.maker].map { item.birth <= $0 } ?? false
        }
        takeInOrder(groups[group])
        takeWhatCameBefore(groups[group])
        takeWhatIsGone(groups[group])
        let candidates = groups[group].candidates(from: origin)
        takeReturned(groups[group], of: candidates, naming: names)
        takeSame(groups[group], of: candidates) { $0.isUntouched }
        takeBest(groups[group], of: candidates, by: earlier)
        takeChanged(groups[group])
        guard !isLast else { continue }
        for item in candidates where item.isVisible && !isLeft(item) {
          newest[item.maker] = max(newest[item.maker] ?? item.birth, item.birth)
        }
      }
    }
  }

  // MARK: Rows and items

  private mutating func gather(naming names: Set<FieldName>) {
    var places: [[UInt8]: Int] = [:]
    for (index, row) in rows.enumerated() where row.identity != nil {
      let place = places[row.text] ?? groups.count
      if place == groups.count {
        places[row.text] = place
        groups.append(TextGroup())
      }
      groups[place].rows.append(index)
      if origin.returned?.gone.contains(row.id) ?? false { groups[place].gone.append(index) }
      groups[place].isPlaced = groups[place].isPlaced && row.isPlaced
    }
    var made: [ItemID: Int] = [:]
    if !origin.isList {
      for group in groups.indices {
        findSeries(of: group, naming: names)
        for item in groups[group].series + groups[group].added { made[item.id] = group }
      }
    }
    func add(_ item: ListItem) {
      guard !matches.named.contains(item.id), let text = TextMatches.text(of: item),
        let place = places[text]
      else { return }
      let stranger = TextItem(
        item, rank: matches.rank(of: item), naming: names, from: origin, isStranger: true)
      if let group = made[item.id] {
        if group != place { groups[place].renamed.append(stranger) }
      } else {
        groups[place].strangers.append(stranger)
      }
    }
    guard let list = matches.list else { return }
    for item in list { add(item) }
    guard matches.remembersRemoved else { return }
    for item in list.allItems() where item.isRemoved { add(item) }
  }

  /// Finds what was made of the rows of a text, in this or an earlier file, and which of that only a
  /// file with more such rows can have made.
  private mutating func findSeries(of group: Int, naming names: Set<FieldName>) {
    let rowCount = groups[group].rows.count
    guard let list = matches.list, let identity = rows[groups[group].rows[0]].identity else {
      return
    }
    // What an app made has no such identity; what a file has added to it begins with the next one.
    let least = rowCount + (origin.isEarlierList ? 1 : 0)
    var count = 0
    while true {
      var id = identity.id(count)
      let isAdded = origin.returned?.added.contains(id) ?? false
      let isKnown = matches.knows(id)
      while matches.knows(id), let item = list[id: id] {
        if !matches.named.contains(id) {
          let item = TextItem(item, rank: matches.rank(of: item), naming: names, from: origin)
          if isAdded { groups[group].added.append(item) } else { groups[group].series.append(item) }
          if count >= rowCount { groups[group].later.insert(id) }
        }
        // A new row that had the identity of another.
        id = TextIdentity.again(id)
      }
      count += 1
      guard isKnown || isAdded || count < least else { return }
    }
  }

  // MARK: Pairs

  private func isLeft(_ row: Int) -> Bool { ids[row] == nil }

  private func isLeft(_ item: TextItem) -> Bool { !taken.contains(item.id) }

  private mutating func take(_ item: TextItem, for row: Int) {
    ids[row] = item.id
    taken.insert(item.id)
  }

  /// Takes each row for the item of its identity, where the file has as many as there are of those, and
  /// nothing speaks against any.
  private mutating func takeWhatCameBefore(_ group: TextGroup) {
    guard group.series.count == group.rows.count else { return }
    var own: [ItemID: TextItem] = [:]
    for item in group.series { own[item.id] = item }
    for index in group.rows {
      guard let item = own[rows[index].id], item.isPlaced(by: rows[index]),
        TextLikeness(rows[index], item).isWhole
      else { return }
    }
    for index in group.rows {
      if let item = own[rows[index].id] { take(item, for: index) }
    }
  }

  /// Takes the items of rows that all say the same in one place, whatever became of them since: those of
  /// their identities, or all that are there, if they are as many.
  private mutating func takeInOrder(_ group: TextGroup) {
    guard group.rows.count > 1 else { return }
    var sections: [Int64: [Int]] = [:]
    for index in group.rows where isLeft(index) {
      sections[spot(ofRow: index, in: group).section, default: []].append(index)
    }
    var items: [Int64: [TextItem]] = [:]
    for item in group.candidates(from: origin) where item.isVisible && isLeft(item) {
      let section = group.isPlaced ? item.section : spot(ofRow: group.rows[0], in: group).section
      if let section { items[section, default: []].append(item) }
    }
    for (section, indices) in sections.sorted(by: { $0.key < $1.key }) where indices.count > 1 {
      takeInOrder(indices, of: items[section] ?? [])
    }
  }

  /// The same for the rows and items of one place: first each that says what no other one does.
  private mutating func takeInOrder(_ indices: [Int], of items: [TextItem]) {
    var counts: [TextContent: Int] = [:]
    for index in indices { counts[rows[index].content, default: 0] += 1 }
    guard counts.count < indices.count else { return }
    var same: [TextContent: [TextItem]] = [:]
    for item in items where item.isUntouched { same[item.content, default: []].append(item) }
    for index in indices where counts[rows[index].content] == 1 {
      if let found = same[rows[index].content], found.count == 1 { take(found[0], for: index) }
    }
    let left = indices.filter(isLeft)
    guard left.count > 1, left.allSatisfy({ rows[$0].content == rows[left[0]].content }) else {
      return
    }
    let rest = items.filter(isLeft)
    let ids = Set(left.map { rows[$0].id })
    let own = rest.filter { ids.contains($0.id) }
    guard let meant = [own, rest].first(where: { $0.count == left.count }) else { return }
    for (index, item) in zip(left, meant) { take(item, for: index) }
  }

  /// Takes what a file took out for the rows that it had no more.
  private mutating func takeWhatIsGone(_ group: TextGroup) {
    var part = group
    part.rows = group.gone
    takeBest(part, of: group.takenOut, by: possible)
    takeBest(part, of: group.takenOut, by: strange)
  }

  /// Takes what has what a row became in the file that was made from this one.
  private mutating func takeReturned(
    _ group: TextGroup, of items: [TextItem], naming names: Set<FieldName>
  ) {
    let contents = group.rows.filter(isLeft).compactMap { index in
      rows[index].returnedContent(naming: names).map { (index: index, content: $0) }
    }
    guard !contents.isEmpty else { return }
    var same: [TextContent: [TextItem]] = [:]
    for item in items.reversed() where item.isVisible && isLeft(item) && !item.isUntouched {
      same[item.content, default: []].append(item)
    }
    for (index, content) in contents {
      if let item = same[content]?.popLast() { take(item, for: index) }
    }
  }

  /// Gives rows that say the same their items in the order in which these were made, whatever became of
  /// which.
  private mutating func straighten(_ group: TextGroup) {
    var alike: [TextContent: [Int]] = [:]
    for index in group.rows where ids[index].map({ group.ages[$0] != nil }) ?? false {
      alike[rows[index].content, default: []].append(index)
    }
    let gone = Set(group.gone)
    for indices in alike.values where indices.count > 1 {
      for part in [indices.filter(gone.contains), indices.filter { !gone.contains($0) }] {
        let items = part.compactMap { ids[$0] }.sorted { one, other in
          (group.ages[one] ?? 0) < (group.ages[other] ?? 0)
        }
        for (index, item) in zip(part, items) { ids[index] = item }
      }
    }
  }

  /// Takes the items that stand where a row puts them and say the same, and no more.
  private mutating func takeSame(
    _ group: TextGroup, of items: [TextItem], where isMeant: (TextItem) -> Bool
  ) {
    let left = group.rows.filter(isLeft)
    guard !left.isEmpty else { return }
    var same: [TextContent: [TextItem]] = [:]
    var own: [ItemID: TextItem] = [:]
    for item in items where item.isVisible && isLeft(item) && isMeant(item) {
      same[item.content, default: []].append(item)
      own[item.id] = item
    }
    guard !same.isEmpty else { return }
    for index in left {
      guard let item = own[rows[index].id], item.content == rows[index].content else { continue }
      take(item, for: index)
    }
    var starts: [TextContent: Int] = [:]
    for index in left where isLeft(index) {
      let content = rows[index].content
      guard let items = same[content] else { continue }
      var start = starts[content] ?? 0
      while start < items.count, !isLeft(items[start]) { start += 1 }
      if start < items.count { take(items[start], for: index) }
      starts[content] = start
    }
  }

  /// How sure it is that a row means an item; what is less comes first.
  private struct Doubt: Comparable {
    /// The kind of the pair.
    var kind: Int
    var equalCount = 0
    /// What the item says too, and did not come with.
    var editedCount = 0
    /// What speaks against it.
    var others = 0
    /// Whether the file must have changed what it says.
    var isChange = false

    static func < (left: Doubt, right: Doubt) -> Bool {
      if left.kind != right.kind { return left.kind < right.kind }
      if left.equalCount != right.equalCount { return left.equalCount > right.equalCount }
      if left.editedCount != right.editedCount { return left.editedCount > right.editedCount }
      return left.others < right.others
    }
  }

  /// A row and an item that it may mean.
  private struct Pair {
    let row: Int
    let item: Int
    let doubt: Doubt
    /// How many of those that were found lie between them.
    var distance = 0
    /// Whether it is none, as all that were found lie between them.
    var isOfLog = false
  }

  /// Takes pairs of rows and items, the surest first; of those that are as sure that with the least
  /// between row and item, then that of the row's identity.
  private mutating func takeBest(
    _ group: TextGroup, of items: [TextItem], by doubt: (TextRow, TextItem) -> Doubt?
  ) {
    let items = items.filter(isLeft)
    var pairs = pairs(group.rows.filter(isLeft), items, by: doubt)
    pairs.sort { $0.doubt < $1.doubt }
    var start = 0
    while start < pairs.count {
      var end = start + 1
      while end < pairs.count, !(pairs[start].doubt < pairs[end].doubt) { end += 1 }
      takeNearest(pairs[start..<end], of: items, in: group)
      start = end
    }
  }

  private func pairs(
    _ left: [Int], _ items: [TextItem], by doubt: (TextRow, TextItem) -> Doubt?
  ) -> [Pair] {
    guard !left.isEmpty, !items.isEmpty else { return [] }
    var places: [ItemID: Int] = [:]
    for (place, item) in items.enumerated() { places[item.id] = place }
    var pairs: [Pair] = []
    func look(_ row: Int, _ item: Int) {
      guard let doubt = doubt(rows[row], items[item]) else { return }
      pairs.append(Pair(row: row, item: item, doubt: doubt))
    }
    let index = items.count > TextPairing.lookCount ? TextValueIndex(items) : nil
    for (place, row) in left.enumerated() {
      let near = TextPairing.near(place, of: items.count)
      for item in near { look(row, item) }
      var others = index?.items(sharingAValueOf: rows[row], atMost: TextPairing.lookCount) ?? []
      if let own = places[rows[row].id], !others.contains(own) { others.append(own) }
      for item in others where !near.contains(item) { look(row, item) }
    }
    return pairs
  }

  /// Takes pairs that are as sure as each other.
  private mutating func takeNearest(
    _ pairs: ArraySlice<Pair>, of items: [TextItem], in group: TextGroup
  ) {
    var left = pairs.filter { isLeft($0.row) && isLeft(items[$0.item]) }
    guard !left.isEmpty else { return }
    // What stands where in the list as it was nobody knows.
    let alignment = origin.isEarlierList ? TextAlignment([]) : alignment(of: group)
    for index in left.indices where !origin.isEarlierList {
      let row = spot(ofRow: left[index].row, in: group)
      let item = spot(of: items[left[index].item], in: group)
      left[index].distance = alignment.distance(row, item)
      left[index].isOfLog = left[index].doubt.isChange && alignment.isOfLog(row, item)
    }
    left.removeAll { $0.isOfLog }
    left.sort { one, other in
      if one.distance != other.distance { return one.distance < other.distance }
      let isOwn = [one, other].map { items[$0.item].id == rows[$0.row].id }
      if isOwn[0] != isOwn[1] { return isOwn[0] }
      let isVisible = [one, other].map { items[$0.item].isVisible }
      if isVisible[0] != isVisible[1] { return isVisible[0] }
      return (one.row, one.item) < (other.row, other.item)
    }
    for pair in left where isLeft(pair.row) && isLeft(items[pair.item]) {
      take(items[pair.item], for: pair.row)
    }
  }

  // MARK: What lies between

  private func spot(ofRow row: Int, in group: TextGroup) -> TextSpot {
    TextSpot(section: group.isPlaced ? rows[row].section : 0, index: row)
  }

  /// Where an item stands that was not dragged since it came; `nil` for another one.
  private func spot(of item: TextItem, in group: TextGroup) -> TextSpot? {
    guard let rank = item.rank, !item.isMoved else { return nil }
    return TextSpot(section: group.isPlaced ? item.section ?? 0 : 0, index: rank)
  }

  /// What was found of a text.
  private func alignment(of group: TextGroup) -> TextAlignment {
    var spots: [ItemID: TextSpot] = [:]
    for item in group.series + group.strangers where !isLeft(item) {
      spots[item.id] = spot(of: item, in: group)
    }
    return TextAlignment(
      group.rows.compactMap { index in
        guard let item = ids[index].flatMap({ spots[$0] }) else { return nil }
        let row = spot(ofRow: index, in: group)
        return row.section == item.section ? (row, item) : nil
      })
  }

  // Thousands of rows of one text would take thousands of looks each.
  private static let lookCount = 64

  /// Those of so many items that a row at a place is held against: all, or those about its own place.
  private static func near(_ place: Int, of count: Int) -> Range<Int> {
    guard count > lookCount else { return 0..<count }
    let start = min(max(place - lookCount / 2, 0), count - lookCount)
    return start..<start + lookCount
  }

  // MARK: Kinds of pairs

  /// An item that was made of such a row, as far as anybody can tell.
  private func possible(_ row: TextRow, _ item: TextItem) -> Doubt? {
    let likeness = TextLikeness(row, item)
    guard item.isPlaced(by: row), likeness.isPossible else { return nil }
    // Its section is one of the values that tell it from others.
    let isInPlace = row.isPlaced && item.section == row.section
    return Doubt(
      kind: 0, equalCount: likeness.equalCount + (isInPlace ? 1 : 0), others: likeness.missingCount)
  }

  /// An item that may have been what a row of the list as it was says.
  private func earlier(_ row: TextRow, _ item: TextItem) -> Doubt? {
    let likeness = TextLikeness(row, item)
    guard item.isPlaced(by: row), likeness.isPossible else { return nil }
    let section = item.isMoved ? row.returned?.section : row.section
    let isInPlace = row.isPlaced && item.section == section
    return Doubt(
      kind: item.isVisible ? 0 : 1,
      equalCount: likeness.equalCount - likeness.editedCount + (isInPlace ? 1 : 0),
      editedCount: likeness.editedCount, others: likeness.missingCount)
  }

  /// Takes the items that were made of rows of the text and say otherwise now, or stand elsewhere.
  private mutating func takeChanged(_ group: TextGroup) {
    takeBest(group, of: group.series) { row, item in
      let likeness = TextLikeness(row, item)
      let isInPlace = item.isPlaced(by: row)
      // What was removed from another day is another one.
      guard isInPlace || item.isVisible else { return nil }
      let kind =
        if likeness.isPossible { likeness.equalCount > 0 ? 0 : 2 } else { isInPlace ? 1 : 3 }
      return Doubt(
        kind: kind, equalCount: likeness.equalCount, others: likeness.contraryCount,
        isChange: !likeness.isPossible)
    }
  }

  /// An item of the text that was made of no row of it, as far as anybody knows.
  private func strange(_ row: TextRow, _ item: TextItem) -> Doubt? {
    let likeness = TextLikeness(row, item)
    let isInPlace = item.section == row.section
    let kind: Int
    if item.isVisible {
      kind = isInPlace ? (item.isMoved ? 1 : 0) : (item.isMoved ? 3 : 4)
    } else if isInPlace && row.isPlaced && !item.isMoved {
      kind = 2
    } else if item.isMoved || !row.isPlaced {
      // A file that says no place means what was removed anywhere.
      kind = 5
    } else {
      return nil
    }
    return Doubt(
      kind: kind, equalCount: likeness.equalCount, others: likeness.contraryCount)
  }
}
