import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// The same entries by any way: the same bytes, the same digest, and nothing lost that this version
/// does not know.
@Suite struct TransportEqualityTests {
  /// What a newer version may write: registers, names and value tags of its own.
  static func newer(_ replica: UInt64, seed: UInt64) throws -> Delta {
    var random = SplitMix64(seed: seed)
    var builder = Delta.Builder()
    let id = ReplicaID(rawValue: replica)
    let names: [FieldName] = ["new", "newer", "größer"]
    for number in 1...Int64(8) {
      let kind = 0x03 + UInt8(random.next(below: 0x7d))
      let raw = (0..<random.next(below: 40)).map { _ in UInt8(random.next(below: 256)) }
      let name = (0..<random.next(below: 9)).map { _ in UInt8(random.next(below: 128)) }
      let (register, value): (Register, RegisterValue) =
        number % 2 == 0
        ? (.other(kind: kind, name: name), .other(raw))
        : (.field(names[Int(number) % 3]), .field(.unknown(tag: 0x07 + kind % 0x70, payload: raw)))
      let stamp = Stamp(
        time: Timestamp(milliseconds: 1_777_000_000_000 + number), replica: id)
      try builder.add(
        Entry(
          item: ItemID(high: replica, low: UInt64(number) / 3), register: register, value: value,
          stamp: stamp, sequence: number))
    }
    builder.cover(id, after: 0, through: 8)
    return builder.build()
  }

  /// A list of known and unknown content that this version edited.
  private static func mixed(seed: UInt64) throws -> ReplicatedList {
    var list = Sample.list(seed: seed, edits: 20)
    list.merge(try newer(0xeeee, seed: seed))
    return list
  }

  /// Each way from one list to another, which then holds at least what the first did.
  private typealias Way = @Sendable (ReplicatedList, ReplicatedList) throws -> ReplicatedList

  private static let ways: [(String, Way)] = [
    ("seal", { from, to in to.merging(try SealedBlock.decode(SealedBlock.encode(from))) }),
    (
      "delta",
      { from, to in
        let block = Block(.delta, of: from.id, holding: from.delta(since: to.version))
        var list = to
        list.merge(try Block(decoding: try block.encoded()).delta)
        return list
      }
    ),
    (
      "session",
      { from, to in
        var pair = SyncPair(from, to)
        pair.run(piece: 100)
        return pair.b.list
      }
    ),
    (
      "contents",
      { from, to in
        // Without a version only comparing contents finds what is missing.
        var builder = Delta.Builder()
        for entry in to.delta(since: VersionVector()).entries { try builder.add(entry) }
        var bare = ReplicatedList(id: to.id)
        bare.merge(builder.build())
        var pair = SyncPair(from, bare)
        pair.run()
        return pair.b.list
      }
    ),
    (
      "file",
      { from, to in
        let disk = SimulatedDisk()
        var file = try DocumentFile.create(
          at: DocumentWork.path, holding: to, settings: DocumentWork.settings(disk))
        try file.commit(to.merging(from))
        file.close()
        file = try DocumentFile.open(
          at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 2))
        try file.compact()
        file.close()
        return try DocumentFile.open(
          at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 3)
        ).list
      }
    ),
    (
      "folder",
      { from, to in
        let disk = SimulatedDisk()
        var list = to
        for (number, content) in [(UInt64(1), from), (2, to)] {
          var settings = SharedFolder.Settings(random: { number })
          settings.fileSystem = disk
          var folder = SharedFolder(
            "/shared", list: to.id, replica: ReplicaID(rawValue: number), settings: settings)
          list = content
          try folder.read(into: &list, now: 0)
          try folder.write(list)
        }
        return list
      }
    ),
  ]

  @Test func everyWayGivesTheSameBytes() throws {
    for seed in UInt64(0)..<(runsLong ? 200 : 6) {
      let from = try Self.mixed(seed: seed)
      var to = Sample.list(seed: seed, edits: 6)
      to.merge(try Self.newer(0xffff, seed: seed + 1))
      let expected = to.merging(from)
      let bytes = try SealedBlock.encode(expected)
      for (name, way) in Self.ways {
        let result = try way(from, to)
        #expect(result.digest == expected.digest, "\(name), seed \(seed)")
        // Whose version was lost knows afterwards what the other side claimed.
        if name == "contents" {
          #expect(result.version == from.version)
        } else {
          #expect(try SealedBlock.encode(result) == bytes, "\(name), seed \(seed)")
        }
      }
    }
  }

  /// P16: a chain new, old, new; the old one edits what it knows and passes on what it does not.
  @Test func anOldReaderBetweenNewOnesKeepsWhatItDoesNotKnow() throws {
    for seed in UInt64(0)..<(runsLong ? 100 : 4) {
      let wrote = try Self.mixed(seed: seed)
      for (name, way) in Self.ways {
        var old = try way(wrote, ReplicatedList(id: wrote.id))
        var me = Replica(id: ReplicaID(rawValue: 0x01d)) { 1_777_000_900_000 }
        try old.append(["title": "By the old one"], by: &me)
        let read = try way(old, ReplicatedList(id: wrote.id))
        let unknown = read.delta(since: VersionVector()).entries
          .filter { $0.stamp.replica.rawValue == 0xeeee }
        let written = wrote.delta(since: VersionVector()).entries
          .filter { $0.stamp.replica.rawValue == 0xeeee }
        #expect(unknown == written, "\(name), seed \(seed)")
        #expect(read.digest == old.digest, "\(name), seed \(seed)")
        if name == "contents" { continue }
        #expect(try SealedBlock.encode(read) == SealedBlock.encode(old), "\(name), seed \(seed)")
      }
    }
  }
}
