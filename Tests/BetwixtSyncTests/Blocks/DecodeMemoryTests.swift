#if os(Linux)
import TestSupport
import Betwixt
import Foundation
import Testing

@testable import BetwixtSync

/// P20: decoding *k* bytes takes at most 16 *k* + 1 MiB, measured as the system counts it, at its
/// peak, in a process of its own.
@Suite(.serialized) struct DecodeMemoryTests {
  /// Blocks that take as much as they can for each of their bytes.
  enum Shape: String, CaseIterable, Codable {
    case replicas, registers, lives, removals, ranges, values, positions, texts, both, nodes
    case longNodes

    func bytes() -> [UInt8] {
      switch self {
      case .replicas: Greedy.replicas(40_000)
      case .registers: Greedy.registers(60_000)
      case .lives: Greedy.items(200_000, [Greedy.life(isLast: true)])
      case .removals: Greedy.items(200_000, [Greedy.life(2, isLast: true)])
      case .ranges: Greedy.ranges(200_000)
      case .values: Greedy.values(4)
      case .positions: Greedy.items(160_000, [Greedy.position])
      case .texts: Greedy.items(160_000, [Greedy.text], registers: [1, 2, 1, 0x61])
      case .both: Greedy.items(100_000, [Greedy.life(isLast: false), Greedy.position])
      case .nodes: Greedy.items(90_000, [Greedy.life(isLast: false), Greedy.node], names: 2)
      case .longNodes:
        Greedy.items(80_000, [Greedy.life(isLast: false), Greedy.longNode], names: 2)
      }
    }
  }

  @Test(arguments: Shape.allCases) func decodingIsBounded(shape: Shape) async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [shape = shape as Shape] in
      let bytes = shape.bytes()
      // Code that runs for the first time is read from the drive, and would be counted.
      for small in Greedy.small { _ = try? Block(decoding: small) }
      let before = try PeakMemory.reset()
      let block = try? Block(decoding: bytes)
      let peak = try PeakMemory.read() - before
      let count = block?.delta.count ?? -1
      print(
        "decoding \(shape.rawValue): \(bytes.count) bytes, \(count) entries, peak \(peak) bytes, "
          + "\(Double(peak * 10 / bytes.count) / 10) for each")
      // A page of the system's own may come along.
      if peak > 16 * bytes.count + (1 << 20) + (64 << 10) { exit(3) }
      // What is refused must have got far: else nothing is measured.
      if block == nil { exit(4) }
    }
    let said = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    print(said.split(separator: "\n").first { $0.hasPrefix("decoding") } ?? "")
  }

  /// A list that is loaded stays within the same bound, with its order and the index of its ids.
  @Test(arguments: [Shape.lives, .removals, .positions, .texts, .both, .nodes, .longNodes])
  func loadingIsBounded(shape: Shape) async throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/list"
    let block = try Block(decoding: shape.bytes())
    let sealed = try SealedBlock.encode(
      block: Block(.export, of: block.list, holding: block.delta.withoutKnowledge))
    try Data(sealed).write(to: URL(fileURLWithPath: path))
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = path as String] in
      let small = ReplicatedList(id: ListID(high: 7, low: 7))
      if (try? SealedBlock.decode(SealedBlock.encode(small))) == nil { exit(5) }
      guard let data = FileManager.default.contents(atPath: path) else { exit(6) }
      let bytes = [UInt8](data)
      let before = try PeakMemory.reset()
      let list = try? SealedBlock.decode(bytes)
      let peak = try PeakMemory.read() - before
      print(
        "loading: \(bytes.count) bytes, \(list?.allItems().count ?? -1) items, peak \(peak) bytes, "
          + "\(Double(peak * 10 / bytes.count) / 10) for each")
      if peak > 16 * bytes.count + (1 << 20) + (64 << 10) { exit(3) }
      if list == nil { exit(4) }
    }
    let said = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    print(shape.rawValue, said.split(separator: "\n").first { $0.hasPrefix("loading") } ?? "")
    withExtendedLifetime(scratch) {}
  }

  @Test func aCountThatCannotBeIsRefusedBeforeAnythingIsKept() async {
    await #expect(processExitsWith: .success) {
      var bytes = Greedy.header
      bytes.appendVarint(0)
      bytes.appendVarint(0)
      bytes.appendVarint(0)
      bytes.appendVarint(1 << 40)
      bytes += [UInt8](repeating: 0xff, count: 1 << 20)
      // What is used for the first time is read from the drive.
      if (try? Block(decoding: bytes)) != nil { exit(3) }
      _ = try PeakMemory.reset()
      let before = try PeakMemory.reset()
      for _ in 0..<50 {
        if (try? Block(decoding: bytes)) != nil { exit(3) }
      }
      if try PeakMemory.read() - before > 1 << 20 { exit(4) }
    }
  }
}

/// Blocks made by hand, as greedy as the format allows.
enum Greedy {
  static let header: [UInt8] = [1, 2, 0, 0] + [UInt8](repeating: 7, count: 16)

  private static func table(_ count: Int, from first: UInt64 = 1) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(count)
    for number in 0..<count { bytes.appendBigEndian(first + UInt64(number)) }
    return bytes
  }

  /// Replicas of which each is used by one range.
  static func replicas(_ count: Int) -> [UInt8] {
    var bytes = header + table(count)
    bytes.appendVarint(count)
    for index in 0..<count {
      bytes.appendVarint(index)
      bytes += [0, 1]
    }
    return bytes + knowledge() + [0, 0, 0]
  }

  /// Ranges of one replica that do not touch.
  static func ranges(_ count: Int) -> [UInt8] {
    var bytes = header + table(1)
    bytes.appendVarint(count)
    for index in 0..<count {
      bytes += [0]
      bytes.appendVarint(index * 2)
      bytes += [1]
    }
    return bytes + knowledge() + [0, 0, 0]
  }

  /// Registers with the shortest names, each used by one entry.
  static func registers(_ count: Int) -> [UInt8] {
    var bytes = header + table(1) + [0] + knowledge()
    bytes.appendVarint(count)
    var names: [[UInt8]] = []
    for number in 0..<count {
      names.append([
        UInt8(0x20 + number / 9_025), UInt8(0x20 + number / 95 % 95), UInt8(0x20 + number % 95),
      ])
    }
    for name in names { bytes += [2, 3] + name }
    let perItem = 1_000
    bytes.appendVarint((count + perItem - 1) / perItem)
    bytes.appendVarint(count)
    for start in stride(from: 0, to: count, by: perItem) {
      bytes += id(isFirst: start == 0)
      let end = min(start + perItem, count)
      for register in start..<end {
        let last: UInt8 = register == end - 1 ? 0x08 : 0
        bytes.append(0x30 | last | UInt8(min(register + 2, 7)))
        if register + 2 >= 7 { bytes.appendVarint(register - 5) }
        bytes += [0, 1, 0]
      }
    }
    return bytes
  }

  /// The id of the first item, or the one that follows the item before.
  private static func id(isFirst: Bool) -> [UInt8] { isFirst ? [4, 1] : [3] }

  /// Entries of the same replica and time as those before.
  static func life(_ length: UInt8 = 1, isLast: Bool) -> [UInt8] {
    [isLast ? 0x38 : 0x30, 0, length]
  }

  static let position: [UInt8] = [0x79, 0, 8, 0xc0]

  /// Keys before a node of somebody else's, with all but its counter in the head.
  static let node: [UInt8] = [0x79, 0, 2 << 5 | 16 | 4, 0xc0, 0x40]

  /// The same with a counter of one byte, and the number that follows.
  static let longNode: [UInt8] = [0x79, 0, 2 << 5 | 4, 2, 0x81, 0xc0]

  static let text: [UInt8] = [0x7a, 0, 1, 0x61]

  /// Items that follow each other, all with the same entries.
  static func items(
    _ count: Int, _ entries: [[UInt8]], registers: [UInt8] = [0], names: Int = 1
  ) -> [UInt8] {
    // Each name but the first is used by a range.
    let ranges: [UInt8] = names > 1 ? [1, 1, 0, 1] : [0]
    var bytes = header + table(names) + ranges + knowledge() + registers
    bytes.appendVarint(count)
    bytes.appendVarint(count * entries.count)
    for number in 0..<count { bytes += id(isFirst: number == 0) + entries.joined() }
    return bytes
  }

  /// One of each shape with hardly anything in it.
  static let small: [[UInt8]] = [
    replicas(2), ranges(2), registers(2), items(2, [life(isLast: true)]), items(2, [position]),
    items(2, [life(isLast: false), position]), items(2, [text], registers: [1, 2, 1, 0x61]),
  ]

  /// A few values of the greatest length.
  static func values(_ count: Int) -> [UInt8] {
    var bytes = header + table(1) + [0] + knowledge() + [1, 2, 1, 0x61]
    bytes.appendVarint(count)
    bytes.appendVarint(count)
    for number in 0..<count {
      bytes += id(isFirst: number == 0) + [0x3a, 0]
      bytes.appendVarint(FieldValue.maximumByteCount)
      bytes += [6] + [UInt8](repeating: 1, count: FieldValue.maximumByteCount - 1)
    }
    return bytes
  }

  /// What a delta says of what it was made for: nothing.
  private static func knowledge() -> [UInt8] { [0] }
}
#endif
