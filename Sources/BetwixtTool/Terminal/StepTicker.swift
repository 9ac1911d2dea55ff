import BetwixtFiles
import Dispatch
import Synchronization

/// Shows on a terminal what is being done, once it has taken a second, and for how long.
///
/// The work itself need not look at a clock: what takes a minute in one call is shown too.
final class StepTicker: Sendable {
  private struct State {
    var words = ""
    var isShown = false
    var isEnded = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "betwixt.progress")
  // The clock of the wall may be set meanwhile.
  private let start = PipeDriver.now()

  private static let delay: Int64 = 1_000
  private static let pause = 250

  /// Begins to count the time.
  init() { wait() }

  /// Says what is done now.
  func begin(_ words: String) { state.withLock { $0.words = words } }

  /// Erases what was shown; nothing is shown any more.
  func end() {
    state.withLock { state in
      if state.isShown { StepTicker.write("\r\u{1b}[K") }
      state.isShown = false
      state.isEnded = true
    }
  }

  private func wait() {
    queue.asyncAfter(deadline: .now() + .milliseconds(StepTicker.pause)) { [self] in tick() }
  }

  private func tick() {
    let elapsed = PipeDriver.now() - start
    let isEnded = state.withLock { state in
      if !state.isEnded, elapsed >= StepTicker.delay {
        state.isShown = true
        StepTicker.write("\r\(state.words.printable): \(elapsed / 1_000) s\u{1b}[K")
      }
      return state.isEnded
    }
    if !isEnded { wait() }
  }

  // A terminal that cannot be written to is no reason to stop what is being done.
  private static func write(_ text: String) {
    try? Descriptor.standardError.write(Array(text.utf8))
  }
}
