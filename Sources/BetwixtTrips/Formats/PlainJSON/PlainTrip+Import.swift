public import Betwixt

extension PlainTrip {
  /// The list that the file stands for: the same for everyone who reads it.
  ///
  /// All registers of an item have the time of its `modifiedAt`.
  ///
  /// - Complexity: O(*n* log *n*)
  public func list() -> ReplicatedList {
    let delta = ImportWrites.delta { take in
      for field in root.fields where root.means(field) {
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

extension PlainItem {
  /// Whether a field of a file counts of which nobody knows what it was made from.
  ///
  /// Programs write `null` for what each list has a place for and this one has nothing in. Only one
  /// that says when it was edited says that a name, a first day or a number of days was cleared.
  func means(_ field: PlainField) -> Bool {
    let isOfEachList = [FieldName.name, .startDate, .days].contains(field.name)
    return field.value != nil || id != .root || time != .zero || !isOfEachList
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
