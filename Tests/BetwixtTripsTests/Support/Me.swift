import Betwixt
import BetwixtTrips
import Testing

extension Replica {
  /// A writer whose clock stands still.
  init(test id: UInt64) {
    self.init(id: ReplicaID(rawValue: id)) { 1_780_000_000_000 }
  }
}

extension Trip {
  /// The items of a day by the names they have in the file, or their titles.
  func names(ofDay day: Int64) -> [String] {
    list.indices(inSection: day).map { index in
      list[index]["foreignId"]?.string ?? list[index]["title"]?.string ?? "?"
    }
  }

  func sortOrder(_ id: ItemID) -> Double? { list[id: id]?.key?.approximateSortOrder }
}
