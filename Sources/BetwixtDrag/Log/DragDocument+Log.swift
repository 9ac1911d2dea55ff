import Betwixt
import BetwixtTrips

extension DragDocument {
  init(_ reader: LogReader) throws(TextProblem) {
    let value = try reader.value("list")
    do {
      self.init(try TripJSON.decode(Array(value.canonicalText.utf8), file: "list"))
    } catch {
      throw TextProblem(error.reason, at: value.offset, error.text)
    }
  }
}
