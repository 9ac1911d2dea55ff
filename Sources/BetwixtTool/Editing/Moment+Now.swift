import BetwixtTrips

extension Moment {
  /// Now by the clock of this machine, in whole seconds, as when tasks are completed.
  static var nowInSeconds: Moment {
    Moment(clamping: SystemCall.wallClockMilliseconds / 1_000 * 1_000)
  }
}
