import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// Damaged and hostile bytes: refused, or exactly what they say.
@Suite struct BlockDamageTests {
  /// The blocks that everything here is tried on: deltas, snapshots, segments.
  static func corpus() throws -> [Block] {
    var blocks: [Block] = []
    for seed in 0..<3 {
      let list = Sample.list(seed: UInt64(seed), edits: 8)
      let all = list.delta(since: VersionVector())
      blocks.append(Block(.snapshot, of: list.id, holding: all))
      var half = VersionVector()
      for component in list.version { half[component.replica] = component.sequence / 2 }
      blocks.append(Block(.delta, of: list.id, holding: list.delta(since: half)))
      let head = FolderHeads.Head(
        directory: ReplicaID(rawValue: 9), ordinal: 4, hash: [UInt8](repeating: 5, count: 32))
      blocks.append(
        Block(
          .segment, of: list.id, holding: all,
          heads: FolderHeads(directory: ReplicaID(rawValue: 3), ordinal: 12, heads: [head])))
    }
    return blocks
  }

  static func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }

  @Test func blocksRoundTrip() throws {
    for block in try Self.corpus() {
      let bytes = try block.encoded()
      let copy = try Block(decoding: bytes)
      #expect(copy.delta.entries == block.delta.entries)
      #expect(copy.delta.ranges == block.delta.ranges)
      #expect(copy.heads == block.heads)
      #expect(try copy.encoded() == bytes)
    }
  }

  @Test func sealedBytesAreRefusedAfterEveryCutAndFlip() throws {
    var (cuts, flips) = (0, 0)
    for seed in 0..<2 {
      let sealed = try SealedBlock.encode(Sample.list(seed: UInt64(seed), edits: 5))
      for end in 0..<sealed.count {
        #expect(throws: DecodeFailure.self) { try SealedBlock.decode(Array(sealed[..<end])) }
        cuts += 1
      }
      for bit in 0..<sealed.count * 8 {
        #expect(throws: DecodeFailure.self) { try SealedBlock.decode(Self.flipped(sealed, bit)) }
        flips += 1
      }
    }
    print("sealed blocks: \(cuts) cuts and \(flips) flipped bits, all refused")
  }

  @Test func anAcceptedBlockIsTheOnlyFormOfItsContent() throws {
    var (accepted, refused) = (0, 0)
    for block in try Self.corpus().prefix(runsLong ? 9 : 3) {
      let bytes = try block.encoded()
      for end in 0..<bytes.count {
        #expect(throws: DecodeFailure.self) { try Block(decoding: Array(bytes[..<end])) }
      }
      for bit in 0..<bytes.count * 8 {
        let damaged = Self.flipped(bytes, bit)
        do throws(DecodeFailure) {
          let copy = try Block(decoding: damaged)
          #expect((try? copy.encoded()) == damaged)
          accepted += 1
        } catch {
          #expect(error.offset <= damaged.count)
          refused += 1
        }
      }
    }
    #expect(refused > 0 && accepted > 0)
    print("blocks without seal: \(refused) flips refused, \(accepted) are other blocks")
  }

  @Test func randomChangesNeverTrapAndStayCanonical() throws {
    let corpus = try Self.corpus().map { try $0.encoded() }
    var random = SplitMix64(seed: 11)
    var accepted = 0
    for _ in 0..<4000 {
      var bytes = corpus[random.next(below: corpus.count)]
      for _ in 0...random.next(below: 4) {
        let place = random.next(below: bytes.count)
        switch random.next(below: 4) {
        case 0: bytes[place] = UInt8(random.next(below: 256))
        case 1: bytes.insert(UInt8(random.next(below: 256)), at: place)
        case 2: bytes.remove(at: place)
        default: bytes[place] = [0, 1, 0x7f, 0x80, 0xff][random.next(below: 5)]
        }
        if bytes.isEmpty { bytes = [1] }
      }
      guard let block = try? Block(decoding: bytes) else { continue }
      accepted += 1
      #expect((try? block.encoded()) == bytes)
      var list = ReplicatedList(id: block.list)
      list.merge(block.delta)
      #expect(list.entryCount == block.delta.count)
    }
    for _ in 0..<2000 {
      let bytes = (0..<random.next(below: 80)).map { _ in UInt8(random.next(below: 256)) }
      #expect(throws: DecodeFailure.self) { try SealedBlock.decode(bytes) }
      _ = try? Block(decoding: [1, 2, 0, 0] + bytes)
    }
    #expect(accepted > 0)
  }

  @Test func limitsHoldExactly() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    let first = try list.append(["a": 1, "b": 2, "c": 3], by: &me)
    for _ in 0..<4 { try list.append(by: &me) }
    var you = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    try list.set("a", of: first, to: 5, by: &you)
    let size = try Block(.snapshot, of: list.id, holding: list.delta(since: VersionVector()))
      .encoded().count
    let sealed = try SealedBlock.encode(list)
    for (path, exact, reason) in [
      (\FormatLimits.items, 5, DecodeFailure.Reason.tooManyItems),
      (\.replicas, 2, .tooManyReplicas), (\.fieldsPerItem, 3, .tooManyFields),
      (\.byteCount, size, .tooManyBytes),
    ] {
      for limit in exact - 1...exact + 1 {
        var limits = FormatLimits.ceiling
        limits[keyPath: path] = limit
        if limit < exact {
          do throws(DecodeFailure) {
            _ = try SealedBlock.decode(sealed, limits: limits)
            Issue.record("taken beyond the limit")
          } catch {
            #expect(error.reason == reason)
            #expect(error.code == .limitExceeded)
          }
        } else {
          #expect(try SealedBlock.decode(sealed, limits: limits) == list)
        }
      }
    }
  }

  @Test func whatANewerVersionWroteIsKeptByteForByte() throws {
    let stamp = Stamp(
      time: Timestamp(milliseconds: 1_777_000_000_000), replica: ReplicaID(rawValue: 1))
    let item = ItemID(high: 1, low: 1)
    var builder = Delta.Builder()
    let registers: [(Register, RegisterValue)] = [
      (.other(kind: 0x03, name: []), .other([1, 2, 3])),
      (.other(kind: 0x7f, name: [0xc3, 0xbc, 0x00]), .other([])),
      (.field("new"), .field(.unknown(tag: 0x7f, payload: [9, 9]))),
    ]
    for (index, (register, value)) in registers.enumerated() {
      try builder.add(
        Entry(
          item: item, register: register, value: value, stamp: stamp,
          sequence: Int64(index) + 1))
    }
    let delta = builder.build()
    let bytes = try Block(.delta, of: Sample.listID, holding: delta).encoded()
    var between = ReplicatedList(id: Sample.listID)
    between.merge(try Block(decoding: bytes).delta)
    let passedOn = between.delta(since: VersionVector())
    #expect(passedOn.entries == delta.entries)
    #expect(try Block(.delta, of: Sample.listID, holding: passedOn).encoded() == bytes)
  }

  @Test func namesAreText() throws {
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 1))
    func entry(_ name: [UInt8]) -> Entry {
      Entry(
        item: .root, register: .other(kind: 0x7f, name: name), value: .other([]), stamp: stamp,
        sequence: 1)
    }
    var builder = Delta.Builder()
    #expect(throws: EntryFailure.self) { try builder.add(entry([0xff])) }
    #expect(throws: EntryFailure.self) { try builder.add(entry([0xc3])) }
    #expect(builder.count == 0)
    try builder.add(entry([0x41]))
    var bytes = try Block(.delta, of: Sample.listID, holding: builder.build()).encoded()
    let place = try #require(bytes.firstIndex(of: 0x7f))
    #expect(Array(bytes[place + 1...place + 2]) == [1, 0x41])
    bytes[place + 2] = 0xff
    #expect(throws: DecodeFailure(.badText, at: place)) { try Block(decoding: bytes) }
  }

  @Test func criticalContentAsksForAnUpgrade() throws {
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 1))
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: .root, register: .other(kind: 0x7f, name: []), value: .other([]), stamp: stamp,
        sequence: 1))
    var bytes = try Block(.delta, of: Sample.listID, holding: builder.build()).encoded()
    let place = try #require(bytes.firstIndex(of: 0x7f))
    bytes[place] = 0x80
    let failure = DecodeFailure(.criticalContent, at: place)
    #expect(throws: failure) { try Block(decoding: bytes) }
    #expect(failure.code == .needsUpgrade)
    bytes[0] = 2
    #expect(throws: DecodeFailure(.newerVersion, at: 0)) { try Block(decoding: bytes) }
  }

  @Test func countsAreNotBelieved() throws {
    let header: [UInt8] = [1, 2, 0, 0] + [UInt8](repeating: 0, count: 16)
    let huge: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
    for prefix: [UInt8] in [[], [0], [0, 0], [0, 0, 0], [0, 0, 0, 0]] {
      do throws(DecodeFailure) {
        _ = try Block(decoding: header + prefix + huge)
        Issue.record("taken")
      } catch {
        #expect(error.code == .truncated)
      }
    }
    #expect(throws: DecodeFailure.self) { try Block(decoding: header + huge.dropLast() + [2]) }
  }

  @Test func decodingTakesMemoryInProportion() throws {
    for (name, edits) in [("small", 20), ("greater", 300)] {
      let list = Sample.list(seed: 2, edits: edits)
      let bytes = try Block(.snapshot, of: list.id, holding: list.delta(since: VersionVector()))
        .encoded()
      let delta = try Block(decoding: bytes).delta
      let taken = delta.rows.capacity * MemoryLayout<Delta.Row>.stride + delta.bytes.capacity
      #expect(taken <= 16 * bytes.count + 1 << 20)
      print("\(name): \(bytes.count) bytes, \(delta.count) entries, \(taken) bytes decoded")
    }
  }
}
