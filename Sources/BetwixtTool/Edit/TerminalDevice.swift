#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
#error("The command needs a libc with terminals.")
#endif

/// The terminal of this process, in a state in which each key and each click is told at once.
///
/// Going out of scope puts the terminal back.
struct TerminalDevice: ~Copyable {
  private static let input = STDIN_FILENO
  private static let output = STDOUT_FILENO
  /// The other screen, no cursor, the mouse while a button is held, positions as text, and text
  /// that is pasted told from keys.
  ///
  /// A line that is too long is cut by the terminal, whatever it takes for one character.
  private static let begin =
    "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?1002h\u{1b}[?1006h\u{1b}[?2004h"
  fileprivate static let end: StaticString =
    "\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  private var before = termios()

  /// Takes the terminal over.
  init() throws(SystemError) {
    try take()
    TerminalSignals.heed()
  }

  deinit { TerminalDevice.giveBack(before) }

  private mutating func take() throws(SystemError) {
    guard unsafe tcgetattr(TerminalDevice.input, &before) == 0 else {
      throw SystemError(number: errno)
    }
    TerminalDevice.mend(&before)
    var raw = before
    unsafe cfmakeraw(&raw)
    guard unsafe tcsetattr(TerminalDevice.input, TCSAFLUSH, &raw) == 0 else {
      throw SystemError(number: errno)
    }
    TerminalSignals.keep(before)
    try write(TerminalDevice.begin)
  }

  /// What an editor that was killed has left is no state to go back to.
  private static func mend(_ state: inout termios) {
    guard state.c_lflag & tcflag_t(ICANON | ECHO) == 0 else { return }
    state.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN)
    state.c_iflag |= tcflag_t(ICRNL | IXON | BRKINT)
    state.c_oflag |= tcflag_t(OPOST | ONLCR)
  }

  private static func giveBack(_ state: termios) {
    let text = String(describing: end)
    try? Descriptor(number: output).write(Array(text.utf8))
    var state = state
    _ = unsafe tcsetattr(input, TCSAFLUSH, &state)
  }

  /// Gives the terminal back until the process is continued.
  mutating func suspend() throws(SystemError) {
    TerminalDevice.giveBack(before)
    _ = raise(SIGTSTP)
    try take()
  }

  /// Whether there is a terminal to take over.
  static var isPresent: Bool { isatty(input) == 1 && isatty(output) == 1 }

  /// Whether the process was asked to end.
  var isEndAsked: Bool { TerminalSignals.isEndAsked }

  /// How large the terminal is now; 80 × 24 if it does not say.
  var size: TerminalSize {
    var window = winsize()
    guard unsafe ioctl(TerminalDevice.output, UInt(TIOCGWINSZ), &window) == 0,
      window.ws_col > 0, window.ws_row > 0
    else { return TerminalSize(columns: 80, lines: 24) }
    return TerminalSize(columns: Int(window.ws_col), lines: Int(window.ws_row))
  }

  /// Writes to the screen.
  func write(_ text: String) throws(SystemError) {
    try Descriptor(number: TerminalDevice.output).write(Array(text.utf8))
  }

  /// What was typed, after waiting for it at most so long; `nil` at the end of the input.
  func read(waiting milliseconds: Int) throws(SystemError) -> [UInt8]? {
    var request = pollfd(fd: TerminalDevice.input, events: Int16(POLLIN), revents: 0)
    let wait = Int32(clamping: milliseconds)
    guard unsafe poll(&request, 1, wait) > 0 else { return [] }
    let bytes = try Descriptor(number: TerminalDevice.input).readSome()
    return bytes.isEmpty ? nil : bytes
  }

  /// Milliseconds of a clock that only goes forward.
  static var now: Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Requests to end, which must leave the terminal as it was.
private enum TerminalSignals {
  // Written by the handler, which runs between two instructions of the one thread that reads it.
  nonisolated(unsafe) private static var wasAsked: sig_atomic_t = 0

  static var isEndAsked: Bool { unsafe wasAsked != 0 }

  // What the terminal was, for a fault of the program. Written before there can be one.
  nonisolated(unsafe) private static var kept = termios()

  static func keep(_ state: termios) { unsafe kept = state }

  static func heed() {
    for number in [SIGTERM, SIGHUP, SIGINT] {
      signal(number) { _ in unsafe TerminalSignals.wasAsked = 1 }
    }
    // A fault must not leave a terminal without echo; then it takes its course.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
      signal(number) { number in
        let end = TerminalDevice.end
        _ = unsafe write(STDOUT_FILENO, end.utf8Start, end.utf8CodeUnitCount)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &TerminalSignals.kept)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
