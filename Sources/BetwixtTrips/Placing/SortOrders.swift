public import Betwixt

/// A number for an item, for those who keep rows of (day, number) in a database.
public struct StoredOrder: Hashable, Sendable {
  /// Which item.
  public let item: ItemID

  /// Its number: finite, and unlike that of any other item of the day.
  public let number: Double

  /// Puts one together.
  public init(item: ItemID, number: Double) {
    self.item = item
    self.number = number
  }
}

extension Trip {
  /// A number for each item of a day, rising strictly, so that rows in the order of (day, number)
  /// stand as the trip shows them.
  ///
  /// A game has the number of its clock: 100 and the minute of the day, or a fraction more where
  /// several games begin in that minute. All others have what their key says, if nobody else has it,
  /// else a number between those of their neighbours. The numbers follow from the list alone, so
  /// devices with equal lists store equal numbers.
  ///
  ///     for row in trip.sortOrders(ofDay: 2) {
  ///       try database.execute("update items set sort_order = ? where id = ?", row.number, row.item)
  ///     }
  ///
  /// `SortKey.approximateSortOrder` of the single items would not do: items that were added
  /// one behind the other may have it in common.
  ///
  /// - Parameter day: A day of the trip.
  /// - Returns: The items of the day as they are shown.
  /// - Complexity: O(*d* log *n*) for *d* items of the day
  public func sortOrders(ofDay day: Int64) -> [StoredOrder] {
    var places: [PlainNumbers.Place] = []
    var isGame: [Bool] = []
    for index in list.indices(inSection: day) {
      let item = list[index]
      places.append(PlainNumbers.Place(number: item.key?.approximateSortOrder ?? 0, id: item.id))
      isGame.append(ItemKind(item[.kind]) == .game)
    }
    Trip.lower(&places, beforeGames: isGame)
    let numbers = PlainNumbers.assign(places, distinct: true)
    return zip(places, numbers).map { StoredOrder(item: $0.id, number: $1) }
  }

  /// The writes that bring stored numbers of a day to what ``sortOrders(ofDay:)`` says.
  ///
  ///     let writes = trip.sortOrderWrites(ofDay: 2, stored: numbers)  // [] if nothing has moved
  ///
  /// - Parameters:
  ///   - day: A day of the trip.
  ///   - stored: The numbers that are stored for items of the day; more of them do no harm.
  /// - Returns: The items whose number is another one, or that have none yet, as they are shown.
  /// - Complexity: O(*d* log *n*) for *d* items of the day
  public func sortOrderWrites(ofDay day: Int64, stored: [ItemID: Double]) -> [StoredOrder] {
    sortOrders(ofDay: day).filter { stored[$0.item] != $0.number }
  }

  /// Items that share the number of the game below them get lower ones: the game keeps its clock.
  private static func lower(
    _ places: inout [PlainNumbers.Place], beforeGames isGame: [Bool]
  ) {
    for index in places.indices where isGame[index] {
      let number = places[index].number
      var start = index
      while start > 0, !isGame[start - 1], places[start - 1].number == number { start -= 1 }
      guard start < index else { continue }
      let above = start > 0 ? places[start - 1].number : -.infinity
      let least = Double.maximum(above, number - 1)
      let step = (number - least) / Double(index - start + 1)
      for place in start..<index {
        places[place].number = least + step * Double(place - start + 1)
      }
    }
  }
}
