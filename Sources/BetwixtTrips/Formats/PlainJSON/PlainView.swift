package import Betwixt

/// A list as a plain file shows it: what export writes and what an edited file is compared with.
package struct PlainView: Sendable {
  package let dialect: PlainDialect
  package let root: PlainViewItem

  /// The visible items in list order.
  package private(set) var items: [PlainViewItem]

  /// Makes the view.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - distinct: Whether the numbers of a day must rise strictly without the help of ids.
  /// - Complexity: O(*n* log *n*)
  package init(_ list: ReplicatedList, distinct: Bool = false) {
    let dialect = PlainDialect(of: list)
    self.dialect = dialect
    root = PlainViewItem(root: list[id: .root], listID: list.id, in: dialect)
    var items = list.map { PlainViewItem($0, in: dialect) }
    var start = 0
    while start < items.count {
      var end = start + 1
      while end < items.count, items[end].section == items[start].section { end += 1 }
      switch dialect {
      case .trip:
        let places = items[start..<end].map { PlainNumbers.Place(number: $0.number, id: $0.id) }
        let numbers = PlainNumbers.assign(places, distinct: distinct)
        for (index, number) in numbers.enumerated() { items[start + index].number = number }
      case .tasks:
        for index in start..<end { items[index].number = Double(index - start) }
      }
      start = end
    }
    self.items = items
  }

  /// Leaves out items that a file is not compared with.
  mutating func leave(_ ids: Set<ItemID>) {
    items.removeAll { ids.contains($0.id) }
  }

  /// Everything that the file has no room for, root first, then in list order.
  package var omissions: [Omission] { root.omissions + items.flatMap { $0.omissions } }
}

/// One item as a plain file shows it.
package struct PlainViewItem: Sendable {
  /// One member that is a field.
  package struct Member: Sendable {
    package let name: String
    package let register: FieldName
    /// `nil` if the field is cleared.
    package let value: FieldValue?
    let time: Timestamp
    let replica: ReplicaID
  }

  package let id: ItemID
  /// The id of the file that the item came from, if that leads back to it.
  let foreignIDText: String?
  /// What the item is called in a file.
  package var idText: String { foreignIDText ?? listID?.uuid ?? id.uuid }
  // Of the root, which stands for its list.
  private let listID: ListID?
  package let section: Int64
  package internal(set) var number: Double
  /// The newest write of any register.
  package let time: Timestamp
  /// Rising by name.
  package let members: [Member]
  /// Fields that show in the file in another way than as members of their names.
  let carried: Fields
  package let omissions: [Omission]

  /// Shows an item, visible or not.
  package init(_ item: ListItem, in dialect: PlainDialect) {
    let kind = dialect == .trip ? ItemKind(item[.kind]) : .custom
    var builder = PlainMemberBuilder(item: item.id, dialect: dialect, kind: kind)
    var newest = Timestamp.zero
    for entry in item.entries {
      builder.add(entry)
      newest = max(newest, entry.stamp.time)
    }
    id = item.id
    foreignIDText = PlainViewItem.foreignIDText(item, in: dialect, kind: kind)
    listID = nil
    section = item.section ?? 0
    number = item.key?.approximateSortOrder ?? 0
    time = newest
    (members, carried, omissions) = builder.finish()
  }

  /// Shows the root.
  init(root: ListItem?, listID: ListID, in dialect: PlainDialect) {
    var builder = PlainMemberBuilder(item: .root, dialect: dialect, kind: nil)
    for entry in root?.entries ?? [] { builder.add(entry) }
    id = .root
    let foreign = root?[.foreignID]?.string
    foreignIDText = foreign.flatMap { ForeignIdentity.list($0) == listID ? $0 : nil }
    self.listID = listID
    section = 0
    number = 0
    time = root?.newestTime ?? .zero
    (members, carried, omissions) = builder.finish()
  }

  // A remote writer can put any text into `foreignId`. Only one that leads back to the item is
  // written, else reading the file would make another item.
  private static func foreignIDText(
    _ item: ListItem, in dialect: PlainDialect, kind: ItemKind
  ) -> String? {
    guard let foreign = item[.foreignID]?.string, !foreign.isEmpty else { return nil }
    let id = dialect.identity(kind: kind, gameID: item[.gameID]?.string, id: foreign)
    return id == item.id ? foreign : nil
  }

  /// The member of a name, `nil` if the file would not have it.
  package func member(_ name: String) -> Member? {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].name.precedesInBytes(name) { low = middle + 1 } else { high = middle }
    }
    guard low < members.count, members[low].name.hasSameBytes(as: name) else { return nil }
    return members[low]
  }
}
