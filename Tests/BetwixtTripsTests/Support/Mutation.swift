import TestSupport

/// One small random damage to a text: bytes changed, removed, doubled or brought in.
func damaged(_ bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
  var result = bytes
  for _ in 0...random.next(below: 3) where !result.isEmpty {
    let place = random.next(below: result.count)
    switch random.next(below: 5) {
    case 0: result[place] = UInt8(truncatingIfNeeded: random.next())
    case 1: result.remove(at: place)
    case 2: result.insert(result[random.next(below: result.count)], at: place)
    case 3: result.removeSubrange(place..<min(result.count, place + random.next(below: 40)))
    default:
      let syntax = Array("{}[]\":,-0.9eE\\u\n\u{0}truenull".utf8)
      result[place] = syntax[random.next(below: syntax.count)]
    }
  }
  return result
}
