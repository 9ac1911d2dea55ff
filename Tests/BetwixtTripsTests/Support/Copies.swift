import Betwixt
import BetwixtTrips

/// The copies of one trip that three devices edited offline.
enum Copies {
  static let trips = ["follow-mexico", "east-coast-june"]
  static let devices = ["phone", "tablet", "laptop"]

  static func file(_ trip: String, _ name: String) throws -> TripFile {
    try TripFile(decoding: Resources.bytes("copies/\(trip)/\(name).json"), name: "\(name).json")
  }

  static func devices(of trip: String) throws -> [TripFile] {
    try devices.map { try file(trip, $0) }
  }
}

extension TripFile {
  /// A list without a document, joined with what the file says otherwise.
  func list(base: ReplicatedList) throws -> ReplicatedList {
    try TripImport(self, base: TripFile(list: base, name: name)).list
  }
}

/// All orders of some elements.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
  guard let last = elements.last else { return [[]] }
  return permutations(elements.dropLast()).flatMap { shorter in
    (0...shorter.count).map { place in
      var longer = shorter
      longer.insert(last, at: place)
      return longer
    }
  }
}

extension ReplicatedList {
  /// The list after a trip through the text form.
  func throughTripJSON() throws -> ReplicatedList {
    try TripJSON.decode(TripJSON.encode(self), file: "list.trip.json")
  }
}

/// The text of bytes, for messages and comparisons.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
