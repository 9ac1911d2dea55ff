#if canImport(Glibc)
import Glibc
#endif

/// The resident memory of this process, in KiB, where the system tells it.
enum ProcessMemory {
  /// What is resident now, after free memory was given back.
  static func resident() -> Int? {
    giveBack()
    return field("VmRSS:")
  }

  /// The most that was ever resident.
  static func peak() -> Int? { field("VmHWM:") }

  /// How much more one measure is than another.
  static func difference(_ later: Int?, _ earlier: Int?) -> JSON {
    guard let later, let earlier else { return .null }
    return .int(later - earlier)
  }

  // glibc's module map leaves out the header that declares malloc_trim.
  private static func giveBack() {
    #if canImport(Glibc)
    typealias Trim = @convention(c) (Int) -> Int32
    guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    #endif
  }

  private static func field(_ name: String) -> Int? {
    guard let bytes = try? InputFile.read("/proc/self/status") else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard words.count >= 2, words[0].elementsEqual(name.utf8) else { continue }
      return Int(String(decoding: words[1], as: UTF8.self))
    }
    return nil
  }
}
