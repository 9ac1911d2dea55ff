import Betwixt
import BetwixtSync

/// One device's copy of a list, with the writer that edits it.
///
/// A class, because ten forks stand in an array and a `Replica` cannot be copied.
final class Device {
  var list: ReplicatedList
  var me: Replica

  init(_ list: ReplicatedList, replica number: UInt64) {
    self.list = list
    me = Replica(id: ReplicaID(rawValue: number), clock: Device.clock)
  }

  func apply(_ operation: ListOperation) throws { try list.apply(operation, by: &me) }

  // A clock that stands still, so that two runs write the same bytes.
  private static let clock: @Sendable () -> Int64 = { 1_777_000_000_000 }
}

extension FieldName {
  /// The one field of a benchmark's item.
  static let benchmarkValue: FieldName = "value"
}

extension ReplicatedList {
  static let benchmarkID = ListID(high: 0xbe7c_4000, low: 1)

  /// The list that workloads start from, made by appending.
  static func holding(_ values: [String], by me: inout Replica) throws -> ReplicatedList {
    var list = ReplicatedList(id: benchmarkID)
    for value in values { try list.append([.benchmarkValue: .string(value)], by: &me) }
    return list
  }

  mutating func apply(_ operation: ListOperation, by me: inout Replica) throws(EditFailure) {
    switch operation {
    case .insert(let index, let value):
      try insert([.benchmarkValue: .string(value)], at: index, by: &me)
    case .delete(let index):
      try remove(at: index, by: &me)
    case .set(let index, let value):
      try set(.benchmarkValue, of: self[index].id, to: .string(value), by: &me)
    case .move(let source, let target):
      try move(
        fromOffset: source, toOffset: target > source ? target + 1 : target, by: &me)
    }
  }

  /// The values in order.
  var values: [String] { map { $0[.benchmarkValue]?.string ?? "" } }

  var content: Content { Content(of: values) }

  /// What somebody of a given version lacks, as it travels.
  func message(since version: VersionVector) throws -> [UInt8] {
    try Block(.delta, of: id, holding: delta(since: version)).encoded()
  }
}

extension Delta {
  /// Reads what ``ReplicatedList/message(since:)`` made, and what its sender's summary said.
  init(message bytes: [UInt8], from version: VersionVector = [:]) throws {
    self = try Block(decoding: bytes).delta
    know(version)
  }
}
