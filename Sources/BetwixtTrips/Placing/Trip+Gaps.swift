public import Betwixt

extension Trip {
  /// The gap that names of neighbours mean now, or `nil` outside the trip's days.
  ///
  /// If the two no longer stand side by side, it is the gap below `above` if that is still on the
  /// day, else the one above `below`, else where `moved` stands if it is named itself, else the start
  /// of the day. A front end that shows only some items names the neighbours that it shows.
  ///
  /// - Parameters:
  ///   - gap: The gap as it was named.
  ///   - moved: The item that is to stand there; it does not count as a neighbour.
  /// - Returns: A gap whose two neighbours stand side by side.
  /// - Complexity: O(log *n*)
  public func resolve(_ gap: Gap, moving moved: ItemID? = nil) -> Gap? {
    guard (1...dayCount).contains(gap.day) else { return nil }
    let day = list.indices(inSection: gap.day)
    func index(_ id: ItemID?) -> Int? {
      guard let id, id != moved, let index = list.index(id: id), day.contains(index) else {
        return nil
      }
      return index
    }
    let boundary: Int
    if let above = index(gap.above) {
      boundary = above + 1
    } else if let below = index(gap.below) {
      boundary = below
    } else if let moved, gap.above == moved || gap.below == moved,
      let here = self.gap(of: moved), here.day == gap.day
    {
      // Beside itself is where it stands.
      return here
    } else {
      boundary = day.lowerBound
    }
    return self.gap(at: boundary, in: day, of: gap.day, without: moved)
  }

  /// The gap in which an item stands, the item itself left out; `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*)
  public func gap(of id: ItemID) -> Gap? {
    guard let index = list.index(id: id), let day = list[index].section else { return nil }
    return gap(at: index, in: list.indices(inSection: day), of: day, without: id)
  }

  /// The last gap of a day, the first one of which may be the same.
  ///
  /// - Complexity: O(log *n*)
  public func lastGap(ofDay day: Int64) -> Gap {
    let places = list.indices(inSection: day)
    return Gap(day: day, above: places.last.map { list[$0].id }, below: nil)
  }

  /// The first gap of a day.
  ///
  /// - Complexity: O(log *n*)
  public func firstGap(ofDay day: Int64) -> Gap {
    let places = list.indices(inSection: day)
    return Gap(day: day, above: nil, below: places.first.map { list[$0].id })
  }

  private func gap(
    at boundary: Int, in places: Range<Int>, of day: Int64, without id: ItemID?
  ) -> Gap {
    func neighbour(_ start: Int, step: Int) -> ItemID? {
      var index = start
      if places.contains(index), list[index].id == id { index += step }
      return places.contains(index) ? list[index].id : nil
    }
    return Gap(
      day: day, above: neighbour(boundary - 1, step: -1), below: neighbour(boundary, step: 1))
  }
}
