import Betwixt

/// Where the legs of a trip belong while one after the other is moved, and nothing else is.
///
/// The intervals of a route lie between games, so they stay; of each is counted how many legs stand in
/// it. So a leg is brought home without a look at all others.
struct LegHomes {
  /// Where a leg belongs.
  enum Home: Equatable {
    /// Where it stands.
    case here
    case gap(Gap)
    /// Nowhere on a day of the trip.
    case nowhere
  }

  private struct Ends {
    let from: City
    let to: City

    func matches(_ other: Ends) -> Bool { from.matches(other.from) && to.matches(other.to) }
  }

  /// The intervals of a route and the legs in them.
  private struct Legs {
    let ends: Ends
    /// The games between the intervals, top to bottom.
    let barriers: [ItemID]
    var homes: HomeIntervals

    /// The interval that a place is in.
    func index(of place: Int, in list: ReplicatedList) -> Int {
      var low = 0
      var high = barriers.count
      while low < high {
        let middle = (low + high) / 2
        if list.index(id: barriers[middle]).map({ $0 < place }) ?? false {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
  }

  private struct RouteName: Hashable {
    let ids: [[UInt8]?]
    let names: [String?]

    init(_ ends: Ends) {
      ids = [ends.from, ends.to].map { $0.id.map { Array($0.utf8) } }
      names = [ends.from.name, ends.to.name]
    }
  }

  private let constraints: Constraints
  private var routes: [RouteName: Legs] = [:]
  // Of how many routes and intervals is known what stands where: all are told of each move.
  private var knownCount = 0
  private static let maximumKnownCount = 1 << 16

  /// - Complexity: O(*n*)
  init(_ trip: Trip) { constraints = Constraints(trip) }

  /// Where a leg belongs in the trip as it is now.
  ///
  /// - Parameters:
  ///   - id: The leg.
  ///   - trip: The trip that this was made for, with other places for some legs.
  /// - Returns: Its place; nowhere for what is no leg.
  /// - Complexity: O(*b* + log *n*) for *b* games of its cities, and O(*n*) for the first leg of each route
  mutating func home(of id: ItemID, in trip: Trip) -> Home {
    guard let ends = ends(of: id), let index = trip.list.index(id: id) else { return .nowhere }
    let legs = legs(ends, in: trip)
    let inRange = LegHomes.range(of: trip)
    let interval = legs.index(of: index, in: trip.list)
    if inRange.contains(index), legs.homes.intervals[interval].isValid { return .here }
    let home = legs.homes.homeIndex(from: interval)
    let left = home > 0 ? trip.list.index(id: legs.barriers[home - 1]) : nil
    let right = home < legs.barriers.count ? trip.list.index(id: legs.barriers[home]) : nil
    let low = Swift.max(left.map { $0 + 1 } ?? inRange.lowerBound, inRange.lowerBound)
    let high = Swift.min(right ?? inRange.upperBound, inRange.upperBound)
    guard low <= high else { return .nowhere }
    let isFurtherDown =
      inRange.contains(index) ? left.map { $0 > index } ?? false : index < inRange.lowerBound
    return .gap(
      trip.gap(at: isFurtherDown ? low : high, in: inRange, without: index, isFirst: isFurtherDown))
  }

  /// Moves a leg.
  ///
  /// - Parameters:
  ///   - id: The leg.
  ///   - trip: The trip in which it moves.
  ///   - move: Moves it, and nothing else but other legs' keys.
  /// - Throws: What the move throws.
  /// - Complexity: O(*r* + log *n*) for *r* routes
  mutating func move(
    _ id: ItemID, in trip: inout Trip, _ move: (inout Trip) throws(TripFailure) -> Void
  ) throws(TripFailure) {
    let ends = ends(of: id)
    let names = routes.filter { known in ends.map { known.value.ends.matches($0) } ?? false }
      .map { $0.key }
    func intervals(in trip: Trip) -> [Int] {
      let place = trip.list.index(id: id)
      return names.map { name in place.flatMap { routes[name]?.index(of: $0, in: trip.list) } ?? 0 }
    }
    let old = intervals(in: trip)
    try move(&trip)
    let new = intervals(in: trip)
    for (name, (old, new)) in zip(names, zip(old, new)) where old != new {
      routes[name]?.homes.removeLeg(from: old)
      routes[name]?.homes.addLeg(to: new)
    }
  }

  private func ends(of id: ItemID) -> Ends? {
    guard let index = constraints.indices[id],
      case .leg(let from, let to) = constraints.places[index].rule
    else { return nil }
    return Ends(from: from, to: to)
  }

  private mutating func legs(_ ends: Ends, in trip: Trip) -> Legs {
    let name = RouteName(ends)
    if let known = routes[name] { return known }
    let route = Route(from: ends.from, to: ends.to, games: constraints.games)
    let intervals = route.intervals()
    let barriers = intervals.compactMap { $0.right.map { constraints.places[$0].id } }
    var legs = Legs(ends: ends, barriers: barriers, homes: HomeIntervals(intervals, legs: []))
    for place in constraints.legs(from: ends.from, to: ends.to) {
      guard let index = trip.list.index(id: constraints.places[place].id) else { continue }
      legs.homes.addLeg(to: legs.index(of: index, in: trip.list))
    }
    knownCount += 64 + intervals.count
    if knownCount > LegHomes.maximumKnownCount {
      routes = [:]
      knownCount = 64 + intervals.count
    }
    routes[name] = legs
    return legs
  }

  private static func range(of trip: Trip) -> Range<Int> {
    trip.list.indices(inSection: 1)
      .lowerBound..<trip.list.indices(inSection: trip.dayCount + 1).lowerBound
  }
}

extension Trip {
  /// The first or the last gap between two items, of which there are several where days end.
  fileprivate func gap(
    at boundary: Int, in places: Range<Int>, without index: Int, isFirst: Bool
  ) -> Gap {
    func item(_ place: Int) -> (id: ItemID, day: Int64)? {
      places.contains(place) ? (list[place].id, list[place].section ?? 1) : nil
    }
    let upper = item(boundary - 1 == index ? boundary - 2 : boundary - 1)
    let lower = item(boundary == index ? boundary + 1 : boundary)
    if let upper, let lower, upper.day == lower.day {
      return Gap(day: upper.day, above: upper.id, below: lower.id)
    }
    let emptyDays = ((upper?.day ?? 0) + 1)..<(lower?.day ?? dayCount + 1)
    let above = upper.map { Gap(day: $0.day, above: $0.id, below: nil) }
    let below = lower.map { Gap(day: $0.day, above: nil, below: $0.id) }
    if isFirst {
      return above ?? emptyDays.first.map { Gap(day: $0, above: nil, below: nil) } ?? below
        ?? firstGap(ofDay: 1)
    }
    return below ?? emptyDays.last.map { Gap(day: $0, above: nil, below: nil) } ?? above
      ?? lastGap(ofDay: dayCount)
  }
}
