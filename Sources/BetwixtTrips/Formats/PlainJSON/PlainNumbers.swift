package import Betwixt

/// The numbers by which a plain file carries the order of a day.
package enum PlainNumbers {
  /// One item of a day: the number that its key projects to, and its id.
  package struct Place {
    package var number: Double
    package let id: ItemID

    package init(number: Double, id: ItemID) {
      self.number = number
      self.id = id
    }
  }

  /// Numbers that rise strictly along the day, by number and then id.
  ///
  /// A run of equal numbers whose ids rise comes from a file and goes back to one as it is. Any
  /// other run is spread towards the next number.
  ///
  /// - Parameters:
  ///   - day: The items of one day in list order.
  ///   - distinct: Whether the numbers alone must rise strictly.
  /// - Returns: A number for each item.
  /// - Complexity: O(*n*)
  package static func assign(_ day: [Place], distinct: Bool) -> [Double] {
    var places = day
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, places[end].number == places[start].number { end += 1 }
      let run = places[start..<end]
      if end - start > 1, distinct || !idsRise(run) {
        let next = end < places.count ? places[end].number : nil
        spread(&places, run: start..<end, below: next)
      }
      start = end
    }
    separate(&places, distinct: distinct)
    return places.map { $0.number }
  }

  private static func idsRise(_ run: ArraySlice<Place>) -> Bool {
    zip(run, run.dropFirst()).allSatisfy { precedes($0.id, $1.id) }
  }

  private static func spread(_ places: inout [Place], run: Range<Int>, below next: Double?) {
    let value = places[run.lowerBound].number
    var upper = Double.minimum(value + 1, next ?? .infinity)
    if value < 0 { upper = Double.minimum(upper, 0) }
    let step = (upper - value) / Double(run.count)
    for (index, place) in run.enumerated() {
      places[place].number = value + Double(index) * step
    }
  }

  // Where no number was left between two, neighbours give way: upwards, and at the top downwards.
  private static func separate(_ places: inout [Place], distinct: Bool) {
    guard places.count > 1 else { return }
    for index in 1..<places.count
    where !rises(places[index - 1], below: places[index], distinct: distinct) {
      places[index].number = places[index - 1].number.nextUp
    }
    let top = Double.greatestFiniteMagnitude
    for index in places.indices where !places[index].number.isFinite {
      places[index].number = top
    }
    for index in places.indices.dropLast().reversed()
    where !rises(places[index], below: places[index + 1], distinct: distinct) {
      places[index].number = places[index + 1].number.nextDown
    }
  }

  private static func rises(_ above: Place, below: Place, distinct: Bool) -> Bool {
    above.number < below.number
      || !distinct && above.number == below.number && precedes(above.id, below.id)
  }

  /// The order in which keys of one imported number stand: their last tie is the id, whose lower
  /// half counts as a signed number.
  static func precedes(_ left: ItemID, _ right: ItemID) -> Bool {
    left.high != right.high
      ? left.high < right.high
      : Int64(bitPattern: left.low) < Int64(bitPattern: right.low)
  }
}
