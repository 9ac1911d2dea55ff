import Betwixt

/// Finds out which entries two sides lack, by comparing fingerprints of ranges that get smaller.
///
/// The two sides answer each other in turn. What is left when nothing is open: entries that the
/// peer lacks, and names of entries that this side lacks.
struct Reconciliation {
  let set: EntrySet

  /// Rows of the set's delta that the peer lacks.
  private(set) var missingThere: Set<Int> = []

  /// Names of entries that this side lacks and has not asked for.
  private(set) var missingHere: Set<EntryName> = []

  /// Whether nothing is open any more.
  private(set) var isNarrowed = false

  /// Whether this side has said what it lacks, and the peer has.
  var hasAsked = false
  var wasAsked = false

  private var frameCount = 0
  // Of how many of the own entries the peer has listed the ranges, and how many it has asked for.
  private var listedCount: Int64 = 0
  private var wantedCount: Int64 = 0
  // How many of either there may be: each entry once, and once more whenever it is opened again.
  private var mostCount: Int64
  private let frameLimit: Int
  private let sizes: Sizes
  private lazy var places: [EntryName: Int] = {
    var places: [EntryName: Int] = [:]
    for place in 0..<set.count { places[set.name(place)] = place }
    return places
  }()

  /// How finely this side splits, and what it fills its frames to.
  struct Sizes {
    var listLimit = RangeList.listLimit
    var fanOut = 16
    var byteLimit = SyncSetup.plainFrame - 4096
  }

  /// Takes the own entries; other sizes are for tests.
  init(_ set: EntrySet, sizes: Sizes = Sizes()) {
    self.set = set
    self.sizes = sizes
    // A range in which this side holds a list's worth ends with its next answer, so that its own
    // entries bound the answers, whatever the peer says of its own.
    frameLimit = 64 + set.count / sizes.listLimit
    mostCount = Int64(set.count)
  }

  /// Takes note of a full frame: what was listed is settled, and opened again only by the fingerprint
  /// of all the rest that ends such a frame.
  private mutating func reopen(from start: Int) { mostCount += Int64(set.count - start) }

  /// The first message.
  func opening() -> RangeList {
    var answer = RangeList()
    split(0..<set.count, upper: nil, answer: &answer)
    return answer
  }

  /// The answer to a message; `nil` if that was the last.
  mutating func answer(_ message: RangeList) throws(SyncFailure) -> RangeList? {
    frameCount += 1
    guard frameCount <= frameLimit else { throw SyncFailure(.noProgress) }
    guard message.isOpen else {
      isNarrowed = true
      return nil
    }
    var answer = RangeList()
    var start = 0
    // One that is full is cut at some such size.
    if message.byteCount > sizes.byteLimit / 2, case .fingerprint? = message.ranges.last?.content {
      reopen(from: message.ranges.dropLast().last.map { set.index(of: $0.upper) } ?? 0)
    }
    for range in message.ranges {
      let end = max(start, set.index(of: range.upper))
      if answer.byteCount > sizes.byteLimit, range.content != .skip {
        reopen(from: start)
        answer.append(
          .init(upper: nil, content: .fingerprint(set.fingerprint(start..<set.count))))
        return answer
      }
      if case .list = range.content {
        listedCount += Int64(end - start)
        guard listedCount <= mostCount else { throw SyncFailure(.noProgress) }
      }
      settle(range, places: start..<end, answer: &answer)
      start = end
    }
    isNarrowed = !answer.isOpen
    return answer
  }

  private mutating func settle(
    _ range: RangeList.Range, places: Range<Int>, answer: inout RangeList
  ) {
    switch range.content {
    case .skip:
      answer.append(.init(upper: range.upper, content: .skip))
    case .fingerprint(let theirs):
      if theirs == set.fingerprint(places) {
        answer.append(.init(upper: range.upper, content: .skip))
      } else {
        split(places, upper: range.upper, answer: &answer)
      }
    case .list(let theirs):
      let names = Set(theirs)
      var mine: Set<EntryName> = []
      for place in places {
        mine.insert(set.name(place))
        if !names.contains(set.name(place)) { missingThere.insert(set.row(place)) }
      }
      for name in theirs where !mine.contains(name) { missingHere.insert(name) }
      answer.append(.init(upper: range.upper, content: .skip))
    }
  }

  private func split(_ places: Range<Int>, upper: EntryBound?, answer: inout RangeList) {
    guard places.count > sizes.listLimit else {
      answer.append(.init(upper: upper, content: .list(places.map { set.name($0) })))
      return
    }
    var start = places.lowerBound
    for part in 1...sizes.fanOut {
      let end = places.lowerBound + places.count * part / sizes.fanOut
      let bound = part == sizes.fanOut ? upper : set.bound(before: end)
      answer.append(.init(upper: bound, content: .fingerprint(set.fingerprint(start..<end))))
      start = end
    }
  }

  // MARK: Asking for entries

  /// Asks for what the last message showed to be lacking here; nothing of it is kept, so that a
  /// peer that lists without end fills no memory.
  mutating func takeWants(isLast: Bool) -> Frame? {
    guard isLast || !missingHere.isEmpty else { return nil }
    var payload: [UInt8] = []
    for name in missingHere.sorted() { name.append(to: &payload) }
    missingHere = []
    return Frame(.want, payload: payload, isCritical: true, isLast: isLast)
  }

  /// Notes what the peer asks for; names that this side does not have are passed over.
  mutating func note(wants payload: [UInt8]) throws(DecodeFailure) {
    guard payload.count % 16 == 0 else { throw DecodeFailure(.truncated, at: payload.count) }
    var reader = Reader(payload)
    wantedCount += Int64(payload.count / 16)
    guard wantedCount <= mostCount else { throw DecodeFailure(.badNumber, at: 0) }
    while reader.remaining > 0 {
      if let place = places[try EntryName(&reader)] { missingThere.insert(set.row(place)) }
    }
  }
}
