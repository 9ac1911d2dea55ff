public import Betwixt

extension PlainTrip {
  /// The list that the file stands for: the same for everyone who reads it.
  ///
  /// All registers of an item have the time of its `modifiedAt`.
  ///
  /// - Complexity: O(*n* log *n*)
  public func list() -> ReplicatedList {
    let delta = ImportWrites.delta { take in
      for field in root.fields {
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

  /// A base joined with what the file changed against it, and nothing else.
  ///
  /// A field that the file lacks is unchanged; an item that it lacks is removed. Every change is
  /// later than what the base holds, even if the file forgot to say when it was made.
  ///
  /// - Parameter base: What the file was made from.
  /// - Returns: The joined list, or `nil` if the base is another trip.
  /// - Complexity: O(*n* log *n*)
  public func list(base: ReplicatedList) -> ReplicatedList? {
    guard base.id == listID else { return nil }
    let ground = ImportGround(
      list: base, base: base, added: base, view: PlainView(base), isKnown: true,
      removesMissing: true, hasPlaceNumbers: dialect == .trip)
    return FileState(self, over: ground).writes
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
