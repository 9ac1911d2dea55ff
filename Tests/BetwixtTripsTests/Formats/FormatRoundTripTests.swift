import Betwixt
import BetwixtSync
import BetwixtTrips
import TestSupport
import Testing

/// Every format on random trips: the same bytes from every copy of a state, and as much of it back
/// as the format holds.
@Suite struct FormatRoundTripTests {
  private static let seeds = 0..<120 as Range<UInt64>

  private func exports(_ list: ReplicatedList) -> [[UInt8]] {
    [
      TripJSON.encode(list), PlainExport(list).bytes, PlainExport(list, distinct: true).bytes,
      CalendarExport(list).bytes, MarkdownExport(list).bytes, CSVExport(list).bytes,
      CSVExport(list, isSpreadsheetSafe: true).bytes, GPXExport(list).bytes,
    ]
  }

  @Test func exportsAreFunctionsOfTheState() throws {
    for seed in FormatRoundTripTests.seeds {
      let list = try RandomTrip.list(seed: seed)
      let expected = exports(list)
      #expect(exports(try list.throughTripJSON()) == expected, "seed \(seed)")
      let sealed = try SealedBlock.decode(SealedBlock.encode(list))
      #expect(exports(sealed) == expected, "seed \(seed)")
      var pieces = ReplicatedList(id: list.id)
      var random = SplitMix64(seed: seed)
      for delta in try parts(of: list, using: &random) { pieces.merge(delta) }
      #expect(exports(pieces).dropFirst() == expected.dropFirst(), "seed \(seed)")
    }
  }

  @Test func fullFormsComeBackByteForByte() throws {
    for seed in FormatRoundTripTests.seeds {
      let list = try RandomTrip.list(seed: seed)
      let text = TripJSON.encode(list)
      let sealed = try SealedBlock.encode(list)
      let fromText = try TripJSON.decode(text, file: "t")
      let fromBinary = try SealedBlock.decode(sealed)
      #expect(try SealedBlock.encode(fromText) == sealed, "seed \(seed)")
      #expect(TripJSON.encode(fromBinary) == text, "seed \(seed)")
    }
  }

  @Test func plainJSONComesBackAndASecondImportIsNone() throws {
    for seed in FormatRoundTripTests.seeds {
      let list = try RandomTrip.list(seed: seed)
      for isDistinct in [false, true] {
        let bytes = PlainExport(list, distinct: isDistinct).bytes
        let file = try TripFile(decoding: bytes, name: "p")
        let fresh = try TripImport(file)
        #expect(fresh.list.id == list.id)
        #expect(fresh.counts == .init(added: list.count))
        #expect(fresh.list.map(\.id) == list.map(\.id), "seed \(seed)")
        #expect(PlainExport(fresh.list, distinct: isDistinct).bytes == bytes, "seed \(seed)")
        let again = try TripImport(file, into: fresh.list)
        #expect(TripJSON.encode(again.list) == TripJSON.encode(fresh.list))
        #expect(again.counts == .init(unchanged: list.count))
        // What was left out is what the report counts; all else has its value.
        let left = PlainExport(list).omissions.count
        let lost = zip(list, fresh.list).reduce(0) { $0 + missing($1.0.fields, in: $1.1.fields) }
        #expect(lost == left, "seed \(seed)")
      }
    }
  }

  private func missing(_ fields: Fields, in others: Fields) -> Int {
    fields.count { others[$0.name] != $0.value }
  }

  /// The cells of a table, read by the rules of RFC 4180 alone.
  private func cells(_ bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = [[]]
    var cell: [UInt8] = []
    var isQuoted = false
    var index = 0
    func next() -> UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && next() == byte:
        cell.append(byte)
        index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        rows[rows.count - 1].append(text(cell))
        cell = []
      case UInt8(ascii: "\r") where !isQuoted:
        rows[rows.count - 1].append(text(cell))
        cell = []
        rows.append([])
        index += 1
      default: cell.append(byte)
      }
      index += 1
    }
    return rows.dropLast()
  }

  @Test func tablesHoldTheirCells() throws {
    for seed in FormatRoundTripTests.seeds {
      let list = try RandomTrip.list(seed: seed)
      let rows = cells(CSVExport(list).bytes)
      #expect(rows.allSatisfy { $0.count == 23 }, "seed \(seed)")
      #expect(rows.count == list.count + 1)
      var number = 0
      var expected: [[String]] = []
      for row in Trip(list).rows {
        guard case .item(let id, let day, _) = row, let item = list[id: id] else {
          number = 0
          continue
        }
        number += 1
        expected.append([
          "\(day)", "\(number)", item.id.uuid, ItemKind(item["kind"]).text, item.summary,
          item["note"]?.string ?? "",
        ])
      }
      let shown = rows.dropFirst().map { [$0[0], $0[2], $0[3], $0[4], $0[5], $0[15]] }
      #expect(shown == expected, "seed \(seed)")
    }
  }

  @Test func markdownHoldsEveryDayAndItem() throws {
    for seed in FormatRoundTripTests.seeds {
      let list = try RandomTrip.list(seed: seed)
      let lines = text(MarkdownExport(list).bytes).split(separator: "\n")
      var shown: [String] = []
      for line in lines.dropFirst() {
        shown.append(line.hasPrefix("## ") ? String(line) : "- " + unescaped(line))
      }
      let rows = Trip(list).rows
      #expect(shown.count == rows.count, "seed \(seed)")
      for (line, row) in zip(shown, rows) {
        switch row {
        case .header(let day, _): #expect(line.hasPrefix("## Day \(day), "))
        case .item(let id, _, _):
          let words = try #require(list[id: id]).summary
            .replacing("\r\n", with: " ").replacing("\n", with: " ")
            .replacing("\t", with: " ").replacing("\u{7f}\u{1}", with: "\u{fffd}\u{fffd}")
          // Blanks at the start of a line mean nothing to a reader, or code.
          let start = words.drop { $0.isWhitespace }
          #expect(line.hasPrefix("- ") && line.contains(start), "seed \(seed)")
        }
      }
    }
  }

  // A line as a Markdown reader shows it: a backslash makes the next sign an ordinary one.
  private func unescaped(_ line: Substring) -> String {
    var result = ""
    var scalars = line.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\\", let escaped = scalars.popFirst() {
        result.unicodeScalars.append(escaped)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  @Test func pointsHoldTheirPlaces() throws {
    for seed in FormatRoundTripTests.seeds {
      let list = try RandomTrip.list(seed: seed)
      let export = GPXExport(list)
      let places = text(export.bytes).split(separator: "<rtept lat=\"").dropFirst().map { part in
        part.split(separator: "\"")
      }
      var expected: [(Double, Double)] = []
      for case .item(let id, _, _) in Trip(list).rows {
        guard let north = list[id: id]?["latitude"]?.double, (-90...90).contains(north),
          let east = list[id: id]?["longitude"]?.double, (-180...180).contains(east)
        else { continue }
        expected.append((north, east == 180 ? -180 : east))
      }
      #expect(places.map { Double($0[0]) } == expected.map { $0.0 }, "seed \(seed)")
      #expect(places.map { Double($0[2]) } == expected.map { $0.1 }, "seed \(seed)")
      #expect(export.omittedCount == list.count - expected.count)
    }
  }
}

/// The writes of a list in parts and in no order, some of them twice.
func parts(of list: ReplicatedList, using random: inout SplitMix64) throws -> [Delta] {
  let entries = Array(list.delta(since: VersionVector()).entries)
  let doubled = entries + entries.filter { _ in random.next(below: 3) == 0 }
  var deltas: [Delta] = []
  var builder = Delta.Builder()
  for entry in doubled.shuffled(using: &random) {
    try builder.add(entry)
    if random.next(below: 4) == 0 {
      deltas.append(builder.build())
      builder = Delta.Builder()
    }
  }
  return deltas + [builder.build()]
}
