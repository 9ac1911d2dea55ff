import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// A plain file that is written over an older one keeps what people made of it.
@Suite struct PlainRewriteTests {
  /// A layout that somebody gave a file.
  private struct Style {
    let line: String
    let indentation: String
    let colon: String
    let isReversed: Bool
    let mark: String

    init(_ random: inout SplitMix64) {
      line = ["\n", "\r\n", ""][random.next(below: 3)]
      indentation = ["  ", "\t", "    ", ""][random.next(below: 4)]
      colon = [":", ": ", " : "][random.next(below: 3)]
      isReversed = random.next(below: 2) == 0
      mark = ["", "\u{feff}"][random.next(below: 2)]
    }

    func text(_ value: JSONValue) -> String { mark + text(value, 0) + line }

    private func text(_ value: JSONValue, _ depth: Int) -> String {
      func joined(_ parts: [String], _ open: String, _ close: String) -> String {
        guard !parts.isEmpty else { return open + close }
        let space = String(repeating: indentation, count: depth + 1)
        let end = String(repeating: indentation, count: depth)
        return open + line + parts.map { space + $0 }.joined(separator: "," + line) + line + end
          + close
      }
      switch value.content {
      case .array(let elements): return joined(elements.map { text($0, depth + 1) }, "[", "]")
      case .object(let members):
        return joined(
          (isReversed ? members.reversed() : members).map {
            JSONValue(.string($0.name), at: 0).canonicalText + colon + text($0.value, depth + 1)
          }, "{", "}")
      default: return value.canonicalText
      }
    }
  }

  private func laidOut(_ list: ReplicatedList, _ random: inout SplitMix64) throws -> [UInt8] {
    let value = try JSONScanner.scan(PlainExport(list).bytes)
    return Array(Style(&random).text(value).utf8)
  }

  private func state(_ bytes: [UInt8]) throws -> ReplicatedList {
    try PlainTrip(bytes, file: "trip.json").list()
  }

  @Test func whatNobodyEditedStaysToTheByte() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let list = try RandomTrip.list(seed: seed)
      let file = try laidOut(list, &random)
      #expect(PlainExport(try state(file), over: file).bytes == file, "seed \(seed)")
    }
  }

  @Test func whatIsWrittenSaysTheSameAsTheCanonicalFile() throws {
    var keptCount = 0
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let file = try laidOut(try RandomTrip.list(seed: seed), &random)
      var list = try state(file)
      try RandomTrip.change(&list, &random)
      let canonical = PlainExport(list).bytes
      let written = PlainExport(list, over: file).bytes
      #expect(PlainExport(try state(written)).bytes == canonical, "seed \(seed)")
      if written != canonical { keptCount += 1 }
    }
    #expect(keptCount > 200)
  }

  @Test func oneEditChangesOneLineBesideTheTime() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let value = try JSONScanner.scan(PlainExport(try RandomTrip.list(seed: seed)).bytes)
      var style = Style(&random)
      while style.line.isEmpty { style = Style(&random) }
      let file = Array(style.text(value).utf8)
      var list = try state(file)
      guard let item = list.first(where: { $0[.note] != nil }) else { continue }
      var me = Replica(id: ReplicaID(rawValue: 9)) { 1_900_000_000_000 }
      try list.set(.note, of: item.id, to: "another note", by: &me)
      let written = PlainExport(list, over: file).bytes
      let lines = { (bytes: [UInt8]) in bytes.split(separator: UInt8(ascii: "\n")) }
      #expect(lines(written).count == lines(file).count, "seed \(seed)")
      let changed = zip(lines(written), lines(file)).count { $0 != $1 }
      #expect(changed == 2, "seed \(seed)")
    }
  }

  @Test func aFileWithoutNumbersGetsThemWhenAnItemComesBetween() throws {
    let file = """
      {"id": "t", "items": [
        {"id": "a", "day": 1, "title": "A"},
        {"id": "b", "day": 1, "title": "B"}
      ]}
      """
    var list = try state(Array(file.utf8))
    var me = Replica(id: ReplicaID(rawValue: 9)) { 0 }
    try list.insert(["title": "C"], at: 1, inSection: 1, by: &me)
    let written = PlainExport(list, over: Array(file.utf8)).bytes
    #expect(try state(written).map { $0[.title]?.string } == ["A", "C", "B"])
    #expect(String(decoding: written, as: UTF8.self).hasPrefix("{\"id\": \"t\", "))
  }

  @Test func anotherListIsWrittenAnew() throws {
    let other = Array("{ \"id\": \"u\", \"items\": [] }".utf8)
    let list = try state(Array("{ \"id\": \"t\", \"items\": [] }".utf8))
    #expect(PlainExport(list, over: other).bytes == PlainExport(list).bytes)
    #expect(PlainExport(list, over: Array("no json".utf8)).bytes == PlainExport(list).bytes)
  }

  @Test func aCanonicalFileStaysCanonical() throws {
    let list = try RandomTrip.list(seed: 7)
    var edited = try state(PlainExport(list).bytes)
    var random = SplitMix64(seed: 7)
    try RandomTrip.change(&edited, &random)
    #expect(
      PlainExport(edited, over: PlainExport(list).bytes).bytes == PlainExport(edited).bytes)
  }
}
