import Betwixt
import BetwixtTrips

/// The rows that a list has, each with its index, whether a front end has made them or not.
enum RowOrder: Sendable {
  case trip(TripStage)
  case listed(ListedRows)

  /// How many rows there are.
  var count: Int {
    switch self {
    case .trip(let stage): stage.rowCount
    case .listed(let rows): rows.refs.count
    }
  }

  /// The index of a row; `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*)
  func index(of ref: RowRef) -> Int? {
    switch self {
    case .trip(let stage): stage.rowIndex(of: ref)
    case .listed(let rows): rows.indexes[ref]
    }
  }

  /// The row at an index; `nil` outside the list.
  ///
  /// - Complexity: O(log *n* · log *d*) for *d* days
  func row(at index: Int) -> RowRef? {
    switch self {
    case .trip(let stage): stage.row(at: index)
    case .listed(let rows): rows.refs.indices.contains(index) ? rows.refs[index] : nil
    }
  }
}

/// Rows that are listed one by one.
struct ListedRows: Sendable {
  let refs: [RowRef]
  let indexes: [RowRef: Int]

  /// - Complexity: O(*n*)
  init(_ refs: [RowRef]) {
    self.refs = refs
    var indexes: [RowRef: Int] = [:]
    indexes.reserveCapacity(refs.count)
    for (index, ref) in refs.enumerated() { indexes[ref] = index }
    self.indexes = indexes
  }
}

extension TripStage {
  /// How many rows there are: the head of each day, and every item.
  var rowCount: Int { list.count + Int(dayCount) }

  /// The index of a row among all rows.
  ///
  /// - Complexity: O(log *n*)
  func rowIndex(of ref: RowRef) -> Int? {
    switch ref {
    case .header(let day): return allows(day) ? headerIndex(of: day) : nil
    case .item(let id):
      guard let index = list.index(id: id), let section = list[index].section else { return nil }
      return index + Int(shownDay(of: section))
    }
  }

  /// The row at an index among all rows.
  ///
  /// - Complexity: O(log *n* · log *d*) for *d* days
  func row(at index: Int) -> RowRef? {
    guard index >= 0, index < rowCount else { return nil }
    var low: Int64 = 1
    var high = dayCount
    // The last day whose head stands at the index or above.
    while low < high {
      let middle = (low + high + 1) / 2
      if headerIndex(of: middle) <= index { low = middle } else { high = middle - 1 }
    }
    if headerIndex(of: low) == index { return .header(day: low) }
    let place = index - Int(low)
    return place >= 0 && place < list.count ? .item(list[place].id) : nil
  }

  private func headerIndex(of day: Int64) -> Int {
    shown(under: day).lowerBound + Int(day) - 1
  }
}
