import Betwixt
import BetwixtTrips
import Testing

/// Plain trips with little around the part that a test is about.
enum Plain {
  /// A trip `t` of three days from 2026-06-11 with the items given.
  static func trip(_ items: String..., members: String = "") -> String {
    let root = #""id":"t","startDate":"2026-06-11","days":3"#
    return "{\(root)\(members.isEmpty ? "" : "," + members),\"items\":["
      + items.joined(separator: ",") + "]}"
  }

  /// An item with an id, day 1 and number 1 unless the members say otherwise.
  static func item(_ id: String, _ members: String = "") -> String {
    var text = #"{"id":"\#(id)""#
    if !members.contains(#""day""#) { text += #","day":1"# }
    if !members.contains(#""sortOrder""#) { text += #","sortOrder":1"# }
    return text + (members.isEmpty ? "}" : "," + members + "}")
  }

  /// A file with another number for the item of a title.
  static func moving(_ title: String, to number: Double, in text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { part in
      let line = String(part)
      return line.contains(#""title":"\#(title)""#)
        ? line.replacing(/"sortOrder":[^,]*/, with: "\"sortOrder\":\(number)") : line
    }.joined(separator: "\n")
  }

  /// A list as a file whose items of these titles have the numbers from 1 on.
  static func numbered(_ list: ReplicatedList, _ titles: String...) -> String {
    var text = String(decoding: PlainExport(list).bytes, as: UTF8.self)
    for (index, title) in titles.enumerated() {
      text = moving(title, to: Double(index + 1), in: text)
    }
    return text
  }

  static func list(_ text: String) throws -> ReplicatedList {
    try PlainTrip(Array(text.utf8), file: "trip.json").list()
  }

  static func file(_ text: String, _ name: String = "trip.json") throws -> TripFile {
    try TripFile(decoding: Array(text.utf8), name: name)
  }

  /// The failure that reading a text gives.
  static func failure(_ text: String) -> DocumentFailure? {
    do {
      _ = try TripFile(decoding: Array(text.utf8), name: "f")
      return nil
    } catch {
      return error
    }
  }

  static let itemA = ForeignIdentity.item("a")
  static let itemB = ForeignIdentity.item("b")
  static let itemC = ForeignIdentity.item("c")
}

/// The fields of an item by name, cleared ones as `nil`.
func registers(_ list: ReplicatedList, _ id: ItemID) -> [String: FieldValue?] {
  var fields: [String: FieldValue?] = [:]
  for entry in list[id: id]?.entries ?? [] {
    if case .field(let value) = entry.value { fields["\(entry.register)"] = .some(value) }
  }
  return fields
}
