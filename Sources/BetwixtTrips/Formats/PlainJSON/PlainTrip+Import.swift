public import Betwixt

extension PlainTrip {
  /// The list that the file stands for: the same for everyone who reads it.
  ///
  /// All registers of an item have the time of its `modifiedAt`.
  ///
  /// - Complexity: O(*n* log *n*)
  public func list() -> ReplicatedList { list(withPlaces: true) }

  /// The state that a document is joined with when the file is taken into it.
  ///
  /// The places of a file that shows what the document shows in the same order are no news, and are
  /// left out: of its numbers some would win against keys and others lose, which gives an order that
  /// nobody made. What was taken in once is taken in the same way again.
  ///
  /// - Parameter document: The document.
  /// - Returns: The state, with places or without.
  /// - Complexity: O(*n* log *n*)
  func list(over document: ReplicatedList) -> ReplicatedList {
    let whole = list()
    guard !document.version.covers(whole.version) else { return whole }
    let placeless = list(withPlaces: false)
    let isTaken = document.version.covers(placeless.version)
    return isTaken || whole.showsOnly(inTheOrderOf: document) ? placeless : whole
  }

  private func list(withPlaces hasPlaces: Bool) -> ReplicatedList {
    let delta = ImportWrites.delta { take in
      for field in root.fields {
        take(
          ImportWrites.Write(
            item: .root, register: .field(field.name), value: .field(field.value), time: root.time))
      }
      for item in items { item.tellAsNew(at: item.time, withPlace: hasPlaces, take) }
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
    list(base: base, shownAs: PlainView(base))
  }

  /// The same for a base whose view is there already, because other files have the same base.
  func list(base: ReplicatedList, shownAs view: PlainView) -> ReplicatedList? {
    guard base.id == listID else { return nil }
    var list = base
    list.merge(changes(against: base, shownAs: view).delta())
    return list
  }
}

extension ReplicatedList {
  /// Whether each item that it shows stands in a document where it does, or was removed there.
  fileprivate func showsOnly(inTheOrderOf document: ReplicatedList) -> Bool {
    let places = SamePlaces(self, document)
    return allSatisfy { item in
      places.contains(item.id) || document[id: item.id]?.isRemoved ?? false
    }
  }
}

extension ImportWrites {
  mutating func addNew(_ item: PlainItem, at time: Timestamp) {
    item.tellAsNew(at: time, withPlace: true) { add($0) }
  }
}

extension PlainItem {
  /// Tells the writes of an item that is new, by register.
  fileprivate func tellAsNew(
    at time: Timestamp, withPlace hasPlace: Bool, _ take: (ImportWrites.Write) -> Void
  ) {
    take(ImportWrites.Write(item: id, register: .life, value: .life(1), time: time))
    if hasPlace, let write = ImportWrites.Write(id, place: place, at: time) { take(write) }
    for field in fields {
      take(
        ImportWrites.Write(
          item: id, register: .field(field.name), value: .field(field.value), time: time))
    }
  }
}
