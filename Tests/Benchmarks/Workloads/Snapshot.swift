import Betwixt
import BetwixtSync
import BetwixtTrips

/// The whole list out of memory and back: 100,000 items after 100,000 moves.
enum Snapshot {
  /// The list that encoding starts from: some items after 100,000 moves.
  private static func list(_ count: Int, seed: UInt64) throws -> ReplicatedList {
    let writer = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    writer.list = try .holding(ItemValue.base(count), by: &writer.me)
    for operation in [ListOperation].moves(100_000, base: count, seed: seed) {
      try writer.apply(operation)
    }
    return writer.list
  }

  /// The list of W3b in the bytes of a file.
  static func runSealed() throws -> [ResultLine] {
    try run("", list(100_000, seed: 30), Expected.w3b) { list in
      try SealedBlock.encode(list)
    } decode: { bytes in
      try SealedBlock.decode(bytes)
    }
  }

  /// The list of W3a as text: a text of 100,000 items would be larger than texts may be.
  static func runText() throws -> [ResultLine] {
    try run("[trip.json]", list(10_000, seed: 3), Expected.w3a) { list in
      TripJSON.encode(list)
    } decode: { bytes in
      try TripJSON.decode(bytes, file: "W5")
    }
  }

  /// Encodes the list and loads it again.
  private static func run(
    _ form: String, _ list: ReplicatedList, _ expected: Content,
    encode: (ReplicatedList) throws -> [UInt8],
    decode: ([UInt8]) throws -> ReplicatedList
  ) throws -> [ResultLine] {
    let (bytes, encoding) = try Stopwatch.time { try encode(list) }
    let (loaded, loading) = try Stopwatch.time {
      let loaded = try decode(bytes)
      return (list: loaded, count: loaded.count)
    }
    let (values, reading) = Stopwatch.time { loaded.list.values }
    let isSame = loaded.list == list && loaded.list.version == list.version
    var encodeLine = ResultLine(
      "W5.encode" + form, encoding, ops: 1,
      check: .holds(try encode(loaded.list) == bytes, "the loaded list has other bytes"))
    encodeLine.bytes = bytes.count
    var loadLine = ResultLine(
      "W5.load" + form, loading, ops: 1,
      check: isSame
        ? .compare(Content(of: values), expected) : .failed("the loaded list differs"))
    loadLine.bytes = bytes.count
    loadLine.add("read_all_s", JSON(reading.seconds))
    return [encodeLine, loadLine, try loadToEdit("W5.edit" + form, bytes, decode, values)]
  }

  /// Loading and one move: a decoder that leaves work for later pays for it here.
  private static func loadToEdit(
    _ workload: String, _ bytes: [UInt8], _ decode: ([UInt8]) throws -> ReplicatedList,
    _ values: [String]
  ) throws -> ResultLine {
    let editor = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 2)
    let middle = values.count / 2
    let (_, timing) = try Stopwatch.time {
      editor.list = try decode(bytes)
      try editor.apply(.move(from: middle, to: 0))
    }
    var model = ChunkedOrder(values)
    model.apply(.move(from: middle, to: 0))
    let check = ResultLine.Check.compare(
      editor.list.content, Content(of: model.elements), else: .model)
    return ResultLine(workload, timing, ops: 1, check: check)
  }
}

extension Workload {
  static let snapshots = [
    Workload(
      name: "W5", summary: "100,000 items into the bytes of a file, and back",
      lines: ["W5.encode", "W5.load", "W5.edit"]
    ) { _ in try Snapshot.runSealed() },
    Workload(
      name: "W5[trip.json]", summary: "10,000 items into text, and back",
      lines: ["W5.encode[trip.json]", "W5.load[trip.json]", "W5.edit[trip.json]"]
    ) { _ in try Snapshot.runText() },
  ]
}
