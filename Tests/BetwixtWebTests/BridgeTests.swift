import Betwixt
import BetwixtSync
import BetwixtWeb
import Testing
import WebPrograms

@testable import BetwixtWebTrips

@Suite struct BridgeTests {
  /// Whatever was asked, in whatever state: both copies end alike, and nothing is trapped.
  @Test func copiesConverge() {
    for seed in 1...UInt64(150) {
      var program = Program(seed: seed, length: 60)
      let (left, right) = program.digests()
      #expect(left == right && left.count == 33, "seed \(seed)")
    }
  }

  @Test func equalProgramsHaveEqualAnswers() {
    let first = Program(seed: 5, length: 80).steps
    let second = Program(seed: 5, length: 80).steps
    #expect(first.map { $0.answer } == second.map { $0.answer })
  }

  /// A request that is cut off anywhere is refused, and the list is as before.
  @Test func cutRequestsChangeNothing() throws {
    var desk = try Desk()
    let insert = Request(.insert, 1, random: 9).adding { bytes in
      bytes.appendOffset(0)
      bytes.appendVarint(1)
      bytes.appendField("title", "Lunch")
    }
    let before = desk.digest
    for end in 0..<insert.count {
      let answer = desk.bridge.answer(Array(insert[..<end]))
      #expect(answer.first == 1)
    }
    let longer = desk.bridge.answer(insert + [0])
    #expect(longer.first == 1)
    let refused = desk.digest
    #expect(refused == before)
    let whole = desk.bridge.answer(insert)
    #expect(whole.count == 17)
    let written = desk.digest
    #expect(written != before)
  }

  /// A place is used again, and the handle of what stood there before is none.
  @Test func closedHandlesAreNobodys() throws {
    var bridge = Bridge()
    func make() throws -> UInt64 {
      var reader = Reader(
        bridge.answer(
          Request(.make, random: 1).adding { bytes in
            for number in [UInt64(7), 1, 2] { bytes.appendBigEndian(number) }
          }))
      _ = try reader.byte()
      return try reader.varint()
    }
    let first = try make()
    _ = bridge.answer(Request(.close, first, random: 0).bytes)
    let second = try make()
    #expect(first == 1 && second == 1 << 32 | 1)
    let refused = bridge.answer(Request(.digest, first, random: 0).bytes)
    #expect(refused.first == 1)
    _ = bridge.answer(Request(.close, first, random: 0).bytes)
    let told = bridge.answer(Request(.digest, second, random: 0).bytes)
    #expect(told.first == 0)
  }

  @Test func namesOfFieldsHaveALimit() throws {
    var desk = try Desk()
    for (count, code) in [(0, 1), (1, 0), (64, 0), (65, 1)] {
      let answer = desk.bridge.answer(
        Request(.insert, 1, random: UInt64(count)).adding { bytes in
          bytes.appendOffset(0)
          bytes.appendVarint(1)
          bytes.appendField(String(repeating: "n", count: count), "value")
        })
      #expect(answer.first.map { Int($0) } == code, "\(count) bytes")
      let words = String(decoding: answer, as: UTF8.self)
      #expect(code == 0 || words.contains("1 to 64 bytes"))
    }
  }

  @Test func offsetsOutsideAreRefused() throws {
    var desk = try Desk()
    for offset: UInt32 in [1, 2, 0x7fff_ffff, .max] {
      let answer = desk.bridge.answer(
        Request(.insert, 1, random: 3).adding { bytes in
          bytes.appendOffset(offset)
          bytes.appendVarint(0)
        })
      #expect(answer.first == 1)
    }
  }

  /// Bytes that come from anywhere have a checksum, so no damage is merged.
  @Test func damagedDeltasAreRefused() throws {
    var desk = try Desk()
    let lunch = desk.insert("Lunch", random: 4)
    #expect(lunch != nil)
    let delta = Array(desk.bridge.answer(Request(.delta, 1, random: 0).adding { $0 += [0] })[1...])
    for place in delta.indices {
      var damaged = delta
      damaged[place] ^= 0x10
      let answer = desk.bridge.answer(
        Request(.merge, 1, random: 0).adding { $0.append(run: damaged) })
      #expect(answer.first == 1, "byte \(place)")
    }
  }

  /// What a page says of lists that are not there is refused.
  @Test func unknownHandles() throws {
    var desk = try Desk()
    for operation in Operation.allCases where operation.rawValue > Operation.read.rawValue {
      guard operation != .close else { continue }
      let answer = desk.bridge.answer(Request(operation, 77, random: 0).bytes)
      #expect(answer.first == 1, "\(operation)")
    }
  }

  /// Each request that makes items draws a family, so a copied page makes no second item of an id.
  @Test func copiedPagesMakeOtherItems() throws {
    var one = try Desk()
    var two = one
    let empty = one.digest
    let first = one.insert("A", random: 1)
    let untouched = two.digest
    #expect(untouched == empty)
    let second = two.insert("B", random: 2)
    #expect(first != nil && second != nil && first != second)
  }

  /// What lost in merges is kept where somebody can ask for it, and of that the newest.
  @Test func lossesHaveALimit() throws {
    let limit = OpenList.mostLosses
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var other = Replica(id: ReplicaID(rawValue: 2)) { 2_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    for _ in 0..<limit + 5 { try list.append(by: &me) }
    let ids = list.map(\.id)
    var theirs = list
    for id in ids {
      try list.set("note", of: id, to: "mine", by: &me)
      try theirs.set("note", of: id, to: "theirs", by: &other)
    }
    for keepsLosses in [false, true] {
      var open = OpenList(list, writer: ReplicaID(rawValue: 3))
      open.keepsLosses = keepsLosses
      #expect(open.take(theirs.delta(since: list.version)).conflicts.count == limit + 5)
      #expect(open.conflicts.count == (keepsLosses ? limit : 0))
      #expect(open.unversionedCount == 0)
    }
    var desk = try Desk()
    let isAsked = try desk.bridge.lists.withList(1) { $0.keepsLosses }
    var bridge = Bridge()
    let handle = bridge.add(OpenList(list, writer: ReplicaID(rawValue: 3)))
    let isNeverAsked = try !bridge.withList(handle) { $0.keepsLosses }
    #expect(isAsked && isNeverAsked)
  }

  /// A document and its copy have used one number for two writes: a page that merges both says so.
  @Test func whatNoVersionTellsIsCounted() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    let item = try list.append(by: &me)
    let writer = ReplicaID(rawValue: 1)
    var again = Replica(
      id: writer, sequence: list.version[writer], families: { 5 }, clock: { 2_000 })
    var copy = list
    try list.set("note", of: item, to: "one", by: &me)
    try copy.set("other", of: item, to: "two", by: &again)
    var open = OpenList(list, writer: ReplicaID(rawValue: 3))
    _ = open.take(copy.delta(since: VersionVector()))
    #expect(open.unversionedCount == 1 && open.list == list.merging(copy))
    for list in [list, copy] { _ = open.take(list.delta(since: VersionVector())) }
    #expect(open.unversionedCount == 1)
  }

  /// An engine of lists alone says that it has no conversations, and goes on.
  @Test func listsAlone() throws {
    var bridge = Bridge(startingSessions: nil)
    let made = bridge.answer(
      Request(.make, random: 0).adding { bytes in
        for number in [UInt64(7), 1, 2] { bytes.appendBigEndian(number) }
      })
    try #require(made == [0, 1])
    let refused = bridge.answer(
      Request(.startSession, 1, random: 0).adding { bytes in
        bytes.append(1)
        for number in [UInt64(3), 4] { bytes.appendBigEndian(number) }
      })
    let failure = BridgeFailure("request", "this engine has lists alone, and no sessions")
    #expect(refused == failure.answer)
    let count = bridge.answer(Request(.count, 1, random: 0).bytes)
    #expect(count == [0, 0])
  }
}

/// A bridge with one empty list.
struct Desk {
  var bridge = TripBridge()

  init() throws {
    let answer = bridge.answer(
      Request(.make, random: 0).adding { bytes in
        for number in [UInt64(7), 1, 2] { bytes.appendBigEndian(number) }
      })
    try #require(answer == [0, 1])
  }

  var digest: [UInt8] {
    mutating get { bridge.answer(Request(.digest, 1, random: 0).bytes) }
  }

  mutating func insert(_ title: String, random: UInt64) -> [UInt8]? {
    let answer = bridge.answer(
      Request(.insert, 1, random: random).adding { bytes in
        bytes.append(contentsOf: [1, 0, 1])
        bytes.appendField("title", .string(title))
      })
    return answer.first == 0 ? Array(answer.dropFirst()) : nil
  }
}
