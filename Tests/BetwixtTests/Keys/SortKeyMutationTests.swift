import Betwixt
import Testing

/// Bytes that are almost a key are an error or another key, and never a trap.
@Suite("Sort key mutations")
struct SortKeyMutationTests {
  private func keys() throws -> [SortKey] {
    var keys: [SortKey] = []
    for replicaCount in 1...3 {
      var history = SortKeyHistory(seed: UInt64(replicaCount), replicaCount: replicaCount)
      try history.edit(turns: 40, size: 30)
      keys += history.keys
      for _ in 0..<10 {
        keys.append(try SortKey(importing: history.double(), of: history.itemID()))
      }
    }
    keys.sort { $0.bytes.count < $1.bytes.count }
    return stride(from: 0, to: keys.count, by: max(1, keys.count / 16)).map { keys[$0] }
  }

  /// Whether the bytes are a key; if they are not, the error points into them.
  private func isKey(_ bytes: [UInt8]) -> Bool {
    do throws(MalformedSortKey) {
      let tie = try SortKey.validate(bytes[...])
      var rebuilt: [UInt8] = []
      try SortKey.append(
        stem: bytes[..<tie.stemCount], author: tie.author, counter: tie.counter, to: &rebuilt)
      #expect(rebuilt == bytes)
      return true
    } catch {
      #expect((0...bytes.count).contains(error.offset))
      return false
    }
  }

  @Test("Truncated keys are truncated")
  func truncation() throws {
    for key in try keys() {
      for count in 0..<key.bytes.count {
        let error = #expect(throws: MalformedSortKey.self) {
          try SortKey(bytes: Array(key.bytes.prefix(count)))
        }
        #expect(error == MalformedSortKey(reason: .truncated, offset: count))
      }
      for byte in 0...255 as ClosedRange<UInt8> {
        let error = #expect(throws: MalformedSortKey.self) {
          try SortKey(bytes: key.bytes + [byte])
        }
        #expect(error == MalformedSortKey(reason: .trailing, offset: key.bytes.count))
      }
    }
  }

  @Test("Keys with a byte changed, added or taken away")
  func changes() throws {
    var accepted = 0
    var refused = 0
    for key in try keys() {
      for offset in key.bytes.indices {
        for byte in stride(from: UInt8(0), through: 255, by: 5) {
          var changed = key.bytes
          changed[offset] = byte
          if isKey(changed) { accepted += 1 } else { refused += 1 }
        }
        for bit in 0..<8 {
          var changed = key.bytes
          changed[offset] ^= 1 << UInt8(bit)
          if isKey(changed) { accepted += 1 } else { refused += 1 }
        }
        var shorter = key.bytes
        shorter.remove(at: offset)
        if isKey(shorter) { accepted += 1 } else { refused += 1 }
      }
    }
    #expect(accepted > 1000)
    #expect(refused > 1000)
  }

  @Test("Keys between bytes that are no keys are refused or made, without a trap")
  func garbage() throws {
    var choices = ChoiceSource(seed: 3)
    let keys = try keys()
    var output: [UInt8] = []
    for _ in 0..<4000 {
      let pair = (0..<2).map { _ in
        var bytes = choices.pick(keys).bytes
        for _ in 0..<choices.next(below: 4) {
          bytes[choices.next(below: bytes.count)] = UInt8(choices.next(below: 256))
        }
        return Array(bytes.prefix(1 + choices.next(below: bytes.count * 2)))
      }
      let counter = choices.pick([1, .max, 0, -1, Int64.min])
      let replica = ReplicaID(rawValue: choices.word())
      let count = output.count
      do throws(SortKeyRefusal) {
        try SortKey.append(
          between: pair[0][...], and: pair[1][...], replica: replica, counter: counter,
          to: &output)
      } catch {
        #expect(output.count == count)
      }
      output.removeFirst(max(0, output.count - 200))
      _ = SortKey.sortOrder(of: pair[0][...])
      _ = try? SortKey.validate(pair[1][...])
    }
  }
}
