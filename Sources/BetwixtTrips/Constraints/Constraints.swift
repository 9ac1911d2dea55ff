public import Betwixt

/// Where the items of a trip may stand.
///
/// A game stands where the schedule says and nowhere else. A travel leg from A to B stands where
/// the nearest game in A or B above it is in A, and the nearest one below it is in B; where there
/// is no such game on a side, that side is free. Everything else may stand anywhere.
///
///     let constraints = Constraints(trip)
///     constraints.validGaps(leg)        // where it may be dropped
///     constraints.barrierGames(leg)     // the games that bound it
///
/// Constraints are a function of the trip as it is; make new ones after each change. They are
/// advice: a merge can make a trip that breaks them, and ``violations()`` says where.
public struct Constraints: Sendable {
  /// What a rule says about one item.
  enum Rule {
    case anchored
    case free
    case leg(from: City, to: City)
  }

  /// One visible item, in list order.
  struct Place {
    let id: ItemID
    let day: Int64
    let rule: Rule
  }

  /// The trip.
  public let trip: Trip

  let dayCount: Int64
  let places: [Place]
  /// The places whose day is in 1…N.
  let inRange: Range<Int>
  let indices: [ItemID: Int]
  let games: CityIndex

  /// Studies a trip.
  ///
  /// - Complexity: O(*n*)
  public init(_ trip: Trip) {
    self.trip = trip
    dayCount = trip.dayCount
    var places: [Place] = []
    var indices: [ItemID: Int] = [:]
    var games = CityIndex()
    places.reserveCapacity(trip.list.count)
    for item in trip.list {
      let rule: Rule
      switch ItemKind(item[.kind]) {
      case .game:
        rule = .anchored
        games.add(City(id: item[.cityID], name: item[.city]), at: places.count)
      case .travel:
        rule = .leg(
          from: City(id: item[.fromID], name: item[.from]),
          to: City(id: item[.toID], name: item[.to]))
      case .custom, .other: rule = .free
      }
      indices[item.id] = places.count
      places.append(Place(id: item.id, day: item.section ?? 1, rule: rule))
    }
    inRange =
      trip.list.indices(inSection: 1)
      .lowerBound..<trip.list.indices(inSection: dayCount + 1).lowerBound
    self.places = places
    self.indices = indices
    self.games = games
  }
}

extension Constraints {
  /// How the rule for travel legs is read.
  public enum TravelRule: Sendable {
    /// The nearest game above and the nearest one below decide.
    case nearest

    /// All games in A stand above and all games in B below. A return trip has no such place, so
    /// this is no rule to live by, but what the other one must agree with where it can.
    case literal
  }

  /// Whether an item may stand in a gap.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - gap: Where; a gap whose neighbours have parted means the place that
  ///     ``Trip/resolve(_:moving:)`` gives.
  ///   - rule: How to read the rule for travel legs.
  /// - Returns: `false` also for an item that is not there and for days outside the trip.
  /// - Complexity: O(log *n*)
  public func allows(
    _ id: ItemID, in gap: Gap, rule: TravelRule = .nearest
  ) -> Bool {
    guard let index = indices[id], let gap = trip.resolve(gap, moving: id) else { return false }
    switch places[index].rule {
    case .anchored: return false
    case .free: return true
    case .leg(let from, let to):
      let route = Route(from: from, to: to, games: games)
      let place = boundary(of: gap)
      switch rule {
      case .nearest: return route.isValid(at: place)
      case .literal: return route.isLiterallyValid(at: place)
      }
    }
  }

  /// All gaps where an item may stand, in list order; none for a game.
  ///
  /// - Complexity: O(*g* + *b* + log *n*) for *g* gaps and *b* games of the leg's cities
  public func validGaps(_ id: ItemID) -> [Gap] {
    guard let index = indices[id] else { return [] }
    switch places[index].rule {
    case .anchored: return []
    case .free: return gaps(inRange.lowerBound...inRange.upperBound, without: index)
    case .leg(let from, let to):
      let route = Route(from: from, to: to, games: games)
      return route.intervals().filter { $0.isValid }.flatMap { interval in
        boundaries(of: interval).map { gaps($0, without: index) } ?? []
      }
    }
  }

  /// The boundary between places that a resolved gap names: the number of places above it.
  func boundary(of gap: Gap) -> Int {
    if let above = gap.above.flatMap({ indices[$0] }) { return above + 1 }
    if let below = gap.below.flatMap({ indices[$0] }) { return below }
    return trip.list.indices(inSection: gap.day).lowerBound
  }

  /// The boundaries within the trip's days that lie between two barriers; `nil` if the barriers
  /// stand beyond the trip.
  func boundaries(of interval: Route.Interval) -> ClosedRange<Int>? {
    let low = Swift.max(interval.left.map { $0 + 1 } ?? inRange.lowerBound, inRange.lowerBound)
    let high = Swift.min(interval.right ?? inRange.upperBound, inRange.upperBound)
    return low <= high ? low...high : nil
  }
}
