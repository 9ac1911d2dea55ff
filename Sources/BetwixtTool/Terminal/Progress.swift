import BetwixtFiles
import BetwixtSync

/// Shows on a terminal how far something has come, once it has taken a second.
///
/// It is one line that is overwritten and at last erased; whoever reads a file or a pipe sees
/// nothing of it.
package final class Progress {
  private let output: any ByteSink
  private let clock: () -> Int64
  private let start: Int64
  private var lastShown: Int64?

  private static let delay: Int64 = 1_000
  private static let interval: Int64 = 200

  /// Starts to count the time.
  package init(_ output: any ByteSink, clock: @escaping () -> Int64 = PipeDriver.now) {
    self.output = output
    self.clock = clock
    start = clock()
  }

  /// Says what is being done, if it is time to.
  package func show(_ text: @autoclosure () -> String) {
    let now = clock()
    guard now - start >= Progress.delay, now - (lastShown ?? 0) >= Progress.interval else { return }
    lastShown = now
    write("\r\(text().printable)\u{1b}[K")
  }

  /// Erases the line.
  package func finish() {
    if lastShown != nil { write("\r\u{1b}[K") }
    lastShown = nil
  }

  // A terminal that cannot be written to is no reason to stop what is being done.
  private func write(_ text: String) { try? output.write(Array(text.utf8)) }
}

extension Session {
  /// Progress for a person; `nil` if nobody watches.
  func progress() -> Progress? {
    errorIsTerminal && !isQuiet ? Progress(errorOutput) : nil
  }
}
