import Betwixt
import BetwixtTrips

/// What must hold of the text formats, whatever the bytes.
enum HostileText {
  static func checkTripJSON(_ bytes: [UInt8]) throws(Violation) {
    guard let list = try? TripJSON.decode(bytes, file: "a") else { return }
    let written = TripJSON.encode(list)
    guard let again = try? TripJSON.decode(written, file: "a") else {
      throw Violation("a file that was written cannot be read")
    }
    try require(
      again == list && again.version == list.version, "a list is not what its file says")
    try require(TripJSON.encode(again) == written, "a list is written in two ways")
  }

  static func checkPlainJSON(_ bytes: [UInt8]) throws(Violation) {
    guard let file = try? TripFile(decoding: bytes, name: "a") else { return }
    let list = file.list()
    let again = try? TripJSON.decode(TripJSON.encode(list), file: "a")
    try require(again == list, "an imported list does not survive its file")
    let trip = Trip(list)
    try require(trip.rows.count >= list.count, "an item has no row")
  }

  static func checkCalendar(_ bytes: [UInt8]) throws(Violation) {
    try checkPlainJSON(calendar(bytes))
  }

  /// Bytes behind the first line of a calendar.
  static func calendar(_ bytes: [UInt8]) -> [UInt8] {
    Array("BEGIN:VCALENDAR\r\n".utf8) + bytes
  }
}
