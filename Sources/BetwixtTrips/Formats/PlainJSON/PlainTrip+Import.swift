public import Betwixt

extension PlainTrip {
  /// The list that the file stands for: the same for everyone who reads it.
  ///
  /// All registers of an item have the time of its `modifiedAt`. A list that is new has no name, first
  /// day or number of days that could be cleared: `null` for one of them is nothing.
  ///
  /// - Complexity: O(*n* log *n*)
  public func list() -> ReplicatedList { list(clearing: []) }

  /// The list that the file stands for beside others.
  ///
  /// - Parameter names: What others say of what each list has a place for, so that the file may clear
  ///   it.
  /// - Returns: The list.
  /// - Complexity: O(*n* log *n*)
  func list(clearing names: Set<FieldName>) -> ReplicatedList {
    let delta = ImportWrites.delta { take in
      for field in root.fields
      where root.means(field)
        && (field.value != nil || !field.isOfEachList || names.contains(field.name))
      {
        take(
          ImportWrites.Write(
            item: .root, register: .field(field.name), value: .field(field.value), time: root.time))
      }
      for item in items {
        item.tellAsNew(at: item.time, place: item.place.value(of: item.id), take)
      }
    }
    var list = ReplicatedList(id: listID)
    list.merge(delta)
    return list
  }
}

extension ImportWrites {
  mutating func addNew(_ item: PlainItem, at time: Timestamp, place: RegisterValue?) {
    item.tellAsNew(at: time, place: place) { add($0) }
  }
}

extension FieldName {
  /// What programs have a place for in each list.
  static let ofEachList: Set<FieldName> = [.name, .startDate, .days]
}

extension PlainField {
  fileprivate var isOfEachList: Bool { FieldName.ofEachList.contains(name) }
}

extension TripFile {
  /// What the file says of what programs have a place for in each list; nothing if it belongs to none.
  var listFields: Set<FieldName> {
    guard !belongsToNoTrip else { return [] }
    switch content {
    case .list(let list): return FieldName.ofEachList.filter { list.metadata[$0] != nil }
    case .plain(let plain):
      return FieldName.ofEachList.filter { name in
        plain.root.fields.contains { $0.name == name && $0.value != nil }
      }
    case .calendar(let calendar):
      let isSaid: [FieldName: Bool] = [
        .name: calendar.name != nil, .startDate: calendar.exportedStartDate != nil,
        .days: calendar.days != nil,
      ]
      return FieldName.ofEachList.filter { isSaid[$0] ?? false }
    // Tasks have no days.
    case .foreign(let foreign): return foreign.name == nil ? [] : [.name]
    }
  }
}

extension PlainItem {
  /// Whether a field of a file counts of which nobody knows what it was made from.
  ///
  /// Programs write `null` for what each list has a place for and this one has nothing in. Only one
  /// that says when it was edited says that a name, a first day or a number of days was cleared.
  func means(_ field: PlainField) -> Bool {
    field.value != nil || id != .root || time != .zero || !field.isOfEachList
  }

  /// Tells the writes of an item that is new, by register.
  fileprivate func tellAsNew(
    at time: Timestamp, place: RegisterValue?, _ take: (ImportWrites.Write) -> Void
  ) {
    take(ImportWrites.Write(item: id, register: .life, value: .life(1), time: time))
    if let place {
      take(ImportWrites.Write(item: id, register: .position, value: place, time: time))
    }
    for field in fields {
      take(
        ImportWrites.Write(
          item: id, register: .field(field.name), value: .field(field.value), time: time))
    }
  }
}
