import Betwixt

/// What a clock shows over the years: how far it is ahead of UTC, by what it shows itself.
///
/// In the hour that a clock leaves out, or shows twice, it is what a `VTIMEZONE` says: a change counts
/// from the time at which the clock before it would show it.
struct ClockCourse: Sendable {
  /// The years that are looked at, each change in them.
  static let years = 1_900..<2_200

  /// The wall clocks of these years, in minutes since 1970.
  static let range: Range<Int64> = {
    let days = [years.lowerBound, years.upperBound].map {
      CivilDate(year: $0, month: 1, day: 1)?.dayNumber ?? 0
    }
    return days[0] * 1_440..<days[1] * 1_440
  }()

  /// The minutes ahead of UTC at first.
  let first: Int

  /// When it changes, rising, and to how much.
  private(set) var changes: [(time: Int64, offset: Int)] = []

  /// - Parameters:
  ///   - first: The minutes ahead of UTC at first.
  ///   - starts: When a clock starts, and by how much it is ahead; of two at one time the first counts.
  init(first: Int, _ starts: [(time: Int64, offset: Int)]) {
    self.first = first
    let order = starts.indices.sorted { (starts[$0].time, $0) < (starts[$1].time, $1) }
    var (time, offset) = (Int64.min, first)
    for start in order.lazy.map({ starts[$0] })
    where start.time != time && ClockCourse.range.contains(start.time) {
      time = start.time
      guard start.offset != offset else { continue }
      offset = start.offset
      changes.append(start)
    }
  }

  /// The course of a clock of the world.
  init(_ rule: ZoneRule) {
    let years = ClockCourse.years
    var starts: [(time: Int64, offset: Int)] = []
    for moment in rule.changes(in: years.lowerBound - 1..<years.upperBound + 1).sorted() {
      let before = rule.offset(atUTC: moment - 1)
      starts.append((moment + Int64(before), rule.offset(atUTC: moment)))
    }
    self.init(first: rule.offset(atLocal: ClockCourse.range.lowerBound), starts)
  }
}

/// The times at which two clocks show something else.
struct ClockDifference: Sendable {
  /// Rising, by the wall clock, in minutes since 1970.
  private var ranges: [Range<Int64>] = []

  init(_ one: ClockCourse, _ other: ClockCourse) {
    var (offset, otherOffset) = (one.first, other.first)
    var (next, otherNext) = (0, 0)
    var start = ClockCourse.range.lowerBound
    while start < ClockCourse.range.upperBound {
      let change = next < one.changes.count ? one.changes[next].time : .max
      let otherChange = otherNext < other.changes.count ? other.changes[otherNext].time : .max
      let end = min(change, otherChange, ClockCourse.range.upperBound)
      if offset != otherOffset, start < end {
        if let last = ranges.last, last.upperBound == start {
          ranges[ranges.count - 1] = last.lowerBound..<end
        } else {
          ranges.append(start..<end)
        }
      }
      if change == end {
        offset = one.changes[next].offset
        next += 1
      }
      if otherChange == end {
        otherOffset = other.changes[otherNext].offset
        otherNext += 1
      }
      start = end
    }
  }

  /// Whether the clocks show the same at some times of the years that are known.
  func isNone(at times: ClockTimes) -> Bool {
    guard !ranges.isEmpty else { return true }
    if let series = times.seriesStart {
      // Nobody plans for more than a hundred years.
      let end = series + 100 * 525_960
      if let next = ranges.first(where: { series < $0.upperBound }), next.lowerBound < end {
        return false
      }
    }
    return times.all.allSatisfy { !contains($0) }
  }

  private func contains(_ time: Int64) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= time { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(time)
  }
}
