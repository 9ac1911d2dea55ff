/// The content of a RANGES frame: ranges of entries by rising upper bound, which together are all.
struct RangeList {
  enum Content: Hashable {
    /// Nothing to say.
    case skip
    case fingerprint(EntryName)
    case list([EntryName])
  }

  struct Range: Hashable {
    /// What lies in it is below this, and not below the bound before; `nil` for all that is left.
    var upper: EntryBound?
    var content: Content
  }

  private(set) var ranges: [Range] = []
  /// What they take, their count at its longest; the same for who says them and for who hears them.
  private(set) var byteCount = 3

  /// How many entries a range lists instead of a fingerprint.
  static let listLimit = 32

  var isOpen: Bool { ranges.contains { $0.content != .skip } }

  mutating func append(_ range: Range) {
    byteCount += range.byteCount
    if range.content == .skip, let last = ranges.last, last.content == .skip {
      byteCount -= last.byteCount
      ranges[ranges.count - 1] = range
      return
    }
    ranges.append(range)
  }

  // MARK: Bytes

  private enum Kind {
    static let skip: UInt8 = 0
    static let fingerprint: UInt8 = 1
    /// A list of n entries has the kind n + 2.
    static let list: UInt8 = 2
  }

  init() {}

  var payload: [UInt8] {
    var output: [UInt8] = []
    output.appendVarint(ranges.count)
    for range in ranges {
      if let upper = range.upper { upper.append(to: &output) } else { output.append(0) }
      switch range.content {
      case .skip: output.append(Kind.skip)
      case .fingerprint(let name):
        output.append(Kind.fingerprint)
        name.append(to: &output)
      case .list(let names):
        output.append(Kind.list + UInt8(truncatingIfNeeded: names.count))
        for name in names { name.append(to: &output) }
      }
    }
    return output
  }

  init(decoding payload: [UInt8]) throws(DecodeFailure) {
    var reader = Reader(payload)
    let count = try reader.count(ofAtLeast: 2)
    guard count > 0 else { throw reader.failure(.badNumber, at: 0) }
    var last: EntryBound?
    for index in 0..<count {
      let start = reader.offset
      let upper = try EntryBound.read(&reader)
      guard (upper == nil) == (index == count - 1) else {
        throw reader.failure(.badOrder, at: start)
      }
      if let last, let upper, upper <= last { throw reader.failure(.badOrder, at: start) }
      last = upper
      let content = try RangeList.content(&reader)
      // They are one: apart they would have a frame of nothing look as long as anybody likes.
      if content == .skip, ranges.last?.content == .skip {
        throw reader.failure(.badOrder, at: start)
      }
      append(Range(upper: upper, content: content))
    }
    try reader.finish()
  }

  private static func content(_ reader: inout Reader) throws(DecodeFailure) -> Content {
    let start = reader.offset
    let kind = try reader.byte()
    switch kind {
    case Kind.skip: return .skip
    case Kind.fingerprint: return .fingerprint(try EntryName(&reader))
    default:
      let count = Int(kind - Kind.list)
      guard count <= listLimit else { throw reader.failure(.badNumber, at: start) }
      var names: [EntryName] = []
      for _ in 0..<count { names.append(try EntryName(&reader)) }
      return .list(names)
    }
  }
}

extension RangeList.Range {
  /// What it takes: a bound with its length, a kind, and what that says.
  fileprivate var byteCount: Int {
    let head = 2 + (upper?.byteCount ?? 0)
    return switch content {
    case .skip: head
    case .fingerprint: head + 16
    case .list(let names): head + 16 * names.count
    }
  }
}
