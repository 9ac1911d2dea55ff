import Betwixt

extension TripComparison {
  /// The differences for a reader, a line each.
  ///
  ///     + “Lucha libre”: day 2, sortOrder 1.5
  ///     > “Lunch”: day 2, sortOrder 2.0 → day 2, sortOrder 0.5
  ///     ~ “Dinner” title: "Dinner" → "Late dinner"
  ///     - “Buy presents”: day 24, sortOrder 3.0
  public var lines: [String] { changes.flatMap { $0.lines(dialect) } }

  /// The differences for a program: objects in canonical JSON, one for each change.
  public var jsonLines: [String] { changes.map(\.json.canonicalText) }
}

extension TripComparison.Change {
  fileprivate func lines(_ dialect: PlainDialect) -> [String] {
    let name = "“\(label.excerpt)”"
    switch (oldPlace, newPlace) {
    case (nil, let place?): return ["+ \(name): \(place.text(dialect))"]
    case (let place?, nil): return ["- \(name): \(place.text(dialect))"]
    case (let old?, let new?) where isMoved:
      return ["> \(name): \(old.text(dialect)) → \(new.text(dialect))"] + fieldLines(name)
    default: return fieldLines(name)
    }
  }

  private func fieldLines(_ name: String) -> [String] {
    fields.map { change in
      "~ \(name) \(change.name): \(text(change.old)) → \(text(change.new))"
    }
  }

  private func text(_ value: FieldValue?) -> String {
    value.map { JSONValue.field($0).canonicalText } ?? "nothing"
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
  fileprivate func text(_ dialect: PlainDialect) -> String {
    let number = NumberLayout.json(sortOrder)
    switch dialect {
    case .trip: return "day \(section), sortOrder \(number)"
    case .tasks:
      return "\(CivilDate(dayNumber: section)?.description ?? "inbox"), sortOrder \(number)"
    }
  }

  fileprivate var json: JSONValue {
    .object([("section", .whole(section)), ("sortOrder", .decimal(sortOrder))])
  }
}
