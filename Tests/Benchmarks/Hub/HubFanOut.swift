import Betwixt
import BetwixtSync

/// What one edit of one client costs a hub that hands it to the others.
struct HubFanOut {
  let workload: String
  let clientCount: Int

  /// How many replicas ever wrote in the list.
  let replicaCount: Int

  private static let editCount = 20

  func run() throws -> ResultLine {
    var room = BenchmarkHub(try list(), clientCount: clientCount)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    // The first edit meets empty tables.
    try edit(&room, 0, by: &me)
    room.forget()
    let encodings = room.hub.counters.encodedDeltas
    for number in 1...Self.editCount { try edit(&room, number, by: &me) }
    var line = ResultLine(
      workload, room.timing, ops: Self.editCount,
      check: .holds(room.isEqual, "the clients differ"))
    line.bytes = room.byteCount
    line.notes = "time of the hub alone; bytes both ways with all clients"
    line.add("clients", .int(clientCount))
    line.add("replicas", .int(replicaCount))
    line.add("cpu_ms_per_edit", JSON(room.timing.cpu * 1e3 / Double(Self.editCount), decimals: 3))
    line.add("bytes_per_edit_and_client", .int(room.byteCount / Self.editCount / clientCount))
    line.add("encodings", .int(Int(room.hub.counters.encodedDeltas - encodings)))
    return line
  }

  private func edit(_ room: inout BenchmarkHub, _ number: Int, by me: inout Replica) throws {
    var list = room.first
    try list.move(fromOffset: number % list.count, toOffset: 0, by: &me)
    room.edit(list)
  }

  private func list() throws -> ReplicatedList {
    var list = ReplicatedList(id: ReplicatedList.benchmarkID)
    for number in 0..<max(replicaCount, 100) {
      let replica = number % replicaCount + 1
      var me = Replica(
        id: ReplicaID(rawValue: UInt64(replica)),
        sequence: list.version[ReplicaID(rawValue: UInt64(replica))]
      ) { 1_777_000_000_000 }
      try list.append([.benchmarkValue: .string(ItemValue.make(number))], by: &me)
    }
    list.settleDigest()
    return list
  }
}

extension Workload {
  static let hubs: [Workload] =
    [100, 400, 1_600].map { count in
      Workload(name: "hub.clients.\(count)", summary: "edits to \(count) clients of a hub") { _ in
        [
          try HubFanOut(
            workload: "hub.clients.\(count)", clientCount: count, replicaCount: 1
          ).run()
        ]
      }
    }
    + [1, 100, 10_000].map { count in
      Workload(name: "hub.replicas.\(count)", summary: "edits to a client, \(count) replicas") {
        _ in
        [
          try HubFanOut(
            workload: "hub.replicas.\(count)", clientCount: 2, replicaCount: count
          ).run()
        ]
      }
    }
}
