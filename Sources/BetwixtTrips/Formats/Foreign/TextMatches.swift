import Betwixt

/// A row of a file without ids, as it is looked for in a list.
struct TextRow {
  /// What identity it has by its text, and by which of its kind it is; `nil` if it has one of its own.
  let identity: TextIdentity?
  /// That identity.
  let id: ItemID
  /// Its text.
  let text: [UInt8]
  /// The section that it is put in.
  let section: Int64
  /// Whether the file says that section.
  let isPlaced: Bool
  /// What it says, with what it would begin with as a new item.
  let values: [FieldName: FieldValue]
  /// What a file says of it that was made from this one: its item may have that of this very file.
  var returned: TextSaid?
}

/// What a row says, and where.
struct TextSaid {
  let values: [FieldName: FieldValue]
  let section: Int64
}

/// An item of a list, as rows are held against it.
struct TextItem {
  /// What it holds in a field that rows have.
  struct Held {
    /// `nil` if it was cleared.
    let value: FieldValue?
    /// Whether that was written after the item came, so that no row has to say it.
    let isEdited: Bool
  }

  let id: ItemID
  /// Where it stands in the list; `nil` if it was removed.
  let rank: Int?
  /// `nil` if its place was forgotten.
  let section: Int64?
  let isVisible: Bool
  /// When it was made, or got the text that it is known by; no milliseconds if it came with a file
  /// without times.
  let birth: Timestamp
  /// Who made it.
  let maker: ReplicaID
  /// Whether it may stand in another section than it came with.
  let isMoved: Bool
  /// Whether a file took it out, and nobody who has a clock removed it.
  let isTakenOut: Bool
  let values: [FieldName: Held]

  /// What can be said of an item of a list.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - rank: Where it stands in the list.
  ///   - names: The fields that rows have.
  ///   - origin: Where the rows come from. Of the list as it was also that is later which another
  ///     file has written, as that may have come since.
  ///   - isStranger: Whether it was made of no row of the file.
  init(
    _ item: ListItem, rank: Int?, naming names: Set<FieldName>, from origin: RowOrigin,
    isStranger: Bool = false
  ) {
    (id, section, isVisible) = (item.id, item.section, item.isVisible)
    self.rank = rank
    let entries = item.entries
    var oldest = Timestamp.max
    for entry in entries {
      guard case .field = entry.register else { continue }
      oldest = min(oldest, entry.stamp.time)
    }
    let made = entries.first { $0.isOfBirth } ?? entries.min { $0.stamp.time < $1.stamp.time }
    let text = entries.first {
      $0.register == .field(.taskText) || $0.register == .field(.title)
    }
    birth = max(made?.stamp.time ?? .zero, text?.stamp.time ?? .zero)
    let maker = made?.stamp.replica ?? ReplicaID(rawValue: 0)
    self.maker = maker
    func isOthers(_ entry: Entry) -> Bool {
      origin.isEarlierList && entry.stamp.replica != maker
    }
    isMoved =
      !(isStranger && origin.isList) && item.isMoved
      || entries.contains { $0.register == .position && isOthers($0) }
    let life = entries.first { $0.register == .life }
    isTakenOut =
      item.isRemoved
      && entries.contains { $0.register != .life && $0.stamp.time.successor == life?.stamp.time }
    var values: [FieldName: Held] = [:]
    for entry in entries {
      guard case .field(let name) = entry.register, names.contains(name),
        case .field(let value) = entry.value
      else { continue }
      let isEdited =
        oldest.milliseconds < entry.stamp.time.milliseconds || isOthers(entry)
      guard value != nil || isEdited else { continue }
      values[name] = Held(value: value, isEdited: isEdited)
    }
    self.values = values
  }

  /// Whether it is known when it was made.
  var hasBirth: Bool { birth.milliseconds > 0 }

  /// Whether it is as it was made, as far as rows could say it.
  var isUntouched: Bool { !isMoved && !values.contains { $0.value.isEdited } }

  /// Whether a row may have put it where it stands.
  func isPlaced(by row: TextRow) -> Bool {
    // Of what was forgotten nothing is left that could say otherwise.
    !row.isPlaced || isMoved || section.map { $0 == row.section } ?? true
  }

  /// What it says alone, where it holds no more than rows could say of it.
  var content: TextContent {
    TextContent(values.compactMapValues { $0.value }, section: section ?? 0)
  }
}

extension TextRow {
  /// What an item says that was made of the row, and that nobody touched since.
  var content: TextContent { TextContent(values, section: section) }

  /// What an item says that has what the row became in the file that was made from this one.
  ///
  /// - Parameter names: The fields that count.
  /// - Returns: The content; `nil` if the row is as it was.
  func returnedContent(naming names: Set<FieldName>) -> TextContent? {
    guard let returned else { return nil }
    let values = returned.values.filter { names.contains($0.key) }
    guard values != self.values || returned.section != section else { return nil }
    return TextContent(values, section: returned.section)
  }
}

/// What rows and items say, to be looked up.
struct TextContent: Hashable {
  private let section: Int64
  private let names: [FieldName]
  private let values: [FieldValue]

  fileprivate init(_ values: [FieldName: FieldValue], section: Int64) {
    self.section = section
    names = values.keys.sorted()
    self.values = names.compactMap { values[$0] }
  }
}

/// How much a row and an item say alike.
struct TextLikeness {
  /// How many values of the row the item holds, but for their text.
  private(set) var equalCount = 0
  /// How many of these were written after the item came.
  private(set) var editedCount = 0
  /// How many the item lacks: the file may have learnt them since.
  private(set) var missingCount = 0
  /// How many the item came with and the row does not say: so it was changed in the file, or the item
  /// was made of another row.
  private(set) var contraryCount = 0

  init(_ row: TextRow, _ item: TextItem) {
    for (name, value) in row.values {
      if let held = item.values[name] {
        if held.value == value {
          guard name != .title, name != .taskText else { continue }
          equalCount += 1
          if held.isEdited { editedCount += 1 }
        } else if !held.isEdited {
          contraryCount += 1
        } else if row.returned.map({ $0.values[name] == held.value }) ?? false {
          equalCount += 1
        }
      } else {
        missingCount += 1
      }
    }
    for (name, value) in row.returned?.values ?? [:] where row.values[name] == nil {
      if let held = item.values[name], held.isEdited, held.value == value { equalCount += 1 }
    }
    for (name, held) in item.values where !held.isEdited && row.values[name] == nil {
      contraryCount += 1
    }
  }

  /// Whether nothing speaks against it that the item was made of the row.
  var isPossible: Bool { contraryCount == 0 }

  /// Whether nothing is in the row either that the item never held.
  var isWhole: Bool { isPossible && missingCount == 0 }
}

/// What a list tells of the items that rows of a file without ids may mean.
struct TextMatches {
  let list: ReplicatedList?
  let remembersRemoved: Bool
  /// The items that the file calls by their ids.
  let named: Set<ItemID>

  /// Whether the list knows an item, or knew it and remembers that.
  func knows(_ id: ItemID) -> Bool {
    guard let item = list?[id: id] else { return false }
    return item.isVisible || remembersRemoved
  }

  /// Where an item stands in the list; `nil` if it was removed.
  ///
  /// - Complexity: O(log *n*)
  func rank(of item: ListItem) -> Int? { item.isVisible ? list?.index(id: item.id) : nil }

  /// The text by which an item is known.
  static func text(of item: ListItem) -> [UInt8]? {
    (item.words(.taskText) ?? item.words(.title)).map { Array($0.utf8) }
  }

  /// Whether an identity is that of another item than a row's that means none: of one that is shown, or
  /// was removed from another section than the row stands in.
  func isAnother(_ id: ItemID, than row: TextRow) -> Bool {
    guard let item = list?[id: id] else { return false }
    if item.isVisible { return true }
    guard remembersRemoved, row.isPlaced, item.isRemoved, !item.isMoved, let old = item.section
    else { return false }
    return old != row.section
  }

  /// What is said of a row whose item was moved before it was removed: where it came from nobody
  /// knows, so that the row may be a new one of the same text.
  func doubt(of row: TextRow, as id: ItemID) -> String? {
    guard remembersRemoved, row.isPlaced, let item = list?[id: id], item.isRemoved, item.isMoved,
      item.section != row.section
    else { return nil }
    return TextMatches.doubt(of: item)
  }

  /// What is said of an item that a file may lack, or that may be younger than what it lacks.
  static func doubtOfLack(of item: ListItem) -> String {
    "stays: “\(item.summary.excerpt)” may have been written here since; "
      + "'betwixt remove' takes it out"
  }

  /// What is said of a row that may be new, or an item that was removed here.
  static func doubt(of item: ListItem) -> String {
    "skipped: “\(item.summary.excerpt)” was removed here; 'betwixt restore' brings it back"
  }
}

extension ListItem {
  /// Whether it may stand in another section than it came with: its place is later than some field.
  ///
  /// A file without times, which takes what another one said elsewhere, moves nothing that is shown; of
  /// what was removed also such a place is not the one that it came with.
  var isMoved: Bool {
    let place = entries.first { $0.register == .position }
    guard let placed = place?.stamp.time else { return false }
    return entries.contains { entry in
      guard case .field = entry.register else { return false }
      let time = entry.stamp.time
      return isRemoved ? time < placed : time.milliseconds < placed.milliseconds
    }
  }
}
