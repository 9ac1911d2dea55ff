import Foundation

/// By how much more of its own time the thread needs for four times as much, whatever else the
/// machine does meanwhile: about 4 where the cost is linear, and 16 where it is the square.
///
/// For what no counter sees; the two sizes are so far apart that nothing in between is taken for
/// either.
func growth(_ size: Int, _ body: (Int) throws -> Double) rethrows -> Double {
  let few = try body(size)
  return try body(4 * size) / few
}

/// The seconds of the processor that a closure takes on this thread.
func threadSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = threadTime()
  try body()
  return threadTime() - start
}

private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
