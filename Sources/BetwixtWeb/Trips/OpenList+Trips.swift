import Betwixt
import BetwixtSync
import BetwixtTrips
import BetwixtWeb

extension OpenList {
  /// Answers a question about a trip.
  mutating func tell(
    _ operation: TripOperation, from reader: inout Reader, to output: inout [UInt8]
  ) throws(BridgeFailure) {
    switch operation {
    case .rows:
      try reader.end()
      output.append(contentsOf: TripWords(list).rows())
    case .export:
      let word = try reader.read { (input) throws(DecodeFailure) in try input.text() }
      try reader.end()
      guard let format = DocumentFormat(fileName: "trip." + word) else {
        throw BridgeFailure("format", "there is no format “\(word)”")
      }
      do throws(EncodingFailure) {
        let file = try list.encoded(as: format)
        output.append(text: file.summary ?? "")
        output.append(run: file.bytes)
      } catch {
        throw BridgeFailure("format", error.description)
      }
    default:
      let (here, there) = try reader.read { (input) throws(DecodeFailure) in
        (try input.text(), try input.text())
      }
      try reader.end()
      output.append(texts: takeLosses(here, there: there))
    }
  }

  /// What merges lost since this was asked last, in words.
  private mutating func takeLosses(_ here: String, there: String) -> [String] {
    var losses = MergeLosses()
    losses.note(conflicts, removalConflicts: removalConflicts)
    conflicts = []
    removalConflicts = []
    guard !losses.isEmpty else { return [] }
    return MergeReport(losses, in: list, here: here, there: there).lossLines
  }
}

/// The rows of a trip as JSON, for a page to show.
private struct TripWords {
  private let trip: Trip
  private var writer = JSONWriter()

  init(_ list: ReplicatedList) { trip = Trip(list) }

  consuming func rows() -> [UInt8] {
    writer.raw("{\"name\":")
    writer.string(trip.name ?? "Trip")
    writer.raw(",\"rows\":[")
    var isFirst = true
    for row in trip.rows {
      if !isFirst { writer.raw(",") }
      isFirst = false
      switch row {
      case .header(let day, let date): head(day, date: date)
      case .item(let id, let day, let shown): item(id, storedOn: day == shown ? nil : day)
      }
    }
    writer.raw("]}")
    return writer.bytes
  }

  private mutating func head(_ day: Int64, date: CivilDate?) {
    writer.raw("{\"day\":")
    writer.integer(day)
    member("date", date?.description)
    writer.raw("}")
  }

  private mutating func item(_ id: ItemID, storedOn day: Int64?) {
    guard let item = trip.list[id: id] else { return writer.raw("{}") }
    writer.raw("{\"id\":")
    writer.string(id.description)
    member("kind", trip.kind(of: id).text)
    member("title", item.summary)
    member("time", item.clock?.description)
    member("place", item.words("city") ?? item.words("address"))
    member("storedOn", day.map { "\($0)" })
    writer.raw("}")
  }

  private mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    writer.raw(",\"")
    writer.raw(name)
    writer.raw("\":")
    writer.string(text)
  }
}
