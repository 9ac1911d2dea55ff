package import Betwixt

/// The two kinds of plain files: they share their rules and differ in a few names.
package enum PlainDialect: Sendable {
  /// Plain trip JSON.
  case trip

  /// Task JSON.
  case tasks

  static let tasksWord = "betwixt-tasks"

  /// The values of `format` that mean another format than plain trip JSON.
  static let formatWords: Set<String> = [tasksWord, TripJSON.formatWord]

  /// The dialect that a list is written in.
  package init(of list: ReplicatedList) {
    self = list.metadata[.type]?.string?.hasSameBytes(as: "tasks") ?? false ? .tasks : .trip
  }

  /// The dialect of a list that is of some kind; `nil` for one that holds nothing yet.
  init?(ifKnownOf list: ReplicatedList) {
    self.init(of: list)
    guard self == .trip else { return }
    let isTrip = list.metadata[.startDate] != nil || list.metadata[.days] != nil
    guard isTrip || list.allItems().contains(where: { $0.id != .root }) else { return nil }
  }

  /// The member that holds the items.
  var itemsName: FieldName {
    switch self {
    case .trip: .items
    case .tasks: .tasks
    }
  }

  /// Whether a member of the outermost object is part of the file's structure and so no field.
  func isStructuralOfRoot(_ name: FieldName) -> Bool {
    name == .id || name == .modifiedAt || name == itemsName || self == .tasks && name == .format
  }

  /// Whether a member of an item is part of the file's structure and so no field.
  func isStructuralOfItem(_ name: FieldName) -> Bool {
    switch name {
    case .id, .tripID, .sortOrder, .modifiedAt: true
    case .day: self == .trip
    case .scheduledDate: self == .tasks
    default: false
    }
  }

  func form(ofRoot name: FieldName) -> FieldForm? {
    switch self {
    case .trip: .ofTrip(name)
    case .tasks: .ofTaskList(name)
    }
  }

  func form(ofItem name: FieldName, kind: ItemKind) -> FieldForm? {
    switch self {
    case .trip: .ofItem(name, kind: kind)
    case .tasks: .ofTask(name)
    }
  }

  /// Whether a member of the root takes the form `json:NAME`, because a field of its own name
  /// means something else.
  func isForced(ofRoot name: FieldName) -> Bool {
    name == .type || isForced(ofItem: name)
  }

  /// Whether a member of an item takes the form `json:NAME`.
  func isForced(ofItem name: FieldName) -> Bool {
    name == .foreignID || name.text.hasBytePrefix(PlainDialect.jsonPrefix)
  }

  static let jsonPrefix = "json:"

  /// The id of an item.
  func identity(kind: ItemKind, gameID: String?, id: String) -> ItemID {
    switch self {
    case .tasks: ForeignIdentity.task(id)
    case .trip: kind == .game ? ForeignIdentity.game(gameID ?? id) : ForeignIdentity.item(id)
    }
  }
}

extension FieldName {
  /// What the member of a plain file is called that shows the field.
  var memberText: String {
    let prefix = PlainDialect.jsonPrefix
    guard text.hasBytePrefix(prefix) else { return text }
    return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
