import TestSupport
import Testing

/// Three copies of a trip that were edited apart come to one state, whatever brings them together.
@Suite struct ConvergenceTests {
  @Test(arguments: Travellers.Way.allCases)
  func byOneWay(_ way: Travellers.Way) throws {
    let travellers = try Travellers()
    var random = SplitMix64(seed: 71)
    for device in travellers.devices { try travellers.edit(device, count: 5, &random) }
    let (laptop, phone, tablet) = (
      travellers.devices[0], travellers.devices[1], travellers.devices[2]
    )
    try travellers.sync(way, laptop, phone)
    try travellers.edit(phone, count: 3, &random)
    try travellers.sync(way, phone, tablet)
    try travellers.sync(way, tablet, laptop)
    try travellers.sync(way, laptop, phone)
    try travellers.expectEqual()
  }

  @Test(arguments: 0..<(runsLong ? 60 : 3))
  func byAnyMix(_ seed: Int) throws {
    let travellers = try Travellers()
    var random = SplitMix64(seed: 1_000 + UInt64(seed))
    for _ in 0..<8 {
      let pair = travellers.devices.shuffled(using: &random)
      try travellers.edit(pair[0], count: 2, &random)
      try travellers.edit(pair[2], count: 1, &random)
      let way = Travellers.Way.allCases.randomElement(using: &random) ?? .file
      try travellers.sync(way, pair[0], pair[1])
    }
    // Everybody has met everybody after the last edit.
    let order = travellers.devices.shuffled(using: &random)
    for (first, second) in [(order[0], order[1]), (order[1], order[2]), (order[2], order[0])] {
      let way = Travellers.Way.allCases.randomElement(using: &random) ?? .file
      try travellers.sync(way, first, second)
    }
    try travellers.sync(.pipe, order[0], order[1])
    try travellers.expectEqual()
  }
}
