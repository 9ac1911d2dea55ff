import Betwixt
import BetwixtSync
import BetwixtWeb
import Testing
import WebPrograms

/// Two lists of one page, and a conversation between them.
@Suite struct ConversationTests {
  /// A page that writes by a clock of next week is told that nobody takes it, and so is the other.
  @Test func refusalsAreTold() throws {
    var talk = try Talk(clocks: [Talk.now + 7 * 86_400_000, Talk.now])
    try talk.insert("From next week", at: 0)
    try talk.meet()
    let told = try #require(talk.refusals[0].first)
    #expect(told.byPeer && told.isDeferred)
    #expect(told.reason == "its time is too far ahead of the clock")
    #expect(told.registers == ["life", "position", "title: a field"])
    let own = try #require(talk.refusals[1].first)
    #expect(!own.byPeer && own.isDeferred && own.registers == told.registers)
    try talk.expect(counts: [1, 0])
    #expect(talk.syncCounts == [1, 1])
  }

  @Test func whatIsTakenIsNoRefusal() throws {
    var talk = try Talk(clocks: [Talk.now, Talk.now])
    try talk.insert("From today", at: 0)
    try talk.meet()
    #expect(talk.refusals.allSatisfy { $0.isEmpty })
    try talk.expect(counts: [1, 1])
  }

  /// What is asked with something behind it is refused, and then nothing has come of it.
  @Test func whatIsRefusedHasDoneNothing() throws {
    var talk = try Talk(clocks: [Talk.now, Talk.now])
    try talk.meet()
    for operation in [Operation.endSession, .endInput] {
      #expect(talk.answer(operation, followedBy: [0], at: 0).first == 1)
    }
    try talk.insert("From today", at: 0)
    try talk.tell(0)
    try talk.expect(counts: [1, 1])
  }

  /// The sums of all pages are kept, so an edit or a merge never hashes what it did not change.
  @Test func digestsStaySettled() throws {
    var talk = try Talk(clocks: [Talk.now, Talk.now])
    for number in 0..<300 { try talk.insert("Item \(number)", at: 0) }
    try talk.expect(settled: [false, false])
    try talk.meet()
    try talk.expect(counts: [300, 300])
    try talk.expect(settled: [true, true])
    for number in 0..<3 {
      try talk.insert("Later \(number)", at: 0)
      try talk.tell(0)
      try talk.expect(settled: [true, true])
      try talk.expect(counts: [301 + number, 301 + number])
    }
  }
}

/// Two lists, and what their sessions say to each other.
private struct Talk {
  static let now: Int64 = 1_780_000_000_000

  struct Told {
    let byPeer: Bool
    let isDeferred: Bool
    let reason: String
    let registers: [String]
  }

  private var bridge = Bridge()
  private let clocks: [Int64]
  private var waiting: [(side: Int, request: [UInt8])] = []
  private(set) var refusals: [[Told]] = [[], []]
  private(set) var syncCounts = [0, 0]

  init(clocks: [Int64]) throws {
    self.clocks = clocks
    for side in 0..<2 {
      let made = bridge.answer(
        Request(.make, random: 0).adding { bytes in
          for number in [UInt64(side + 7), 1, 2] { bytes.appendBigEndian(number) }
        })
      try #require(made == [0, UInt8(side + 1)])
    }
  }

  mutating func expect(counts: [Int]) throws {
    let found = try [1, 2].map { list in try bridge.withList(list) { $0.list.count } }
    #expect(found == counts)
  }

  mutating func expect(settled: [Bool]) throws {
    let found = try [1, 2].map { list in try bridge.withList(list) { $0.list.isDigestSettled } }
    #expect(found == settled)
  }

  mutating func insert(_ title: String, at side: Int) throws {
    let random = UInt64(truncatingIfNeeded: title.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
    let request = Request(.insert, UInt64(side + 1), now: clocks[side], random: random)
    let answer = bridge.answer(
      request.adding { bytes in
        bytes.append(contentsOf: [1, 0, 1])
        bytes.appendField("title", .string(title))
      })
    try #require(answer.first == 0)
  }

  /// Starts both sessions, and goes on until nobody says anything more.
  mutating func meet() throws {
    for side in 0..<2 {
      let start = Request(.startSession, UInt64(side + 1), now: clocks[side], random: 0)
      let answer = bridge.answer(
        start.adding { bytes in
          bytes.append(1)
          for number in [UInt64(side + 3), 4] { bytes.appendBigEndian(number) }
        })
      var reader = Reader(answer)
      try #require(try reader.byte() == 0)
      try #require(try reader.varint() == session(side))
      try hear(&reader, at: side)
    }
    try goOn()
  }

  /// Tells the session of a side that its list has changed.
  mutating func tell(_ side: Int) throws {
    waiting.append((side, request(.changed, side).bytes))
    try goOn()
  }

  // Handles count on after those of the lists, so the second is known before it has started.
  private func session(_ side: Int) -> UInt64 { UInt64(side + 3) }

  private func request(_ operation: Operation, _ side: Int) -> Request {
    Request(operation, session(side), now: clocks[side], random: 0)
  }

  /// What a session is told, with bytes that do not belong there.
  mutating func answer(_ operation: Operation, followedBy bytes: [UInt8], at side: Int) -> [UInt8] {
    bridge.answer(request(operation, side).bytes + bytes)
  }

  private mutating func goOn() throws {
    while !waiting.isEmpty {
      let (side, request) = waiting.removeFirst()
      var reader = Reader(bridge.answer(request))
      try #require(try reader.byte() == 0)
      try hear(&reader, at: side)
    }
  }

  private mutating func hear(_ reader: inout Reader, at side: Int) throws {
    while true {
      switch try reader.byte() {
      case 0: return
      case 1:
        let bytes = try reader.bytes()
        let request = request(.receive, 1 - side).adding { $0.append(run: bytes) }
        waiting.append((1 - side, request))
      case 2: try reader.passChanges()
      case 3: waiting.append((side, request(.settle, side).adding { $0.append(1) }))
      case 4:
        _ = try reader.take(32)
        syncCounts[side] += 1
      case 6: refusals[side].append(try told(&reader))
      case let kind: throw BridgeFailure("test", "output \(kind): \(try reader.text())")
      }
    }
  }

  private func told(_ reader: inout Reader) throws -> Told {
    let (byPeer, isDeferred) = (try reader.flag(), try reader.flag())
    let reason = try reader.text()
    var registers: [String] = []
    for _ in 0..<(try reader.count(ofAtLeast: 18)) {
      _ = try reader.item()
      let name = try reader.text()
      registers.append(try reader.flag() ? name + ": a field" : name)
    }
    return Told(byPeer: byPeer, isDeferred: isDeferred, reason: reason, registers: registers)
  }
}

extension Reader {
  /// Passes over what a merge changed.
  fileprivate mutating func passChanges() throws {
    for numberCount in [1, 1, 2] {
      for _ in 0..<(try varint()) { try passItem(numberCount: numberCount) }
    }
    for _ in 0..<(try varint()) {
      try passItem(numberCount: 1)
      try passTexts()
    }
    try passTexts()
    // Nobody else writes in these tests, so nothing loses.
    try #require(try varint() == 0)
    try #require(try varint() == 0)
  }

  private mutating func passItem(numberCount: Int) throws {
    _ = try item()
    for _ in 0..<numberCount { _ = try varint() }
  }

  private mutating func passTexts() throws {
    for _ in 0..<(try varint()) { _ = try text() }
  }
}
