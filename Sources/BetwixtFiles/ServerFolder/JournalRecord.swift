import Betwixt
import BetwixtSync

/// What was stored together, as a journal holds it.
///
/// ```
/// count · for each: document 16 · flags 1 · [replica 8 · length · principal] · length · block
/// ```
struct JournalRecord {
  var writes: [StoredWrite] = []

  private static let hasOwner: UInt8 = 1

  /// - Throws: `LimitExceeded` beyond what a block can hold.
  static func bytes(of writes: [StoredWrite]) throws(LimitExceeded) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(writes.count)
    for write in writes {
      bytes += write.list.bytes
      bytes.append(write.owner == nil ? 0 : hasOwner)
      if let owner = write.owner {
        bytes.appendBigEndian(owner.replica.rawValue)
        let principal = Array(owner.principal.utf8)
        bytes.appendVarint(principal.count)
        bytes += principal
      }
      // With what it was made for: records that are damaged make no claim of others false.
      let block = try Block(.delta, of: write.list, holding: write.delta.forStorage).encoded()
      bytes.appendVarint(block.count)
      bytes += block
    }
    return bytes
  }

  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    var reader = Reader(bytes)
    // A document, its flags, and the shortest of lengths.
    let count = try reader.count(ofAtLeast: 18)
    for _ in 0..<count {
      let list = ListID(high: try reader.uint64(), low: try reader.uint64())
      let flags = try reader.byte()
      guard flags <= JournalRecord.hasOwner else { throw reader.failure(.reserved) }
      var owner: StoredWrite.Owner?
      if flags == JournalRecord.hasOwner {
        let replica = ReplicaID(rawValue: try reader.uint64())
        let name = try reader.take(try reader.count(ofAtLeast: 1))
        owner = StoredWrite.Owner(
          replica: replica, principal: String(decoding: name, as: UTF8.self))
      }
      let block = try Block(
        decoding: Array(try reader.take(try reader.count(ofAtLeast: 1))), limits: .ceiling)
      guard block.kind == .delta, block.list == list else { throw reader.failure(.otherList) }
      writes.append(StoredWrite(list: list, delta: block.delta, owner: owner))
    }
    try reader.finish()
  }
}
