import Betwixt

extension TripComparison {
  /// The differences for a reader, a line each.
  ///
  ///     + “Lucha libre”: day 2 after “Lunch”
  ///     > “Lunch”: day 2 after “Museum” → day 2 before “Museum”
  ///     ~ “Dinner”: title “Dinner” → “Late dinner”
  ///     - “Buy presents”: day 24 after “City walk”
  public var lines: [String] { changes.flatMap { $0.lines } }

  /// The differences for a program: objects in canonical JSON, one for each change.
  public var jsonLines: [String] { changes.map { $0.json.canonicalText } }
}

extension TripComparison.Change {
  fileprivate var lines: [String] {
    let name = item == .root ? "the trip" : "“\(label.excerpt)”"
    switch (oldPlace, newPlace) {
    case (nil, let place?): return ["+ \(name): \(place.words)"]
    case (let place?, nil): return ["- \(name): \(place.words)"]
    case (let old?, let new?) where isMoved:
      return [moveLine(name, old: old, new: new)] + fieldLines(name)
    default: return fieldLines(name)
    }
  }

  private func moveLine(
    _ name: String, old: TripComparison.Place, new: TripComparison.Place
  ) -> String {
    guard old.words == new.words else { return "> \(name): \(old.words) → \(new.words)" }
    // Its neighbour came along.
    let numbers = [old, new].map { NumberLayout.json($0.sortOrder) }
    return "> \(name): \(new.words), sortOrder \(numbers[0]) → \(numbers[1])"
  }

  private func fieldLines(_ name: String) -> [String] {
    fields.map { change in
      let words = FieldWords(change.name)
      return "~ \(name): \(words.title) \(words.text(change.old)) → \(words.text(change.new))"
    }
  }

  fileprivate var json: JSONValue {
    let fields = fields.map { change in
      (
        change.name.text,
        JSONValue.object(
          [("old", change.old.map { JSONValue.field($0) }), ("new", change.new.map { .field($0) })]
            .compactMap { name, value in value.map { (name, $0) } })
      )
    }
    let places = [("from", oldPlace), ("to", newPlace)]
      .compactMap { name, place in place.map { (name, $0.json) } }
    return .object(
      [
        ("item", .text(item == .root ? "root" : item.uuid)), ("label", .text(label)),
        ("moved", JSONValue(.bool(isMoved), at: 0)), ("fields", .object(fields)),
      ] + places)
  }
}

extension TripComparison.Place {
  fileprivate var json: JSONValue {
    .object([("section", .whole(section)), ("sortOrder", .decimal(sortOrder))])
  }
}
