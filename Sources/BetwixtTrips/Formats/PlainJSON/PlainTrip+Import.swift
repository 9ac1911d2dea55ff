public import Betwixt

extension PlainTrip {
  /// The list that the file stands for: the same for everyone who reads it.
  ///
  /// All registers of an item have the time of its `modifiedAt`.
  ///
  /// - Complexity: O(*n* log *n*)
  public func list() -> ReplicatedList {
    let delta = ImportWrites.delta { take in
      // A list that nobody named yet has nothing to clear.
      for field in root.fields where field.value != nil || !PlainTrip.isOfEachList(field.name) {
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

  private static func isOfEachList(_ name: FieldName) -> Bool {
    name == .name || name == .startDate || name == .days
  }
}

extension ImportWrites {
  mutating func addNew(_ item: PlainItem, at time: Timestamp, place: RegisterValue?) {
    item.tellAsNew(at: time, place: place) { add($0) }
  }
}

extension PlainItem {
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
