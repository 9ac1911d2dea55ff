import Betwixt
import BetwixtSync
import Foundation
import Testing

/// Forgetting against a shadow that never forgets: nothing that is shown is lost, and nothing comes
/// back, but for registers of items that were restored after they were forgotten: the price.
///
/// The long form takes as many programs as are asked for:
///
///     BETWIXT_FORGETTING=6000 BETWIXT_FORGETTING_SEED=10000 swift test -c release -Xswiftc -enable-testing \
///       --filter ForgettingShadowTests/nothing
@Suite struct ForgettingShadowTests {
  @Test(arguments: [Exchange.sessions, .asDesigned])
  func nothingButThePriceIsLost(exchange: Exchange) {
    let environment = ProcessInfo.processInfo.environment
    let asked = environment["BETWIXT_FORGETTING"].flatMap { UInt64($0) }
    let first = environment["BETWIXT_FORGETTING_SEED"].flatMap { UInt64($0) } ?? 0
    let count = asked ?? (exchange == .sessions ? 40 : 80)
    var (forgotten, restored, price, compared) = (0, 0, 0, 0)
    // The last ones restored what had been restored and removed by somebody without its place, also
    // by one who had heard of no floor.
    for seed in Array(first..<first + count) + [2553, 2592, 2655, 10_662, 13_200, 14_730] {
      var world = ForgettingWorld(seed: seed, exchange)
      world.run()
      #expect(world.faults.isEmpty, "seed \(seed): \(world.faults)")
      forgotten += world.forgottenCount
      restored += world.restoredCount
      price += world.price
      compared += world.comparedCount
    }
    if asked != nil {
      print("\(exchange): \(count) programs, forgot \(forgotten), restored \(restored)")
      print("compared \(compared), and \(price) registers were the price")
    }
    // Otherwise the programs would show nothing.
    #expect(forgotten > 100 && restored > 20 && price > 0)
  }

  @Test(arguments: [
    Exchange.byAge, .floorNotCarried, .digestWithoutNormalForm, .restoreAsOneEntry,
  ])
  func everyIdeaIsNeeded(exchange: Exchange) {
    let isFound = (0..<300 as Range<UInt64>).contains { seed in
      var world = ForgettingWorld(seed: seed, exchange)
      world.run()
      return !world.faults.isEmpty
    }
    #expect(isFound, "\(exchange)")
  }
}
