import Betwixt
import Synchronization
import TestSupport
import Testing

@testable import BetwixtTrips

/// Files that went out, were edited or not, and come back to a document that went on meanwhile.
///
/// The model is a copy of the document that was edited in the same way and has its history.
@Suite struct ReturningFileTests {
  private static let sent: [DocumentFormat] = [.json, .csv, .iCalendar, .gpx]

  /// What a file is said to be made from.
  enum Base: CaseIterable { case none, sent, document }

  private final class Clock: Sendable {
    private let time = Mutex<Int64>(1_780_000_000_123)

    var now: Int64 {
      get { time.withLock { $0 } }
      set { time.withLock { $0 = newValue } }
    }
  }

  private final class Editor {
    let clock: Clock
    var me: Replica
    var random: SplitMix64
    var serial: Int

    init(_ number: UInt64, seed: UInt64, clock: Clock) {
      self.clock = clock
      me = Replica(id: ReplicaID(rawValue: number)) { [clock] in clock.now }
      random = SplitMix64(seed: seed &+ number)
      serial = Int(number) * 1_000
    }

    func add(to list: inout ReplicatedList) throws {
      clock.now += Int64(1 + random.next(below: 4_000))
      serial += 1
      let section = Int64(1 + random.next(below: 2))
      let offset = random.next(below: list.indices(inSection: section).count + 1)
      try list.insert(
        [
          "kind": "custom", "title": .string("item \(serial)"), "latitude": 41.5,
          "longitude": .double(Double(serial) / 1_000),
        ], at: offset, inSection: section, by: &me)
    }

    func edit(_ list: inout ReplicatedList, share: Int?, moves: Bool) throws {
      clock.now += Int64(1 + random.next(below: 4_000))
      let some = list.filter { item in
        guard let share, let title = item["title"]?.string else { return true }
        return (Int(title.split(separator: " ").last ?? "") ?? 0) % 3 == share
      }
      guard let item = some.isEmpty ? nil : some[random.next(below: some.count)] else { return }
      switch random.next(below: moves ? 4 : 2) {
      case 0:
        let title = item["title"]?.string ?? ""
        try list.set("title", of: item.id, to: .string("new " + title), by: &me)
      case 1: try list.remove(item.id, by: &me)
      default:
        let section = Int64(1 + random.next(below: 2))
        let offset = random.next(below: list.indices(inSection: section).count + 1)
        try list.move(item.id, toOffset: offset, inSection: section, by: &me)
      }
    }
  }

  private static func start(seed: UInt64) throws -> (Editor, ReplicatedList) {
    let ann = Editor(1, seed: seed, clock: Clock())
    var list = ReplicatedList(id: ListID(high: 5, low: seed + 1))
    try list.set(
      [("name", "Rome"), ("startDate", "2026-05-01"), ("days", 2)], of: .root, by: &ann.me)
    for _ in 0..<(2 + ann.random.next(below: 6)) { try ann.add(to: &list) }
    for _ in 0..<ann.random.next(below: 4) { try ann.edit(&list, share: nil, moves: true) }
    return (ann, list)
  }

  private static func file(_ list: ReplicatedList, _ format: DocumentFormat) throws -> TripFile {
    try TripFile(decoding: list.encoded(as: format).bytes, name: "back")
  }

  private static func base(
    _ kind: Base, _ list: ReplicatedList, _ format: DocumentFormat
  ) throws -> TripFile? {
    switch kind {
    case .none: nil
    case .sent: try file(list, format)
    case .document: TripFile(list: list, name: "base")
    }
  }

  private static func rows(_ list: ReplicatedList) -> [String] {
    list.map { "\($0.section ?? 0) \($0["title"]?.string ?? "")" }
  }

  /// Nobody edited the file: whatever was done to the document meanwhile, it stays as it is.
  @Test(arguments: sent, Base.allCases)
  func anUneditedFileChangesNothing(_ format: DocumentFormat, _ kind: Base) throws {
    for seed in 0..<60 as Range<UInt64> {
      var (ann, list) = try Self.start(seed: seed)
      let (file, base) = (try Self.file(list, format), try Self.base(kind, list, format))
      // Without ids, what has another text now is another item, unless a base tells.
      if format != .gpx || kind != .none {
        for _ in 0..<ann.random.next(below: 5) { try ann.edit(&list, share: nil, moves: true) }
      }
      for _ in 0..<ann.random.next(below: 3) { try ann.add(to: &list) }
      let result = try TripImport(file, into: list, base: base)
      #expect(Self.rows(result.list) == Self.rows(list), "seed \(seed)")
      #expect(result.counts.added == 0 && result.counts.updated == 0, "seed \(seed)")
      #expect(result.counts.removed == 0, "seed \(seed)")
      guard format != .iCalendar || kind != .none else { continue }
      let merge = try TripMerge([TripFile(list: list, name: "here"), file], base: base)
      #expect(Self.rows(merge.list) == Self.rows(list), "seed \(seed)")
      if kind != .none { #expect(!merge.report.hasConflicts, "seed \(seed) \(merge.report.lines)") }
    }
  }

  /// Only the file was edited, and it says what it was made from: that is what comes of it.
  @Test(arguments: sent, [Base.sent, .document])
  func whatOnlyTheFileSaysIsTaken(_ format: DocumentFormat, _ kind: Base) throws {
    for seed in 0..<60 as Range<UInt64> {
      let (ann, list) = try Self.start(seed: seed)
      let ben = Editor(2, seed: seed, clock: ann.clock)
      var edited = list
      // Calendars and points have no order.
      let moves = format == .json || format == .csv
      for _ in 0..<(1 + ben.random.next(below: 4)) {
        try ben.edit(&edited, share: nil, moves: moves)
      }
      // A file of points without one has no date.
      guard format != .gpx || edited.count > 0 else { continue }
      let (file, base) = (try Self.file(edited, format), try Self.base(kind, list, format))
      let result = try TripImport(file, into: list, base: base)
      #expect(Self.rows(result.list) == Self.rows(edited), "seed \(seed)")
      #expect(result.losses.isEmpty, "seed \(seed)")
      let twice = try TripImport(file, into: result.list, base: base)
      #expect(Self.rows(twice.list) == Self.rows(edited), "seed \(seed)")
      guard format != .iCalendar else { continue }
      let merge = try TripMerge([TripFile(list: list, name: "here"), file], base: base)
      #expect(Self.rows(merge.list) == Self.rows(edited), "seed \(seed)")
      #expect(!merge.report.hasConflicts, "seed \(seed) \(merge.report.lines)")
    }
  }

  /// Both went on, with different items: all of both is there, once, and what neither has moved
  /// stands in its order.
  @Test(arguments: sent, [Base.sent, .document])
  func whatBothSaidIsTaken(_ format: DocumentFormat, _ kind: Base) throws {
    for seed in 0..<60 as Range<UInt64> {
      var (ann, list) = try Self.start(seed: seed)
      let sent = list
      let ben = Editor(2, seed: seed, clock: ann.clock)
      var edited = list
      for _ in 0..<3 { try ann.edit(&list, share: 0, moves: true) }
      for _ in 0..<3 {
        try ben.edit(&edited, share: 1, moves: format == .json || format == .csv)
      }
      try ann.add(to: &list)
      guard format != .gpx || edited.count > 0 else { continue }
      let (file, base) = (try Self.file(edited, format), try Self.base(kind, sent, format))
      let truth = list.merging(edited)
      let result = try TripImport(file, into: list, base: base)
      #expect(Self.rows(result.list).sorted() == Self.rows(truth).sorted(), "seed \(seed)")
      let still = sent.filter { item in
        list[id: item.id]?.position == item.position
          && edited[id: item.id]?.position == item.position && truth.contains(id: item.id)
          && (format != .gpx || edited[id: item.id]?["title"] == item["title"])
      }.map(\.id)
      let found = result.list.map(\.id).filter(still.contains)
      #expect(found == still, "seed \(seed)")
    }
  }

  /// Two people send back what they were sent, each with edits of other items: in whatever order they
  /// are taken in, and also again, all of both is there.
  @Test(arguments: [DocumentFormat.json, .csv, .iCalendar], [Base.sent, .document])
  func twoFilesOfOneBaseComeBack(_ format: DocumentFormat, _ kind: Base) throws {
    for seed in 0..<40 as Range<UInt64> {
      let (ann, sent) = try Self.start(seed: seed)
      var list = sent
      for _ in 0..<3 { try ann.edit(&list, share: 0, moves: true) }
      var truth = list
      var files: [TripFile] = []
      for share in 1...2 {
        let editor = Editor(UInt64(share + 1), seed: seed, clock: ann.clock)
        var edited = sent
        for _ in 0..<3 { try editor.edit(&edited, share: share, moves: format != .iCalendar) }
        truth.merge(edited)
        files.append(try Self.file(edited, format))
      }
      let base = try Self.base(kind, sent, format)
      for order in [files, files.reversed(), files + files] {
        var result = list
        for file in order { result = try TripImport(file, into: result, base: base).list }
        #expect(
          Self.rows(result).sorted() == Self.rows(truth).sorted(), "seed \(seed) \(order.count)")
      }
      let here = TripFile(list: list, name: "here")
      let merges = try [files, files.reversed()].map { order in
        try TripMerge([here] + order, base: base)
      }
      #expect(merges[0].list == merges[1].list && merges[0].report == merges[1].report)
      guard format != .iCalendar else { continue }
      #expect(Self.rows(merges[0].list).sorted() == Self.rows(truth).sorted(), "seed \(seed)")
    }
  }

  /// Numbers that were written by hand show an order, whatever they are.
  @Test func numbersOfAnyKindShowAnOrder() throws {
    let numbers = [0, -1, 1, 1e308, -1e308, 0.1, 1.25, 1.5, .leastNonzeroMagnitude, 1e15 + 0.5, 7]
    for seed in 0..<100 as Range<UInt64> {
      let (ann, list) = try Self.start(seed: seed)
      var titles: [(section: Int64, number: Double, title: String)] = []
      var items: [String] = []
      var left = numbers
      for item in PlainView(list).items {
        let isEdited = ann.random.next(below: 2) == 0 && !left.isEmpty
        let number = isEdited ? left.remove(at: ann.random.next(below: left.count)) : item.number
        let title = item.member("title")?.value?.string ?? ""
        titles.append((item.section, number, title))
        items.append(
          #"{"id":"\#(item.idText)","day":\#(item.section),"sortOrder":\#(number),"#
            + #""title":"\#(title)"}"#)
      }
      guard Set(titles.map { "\($0.section) \($0.number)" }).count == titles.count else { continue }
      let text =
        #"{"id":"\#(list.id.uuid)","startDate":"2026-05-01","items":[\#(items.joined(separator: ","))]}"#
      let file = try TripFile(decoding: Array(text.utf8), name: "back")
      let wanted = titles.sorted { ($0.section, $0.number) < ($1.section, $1.number) }
      for kind in [Base.sent, .document] {
        let base = try Self.base(kind, list, .json)
        let result = try TripImport(file, into: list, base: base)
        #expect(
          Self.rows(result.list) == wanted.map { "\($0.section) \($0.title)" }, "seed \(seed)")
      }
    }
  }

  /// Both have another title for one item: the later one stays, and the other is named.
  @Test(arguments: sent, [Base.sent, .document])
  func whatLosesIsNamed(_ format: DocumentFormat, _ kind: Base) throws {
    // Without ids another title is another item.
    guard format != .gpx else { return }
    var (ann, list) = try Self.start(seed: 3)
    let sent = list
    let item = try #require(list.first?.id)
    let ben = Editor(2, seed: 3, clock: ann.clock)
    var edited = list
    ann.clock.now += 5_000
    try edited.set("title", of: item, to: "theirs", by: &ben.me)
    ann.clock.now += 5_000
    try list.set("title", of: item, to: "mine", by: &ann.me)
    let (file, base) = (try Self.file(edited, format), try Self.base(kind, sent, format))
    let result = try TripImport(file, into: list, base: base)
    #expect(result.list[id: item]?["title"] == "mine")
    let report = MergeReport(result.losses, in: result.list, here: "here", there: "there")
    #expect(report.lostEdits.map(\.lost.value) == [.field("theirs")])
    #expect(result.counts.updated == 0)
  }

  /// A file whose numbers were exchanged by hand, and which says nothing else: nobody knows which is
  /// later, so the document's order stays, and that is said.
  @Test func anOrderThatIsNotTakenIsNamed() throws {
    let (ann, list) = try Self.start(seed: 9)
    let ben = Editor(2, seed: 9, clock: ann.clock)
    var edited = list
    let last = try #require(list.last)
    let section = try #require(last.section)
    try #require(list.indices(inSection: section).count > 1)
    ann.clock.now = 1_770_000_000_000
    try edited.move(last.id, toOffset: 0, inSection: section, by: &ben.me)
    let text = String(decoding: try edited.encoded(as: .json).bytes, as: UTF8.self)
    let old = text.replacing(/"modifiedAt":"[^"]*"/, with: #""modifiedAt":"2025-01-01T00:00:00Z""#)
    let file = try TripFile(decoding: Array(old.utf8), name: "back")
    let merge = try TripMerge([TripFile(list: list, name: "here"), file])
    #expect(Self.rows(merge.list) == Self.rows(list))
    #expect(merge.report.lostEdits.contains { $0.register == .position })
  }
}

extension ListItem {
  fileprivate var position: RegisterValue? {
    entries.first { $0.register == .position }?.value
  }
}
