public import Betwixt

extension Constraints {
  /// Everything that is out of order: the trip's own fields first, then in list order.
  ///
  /// - Complexity: O(*n* log *n*)
  public func violations() -> [Violation] {
    var violations = Constraints.rootViolations(of: trip)
    var lastGame: (day: Int64, id: ItemID, start: GameStart?)?
    for (index, item) in trip.list.enumerated() {
      let place = places[index]
      if !(1...dayCount).contains(place.day) {
        violations.append(.dayOutOfRange(place.id, day: place.day))
      }
      switch place.rule {
      case .anchored:
        let start = item[.start]?.string.flatMap { GameStart($0) }
        if let slot = slotOff(schedule: start, of: item, day: place.day) {
          violations.append(.gameOffSchedule(place.id, expected: slot))
        }
        if let last = lastGame, last.day == place.day, let upper = last.start?.utcMinutes,
          let lower = start?.utcMinutes, lower < upper
        {
          violations.append(.clockOrder(last.id, place.id))
        }
        lastGame = (place.day, place.id, start)
      case .leg(let from, let to):
        if !Route(from: from, to: to, games: games).isValid(at: index) {
          violations.append(.travelOutOfPlace(place.id))
        }
      case .free: break
      }
      violations += Constraints.badFields(of: item)
    }
    return violations
  }

  /// What is out of order about some items, and nothing else.
  ///
  /// - Parameters:
  ///   - items: The items; the root stands for the trip's own fields.
  ///   - trip: The trip.
  /// - Returns: Those of ``violations()`` that name one of the items.
  /// - Complexity: O(log *n*) for each item, and O(*n* log *n*) if there is a game or a travel leg among
  ///   them
  public static func violations(of items: Set<ItemID>, in trip: Trip) -> [Violation] {
    let shown = items.compactMap { trip.list[id: $0] }.filter { trip.list.contains(id: $0.id) }
    guard shown.allSatisfy({ ItemKind($0[.kind]).isFree }) else {
      return Constraints(trip).violations().filter { violation in
        guard case .clockOrder(let upper, let lower) = violation else {
          return items.contains(violation.item)
        }
        return items.contains(upper) || items.contains(lower)
      }
    }
    var violations = items.contains(.root) ? rootViolations(of: trip) : []
    let indices = shown.compactMap { trip.list.index(id: $0.id) }.sorted()
    for item in indices.map({ trip.list[$0] }) {
      let day = item.section ?? 1
      if !(1...trip.dayCount).contains(day) {
        violations.append(.dayOutOfRange(item.id, day: day))
      }
      violations += badFields(of: item)
    }
    return violations
  }

  private static func rootViolations(of trip: Trip) -> [Violation] {
    var violations: [Violation] = []
    let days = trip.list.metadata[.days]?.int64
    if !(days.map { (1...Trip.maximumDayCount).contains($0) } ?? false) {
      violations.append(.badTrip(.days))
    }
    if trip.startDate == nil { violations.append(.badTrip(.startDate)) }
    if let name = trip.list.metadata[.name], name.string == nil {
      violations.append(.badField(.root, .name))
    }
    return violations
  }

  private static func badFields(of item: ListItem) -> [Violation] {
    let kind = ItemKind(item[.kind])
    return item.fields.compactMap { field in
      guard let form = FieldForm.ofItem(field.name, kind: kind), !form.accepts(field.value) else {
        return nil
      }
      return .badField(item.id, field.name)
    }
  }

  /// Where a game should stand, if it stands elsewhere.
  private func slotOff(
    schedule start: GameStart?, of item: ListItem, day: Int64
  ) -> Violation.Slot? {
    guard let start, let number = item.key?.approximateSortOrder else { return nil }
    let slot = trip.slot(of: start)
    let isInTime = slot.sortOrder <= number && number < slot.sortOrder + 1
    return isInTime && slot.day ?? day == day ? nil : slot
  }
}

extension Trip {
  /// Where the schedule puts a game that starts at some time.
  func slot(of start: GameStart) -> Violation.Slot {
    Violation.Slot(day: day(of: start.date), sortOrder: GameAnchor.number(of: start))
  }
}
