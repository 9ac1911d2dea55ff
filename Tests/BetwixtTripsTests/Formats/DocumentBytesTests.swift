import Betwixt
import BetwixtFiles
import Foundation
import TestSupport
import Testing

@testable import BetwixtTrips

/// Documents that are edited in place, read as whole files: by a page, which has no file system.
@Suite struct DocumentBytesTests {
  /// The bytes of a document with a snapshot and two commits.
  private static func document() throws -> (bytes: [UInt8], list: ReplicatedList) {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/rome.trip"
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_780_000_000_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    var file = try DocumentFile.create(
      at: path, holding: list, settings: DocumentFile.Settings(random: { 4 }))
    for title in ["Museum", "Dinner"] {
      try list.append(["title": .string(title)], toSection: 1, by: &me)
      try file.commit(list)
    }
    file.close()
    return (Array(try Data(contentsOf: URL(fileURLWithPath: path))), list)
  }

  @Test func itIsTheListToTheLastCommit() throws {
    let (bytes, list) = try Self.document()
    let file = try TripFile(decoding: bytes, name: "rome.trip")
    #expect(file.format == .trip && file.list() == list && file.list().version == list.version)
  }

  /// What lacks something is never shown as whole, wherever it is cut or damaged.
  @Test func whatIsDamagedIsRefused() throws {
    let (bytes, list) = try Self.document()
    for count in bytes.indices {
      guard let file = try? TripFile(decoding: Array(bytes[..<count]), name: "cut") else {
        continue
      }
      // Cut exactly between two commits it is a document: nothing tells.
      #expect(list.version.covers(file.list().version))
      #expect(file.list().count < 2)
    }
    for place in bytes.indices {
      var flipped = bytes
      flipped[place] ^= 4
      let file = try? TripFile(decoding: flipped, name: "flipped")
      #expect(file == nil, "byte \(place)")
    }
  }
}
