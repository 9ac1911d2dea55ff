import Betwixt

/// One side's part of a round: entries by rising dot, cut into frames.
///
/// An item's life and place go with the first of its entries, wherever their dots stand: who takes
/// frames one by one holds no item for long that has only fields, and admits no more than some of them.
struct OutgoingDelta {
  private let delta: Delta
  private let replicas: [ReplicaID]
  private let rows: [Delta.Row]
  private let list: ListID
  private var start = 0
  private var end = 0
  private var ready: Frame?

  /// The highest own sequence number among the entries; 0 without any.
  let highestOwn: Int64

  /// What a frame's entries may come to by an estimate that is never too low.
  private static let fill = SyncSetup.plainFrame - 2048
  private static let entryOverhead = 64

  /// Takes all rows of a delta, or some.
  init(_ delta: Delta, rows: [Delta.Row], of list: ListID, own replica: ReplicaID?) {
    let replicas = delta.replicaTable
    self.delta = delta
    self.replicas = replicas
    self.list = list
    self.rows = OutgoingDelta.ordered(rows, replicas: replicas)
    var highest: Int64 = 0
    for row in rows where replicas[Int(row.replica)] == replica {
      highest = max(highest, row.sequence)
    }
    highestOwn = highest
  }

  /// Rows of items, one item after the other, in the order in which they go out.
  private static func ordered(_ rows: [Delta.Row], replicas: [ReplicaID]) -> [Delta.Row] {
    func dot(_ row: Delta.Row) -> Dot {
      Dot(replica: replicas[Int(row.replica)], sequence: row.sequence)
    }
    var keyed: [(key: Dot, row: Delta.Row)] = []
    keyed.reserveCapacity(rows.count)
    var start = 0
    while start < rows.count {
      var end = start + 1
      var first = dot(rows[start])
      while end < rows.count, rows[end].item == rows[start].item {
        first = min(first, dot(rows[end]))
        end += 1
      }
      for row in rows[start..<end] {
        let isNeeded = row.register == .life || row.register == .position
        keyed.append((isNeeded ? first : dot(row), row))
      }
      start = end
    }
    keyed.sort { $0.key != $1.key ? $0.key < $1.key : dot($0.row) < dot($1.row) }
    return keyed.map { $0.row }
  }

  /// The frame that is next; it is made once and kept until ``advance()``.
  mutating func frame() throws(LimitExceeded) -> Frame {
    if let ready { return ready }
    end = endOfFrame()
    let isLast = end == rows.count
    let part = delta.selecting(Array(rows[start..<end]))
    let frame = Frame(
      .delta, payload: try Block(.delta, of: list, holding: part).encoded(), isCritical: true,
      isLast: isLast)
    ready = frame
    return frame
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
    return Dot(replica: replicas[Int(rows[start].replica)], sequence: rows[start].sequence)
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
