import BetwixtTesting
import Foundation
import Testing

@Suite("Bytes from outside")
struct HostileInputTests {
  @Test("good inputs", arguments: HostileInput.allCases)
  func seeds(target: HostileInput) throws {
    #expect(!target.seeds.isEmpty)
    for seed in target.seeds { try target.check(seed) }
  }

  @Test("good inputs that were changed a little", arguments: HostileInput.allCases)
  func changed(target: HostileInput) throws {
    var source = ChoiceSource(seed: 1)
    let seeds = target.seeds
    for _ in 0..<(target == .program ? 10 : 60) {
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

  /// Every input in `Fuzz/FailCases` once showed a bug, in the folder of its target.
  @Test("inputs that failed once")
  func failCases() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let cases = root.appending(path: "Fuzz/FailCases")
    for target in HostileInput.allCases {
      let folder = cases.appending(path: target.rawValue)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() {
        let bytes = try Data(contentsOf: folder.appending(path: name))
        try target.check(Array(bytes))
      }
    }
  }

  /// Programs that once showed a bug, as text.
  @Test("programs that failed once")
  func failedPrograms() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "Fuzz/FailCases/simulate")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      try Simulation(replicas: 1...4).run(try Program(text))
    }
  }
}
