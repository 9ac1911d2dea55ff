extension Delta {
  /// The same entries without a claim that nothing else is missing.
  ///
  /// For entries that came through a gap: what is missing there may be what a range covers.
  package var withoutRanges: Delta {
    var delta = self
    delta.ranges = []
    return delta
  }

  /// The same entries and ranges, for a receiver that knows by other means what they were made for.
  package var withoutKnowledge: Delta {
    var delta = self
    delta.premise = [:]
    delta.context = [:]
    delta.claim(ranges)
    return delta
  }
}
