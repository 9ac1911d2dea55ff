import BetwixtTesting
import Foundation
import Testing

@Suite("Bytes from outside")
struct HostileInputTests {
  @Test("good inputs", arguments: HostileInput.allCases)
  func seeds(target: HostileInput) throws {
    let seeds = try target.seeds
    #expect(!seeds.isEmpty)
    for (number, seed) in seeds.enumerated() {
      #expect(target.accepts(seed), "seed \(number)")
      try target.check(seed)
    }
  }

  @Test("inputs that are not whole are not good", arguments: HostileInput.allCases)
  func cut(target: HostileInput) throws {
    guard target != .hostilePeer, target != .program else { return }
    for seed in try target.seeds { #expect(!target.accepts(Array(seed.dropLast(seed.count / 2)))) }
  }

  @Test("good inputs that were changed a little", arguments: HostileInput.allCases)
  func changed(target: HostileInput) throws {
    var source = ChoiceSource(seed: 1)
    let seeds = try target.seeds
    let isLong = ProcessInfo.processInfo.environment["BETWIXT_LONG"] == "1"
    for _ in 0..<(target == .program ? 10 : isLong ? 600 : 60) {
      var bytes = source.pick(seeds)
      for _ in 0...source.next(below: 3) { change(&bytes, &source) }
      try target.check(bytes)
    }
  }

  private func change(_ bytes: inout [UInt8], _ source: inout ChoiceSource) {
    let place = source.next(below: bytes.count + 1)
    switch source.next(below: 5) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(source.next(below: 8))
    case 1 where place < bytes.count: bytes[place] = source.pick([0, 0x7f, 0x80, 0xff])
    case 2: bytes.insert(UInt8(source.next(below: 256)), at: place)
    case 3: bytes.removeSubrange(place..<min(place + 1 + source.next(below: 9), bytes.count))
    default: bytes.insert(contentsOf: bytes.prefix(source.next(below: 40)), at: place)
    }
  }

  /// Every input in `Fuzz/FailCases` once showed a bug, in the folder of its target; those in the folder
  /// `simulate` are programs as text.
  @Test("inputs and programs that failed once")
  func failCases() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let cases = root.appending(path: "Fuzz/FailCases")
    var counts: [String: Int] = [:]
    for target in try Self.names(in: cases) {
      let folder = cases.appending(path: target)
      for name in try Self.names(in: folder) {
        let data = try Data(contentsOf: folder.appending(path: name))
        if target == "simulate" {
          let program = try Program(String(decoding: data, as: UTF8.self))
          try Simulation(replicas: 1...4).run(program)
        } else {
          try #require(HostileInput(rawValue: target), "\(target)").check(Array(data))
        }
        counts[target, default: 0] += 1
      }
    }
    // More may come, and none goes.
    #expect(counts["simulate", default: 0] >= 43 && counts["session", default: 0] >= 2)
  }

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
