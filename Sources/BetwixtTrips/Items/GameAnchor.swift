/// Where games stand: the schedule says it, and nobody drags them.
package enum GameAnchor {
  /// The number of a game: 100 plus the minute of the day at the venue, 1,540 without a time.
  package static func number(of start: GameStart) -> Double {
    guard let time = start.time else { return 1_540 }
    return Double(100 + time.minuteOfDay)
  }
}
