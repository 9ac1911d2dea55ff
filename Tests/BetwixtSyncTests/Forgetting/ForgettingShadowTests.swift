import Betwixt
import BetwixtSync
import Testing

/// Forgetting against a shadow that never forgets: nothing that is shown is lost, and nothing comes
/// back, but for registers of items that were restored after they were forgotten: the price.
@Suite struct ForgettingShadowTests {
  @Test(arguments: [Exchange.sessions, .asDesigned])
  func nothingButThePriceIsLost(exchange: Exchange) {
    var (forgotten, restored, price, compared) = (0, 0, 0, 0)
    // The last ones restored what had been restored and removed by somebody without its place.
    for seed in Array(0..<(exchange == .sessions ? 40 : 80)) + [2553, 2592, 2655] as [UInt64] {
      var world = ForgettingWorld(seed: seed, exchange)
      world.run()
      #expect(world.faults.isEmpty, "seed \(seed): \(world.faults)")
      forgotten += world.forgottenCount
      restored += world.restoredCount
      price += world.price
      compared += world.comparedCount
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
