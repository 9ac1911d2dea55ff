import Betwixt

/// One side's part of a round: entries by rising dot, cut into frames; only the last frame claims
/// ranges, because a write in an early frame may have been replaced by one in a later frame.
struct OutgoingDelta {
  private let delta: Delta
  private let rows: [Delta.Row]
  private let list: ListID
  private let ranges: [CoveredRange]
  private var start = 0
  private var end = 0
  private var ready: Frame?

  /// The highest own sequence number among the entries; 0 without any.
  let highestOwn: Int64

  /// What a frame's entries may come to by an estimate that is never too low.
  private static let fill = SyncSetup.plainFrame - 2048
  private static let entryOverhead = 64

  // What one range takes at most: a replica, its row, two numbers.
  private static let rangeByteCount = 32

  /// Takes all rows of a delta, or some.
  ///
  /// Ranges only make sync cheap: those that one frame has no room for are left out.
  init(
    _ delta: Delta, rows: [Delta.Row], of list: ListID, own replica: ReplicaID?,
    _ maximumFrame: Int = Frame.maximumPayload
  ) {
    let room = maximumFrame / 2 - SyncSetup.plainFrame / 4
    ranges = Array(delta.ranges.prefix(room / OutgoingDelta.rangeByteCount))
    let replicas = delta.replicaTable
    self.delta = delta
    self.list = list
    self.rows = rows.sorted {
      let (left, right) = (replicas[Int($0.replica)], replicas[Int($1.replica)])
      return left != right ? left < right : $0.sequence < $1.sequence
    }
    var highest: Int64 = 0
    for row in rows where replicas[Int(row.replica)] == replica {
      highest = max(highest, row.sequence)
    }
    highestOwn = highest
  }

  /// The frame that is next; it is made once and kept until ``advance()``.
  mutating func frame() throws(LimitExceeded) -> Frame {
    if let ready { return ready }
    end = endOfFrame()
    // Great tables of ranges get a frame of their own.
    let isLast = end == rows.count && (start == end || fits(ranges))
    let part = delta.selecting(Array(rows[start..<end]), ranges: isLast ? ranges : [])
    let frame = Frame(
      .delta, payload: try Block(.delta, of: list, part).encoded(), isCritical: true,
      isLast: isLast)
    ready = frame
    return frame
  }

  private func fits(_ ranges: [CoveredRange]) -> Bool {
    ranges.count * OutgoingDelta.rangeByteCount <= OutgoingDelta.fill / 2
  }

  /// Goes on behind the frame that is ready.
  mutating func advance() {
    start = end
    ready = nil
  }

  /// How many entries there are in all.
  var entryCount: Int { rows.count }

  /// How many entries the frame that is ready has.
  var frameEntryCount: Int { end - start }

  /// The dot of the first entry of the frame that is ready, if there is one.
  var firstDot: Dot? {
    guard start < rows.count else { return nil }
    return Dot(
      replica: delta.replicaTable[Int(rows[start].replica)], sequence: rows[start].sequence)
  }

  private func endOfFrame() -> Int {
    var end = start
    var size = 0
    var names: Set<UInt32> = []
    while end < rows.count {
      let row = rows[end]
      size += row.count + OutgoingDelta.entryOverhead
      if names.insert(row.register.rawValue).inserted, row.register.rawValue >= 2 {
        size += FieldName.maximumByteCount + 2
      }
      if end > start, size > OutgoingDelta.fill { break }
      end += 1
    }
    return end
  }
}
