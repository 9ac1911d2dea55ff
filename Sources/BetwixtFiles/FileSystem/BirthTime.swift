#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// When files were made and changed, as far as the system tells.
enum BirthTime {
  #if canImport(Darwin)
  static let workingDirectory: Int32 = -1

  static func of(_ descriptor: Int32, path: String, information: stat) -> Int64 {
    nanoseconds(
      Int64(information.st_birthtimespec.tv_sec),
      rest: Int64(information.st_birthtimespec.tv_nsec))
  }
  #else
  static let workingDirectory = Int32(AT_FDCWD)

  /// Of an open file if the path is empty, else of what stands at the path itself.
  static func of(_ descriptor: Int32, path: String, information: stat) -> Int64 {
    guard let call = unsafe call else { return 0 }
    var answer = [UInt8](repeating: 0, count: Answer.size)
    let flags: Int32 = path.isEmpty ? Flag.emptyPath : Int32(AT_SYMLINK_NOFOLLOW)
    // Of a call that failed the answer says nothing: its mask is empty.
    _ = unsafe answer.withUnsafeMutableBytes { space in
      unsafe PathText.name(path).withUnsafeBufferPointer { text in
        unsafe call(descriptor, text.baseAddress, flags, Flag.birthTime, space.baseAddress)
      }
    }
    return unsafe answer.withUnsafeBytes { space in
      let mask = unsafe space.load(fromByteOffset: Answer.mask, as: UInt32.self)
      guard mask & Flag.birthTime != 0 else { return 0 }
      return nanoseconds(
        unsafe space.load(fromByteOffset: Answer.seconds, as: Int64.self),
        rest: Int64(unsafe space.load(fromByteOffset: Answer.nanoseconds, as: UInt32.self)))
    }
  }

  private typealias Call =
    @convention(c) (
      Int32, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutableRawPointer?
    ) -> Int32

  // The C library's headers hide statx from Swift; older libraries do not have it at all.
  private static let call: Call? = {
    guard let symbol = unsafe dlsym(nil, "statx") else { return nil }
    return unsafe unsafeBitCast(symbol, to: Call.self)
  }()

  private enum Flag {
    static let emptyPath: Int32 = 0x1000
    static let birthTime: UInt32 = 0x800
  }

  /// Where Linux puts things in its answer.
  private enum Answer {
    static let size = 256
    static let mask = 0
    static let seconds = 80
    static let nanoseconds = 88
  }
  #endif

  /// Of the last change of anything about a file.
  static func ofChange(_ information: stat) -> Int64 {
    #if canImport(Darwin)
    let time = information.st_ctimespec
    #else
    let time = information.st_ctim
    #endif
    return nanoseconds(Int64(time.tv_sec), rest: Int64(time.tv_nsec))
  }

  private static func nanoseconds(_ seconds: Int64, rest: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? 0 : product &+ rest
  }
}
