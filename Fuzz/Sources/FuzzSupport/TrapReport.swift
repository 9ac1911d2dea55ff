#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Says which seed was running when a trap ends the process, because nothing can catch a trap.
public enum TrapReport {
  // Written before and read inside a signal handler, where nothing may be allocated.
  nonisolated(unsafe) private static var seed: UInt64 = 0

  /// Notes the seed that runs from now on.
  public static func begin(seed: UInt64) { unsafe TrapReport.seed = seed }

  /// Says the seed on standard error at any trap from now on.
  ///
  /// With SWIFT_BACKTRACE set the runtime reports traps itself, which tells more and takes longer.
  public static func install() {
    guard unsafe getenv("SWIFT_BACKTRACE") == nil else { return }
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGFPE] {
      _ = signal(number) { number in
        unsafe TrapReport.write("trap in seed ")
        var digits: UInt64 = 10_000_000_000_000_000_000
        var hasBegun = false
        while digits > 0 {
          let digit = unsafe TrapReport.seed / digits % 10
          hasBegun = hasBegun || digit != 0 || digits == 1
          if hasBegun { unsafe TrapReport.write(UInt8(48 + digit)) }
          digits /= 10
        }
        unsafe TrapReport.write(10)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  @unsafe private static func write(_ text: StaticString) {
    _ = unsafe writeToFile(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  @unsafe private static func write(_ byte: UInt8) {
    unsafe withUnsafeBytes(of: byte) { bytes in
      _ = unsafe writeToFile(STDERR_FILENO, bytes.baseAddress, 1)
    }
  }
}

// The name `write` is taken above.
@unsafe private func writeToFile(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
