#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
#error("the benchmarks need a clock of processor time")
#endif

/// What one timed stretch cost: wall and processor seconds.
struct Timing {
  var seconds = 0.0
  var cpu = 0.0

  static func + (left: Timing, right: Timing) -> Timing {
    Timing(seconds: left.seconds + right.seconds, cpu: left.cpu + right.cpu)
  }
}

/// Runs from its making until ``lap()`` is asked for.
struct Stopwatch {
  private let wall = ContinuousClock.now
  private let cpu = Stopwatch.processorSeconds()

  /// The time since the watch was made.
  func lap() -> Timing {
    Timing(seconds: elapsed, cpu: Stopwatch.processorSeconds() - cpu)
  }

  /// Wall seconds since the watch was made.
  var elapsed: Double { (ContinuousClock.now - wall) / .seconds(1) }

  /// Times one call.
  static func time<Result>(_ work: () throws -> Result) rethrows -> (Result, Timing) {
    let watch = Stopwatch()
    let result = try work()
    return (result, watch.lap())
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
