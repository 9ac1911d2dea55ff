import BetwixtWeb
import BetwixtWebTrips
import Testing
import WebPrograms

/// Requests that no page sends: whatever comes is answered, and what is refused changes nothing.
@Suite struct DamagedRequestTests {
  @Test(arguments: 1...40)
  func damagedRequestsAreAnswered(seed: UInt64) {
    let program = Program(seed: seed, length: 40)
    var random = seed
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }
    var bridge = TripBridge()
    var refusals = 0
    for (request, answer) in program.steps {
      for _ in 0..<8 {
        let other = program.steps[next(program.steps.count)].request
        let damaged = damaged(request, with: other, next)
        var copy = bridge
        guard copy.answer(damaged).first != 0 else { continue }
        refusals += 1
        #expect(digests(&copy) == digests(&bridge), "seed \(seed): \(damaged)")
      }
      let again = bridge.answer(request)
      #expect(again == answer)
    }
    #expect(refusals > program.steps.count)
  }

  private func digests(_ bridge: inout TripBridge) -> [[UInt8]] {
    var digests: [[UInt8]] = []
    for handle in 1...2 {
      digests.append(bridge.answer(Request(.digest, UInt64(handle), random: 0).bytes))
    }
    return digests
  }

  private func damaged(
    _ request: [UInt8], with other: [UInt8], _ next: (_ limit: Int) -> Int
  ) -> [UInt8] {
    var bytes = request
    for _ in 0...next(2) {
      let place = next(bytes.count)
      switch next(6) {
      case 0: bytes[place] ^= 1 << UInt8(next(8))
      case 1: bytes[place] = [0, 0x7f, 0x80, 0xff][next(4)]
      case 2: bytes.insert(UInt8(next(256)), at: place)
      case 3: if bytes.count > 1 { bytes.remove(at: place) }
      case 4: bytes = Array(bytes[...place] + other[min(place, other.count - 1)...])
      default: bytes.replaceSubrange(place..., with: repeatElement(0xff, count: 1 + next(12)))
      }
    }
    return bytes
  }
}
