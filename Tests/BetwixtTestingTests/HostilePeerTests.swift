import BetwixtTesting
import Testing

@Suite("A polite peer who means harm")
struct HostilePeerTests {
  // There are all of them where the tests are optimized.
  #if DEBUG
  private let runs: UInt64 = 30
  #else
  private let runs: UInt64 = 150
  #endif

  @Test("whatever was let in, everything goes on")
  func everythingGoesOn() throws {
    for seed in 0..<runs {
      var source = ChoiceSource(seed: seed)
      let bytes = (0..<400).map { _ in UInt8(source.next(below: 256)) }
      do {
        try HostileInput.hostilePeer.check(bytes)
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }
}
