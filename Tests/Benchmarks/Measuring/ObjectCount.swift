#if canImport(Glibc)
import Glibc
#endif

/// How many objects, the storage of arrays among them, a stretch of code makes.
///
/// The count shows a regression without a stopwatch. It comes from a hook that the Swift runtime
/// keeps for profilers; where there is none, nothing is counted.
enum ObjectCount {
  /// Counts while `work` runs, which takes longer for that.
  static func count(_ work: () throws -> Void) rethrows -> Int? {
    #if canImport(Glibc)
    guard let hook = unsafe Hook() else { return nil }
    unsafe hook.install()
    defer { unsafe hook.remove() }
    try work()
    return unsafe made
    #else
    return nil
    #endif
  }

  #if canImport(Glibc)
  // One thread runs a workload, and nothing else runs beside it.
  fileprivate nonisolated(unsafe) static var made = 0
  fileprivate nonisolated(unsafe) static var hook: Hook?
  #endif
}

#if canImport(Glibc)
/// The place where the runtime keeps the function that makes objects while a profiler asks for it.
@unsafe
private struct Hook {
  typealias Make = @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

  private let isOn: UnsafeMutablePointer<Bool>
  private let make: UnsafeMutablePointer<Make>
  let plainMake: Make

  init?() {
    guard
      let isOn = unsafe dlsym(
        nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"),
      let make = unsafe dlsym(nil, "_swift_allocObject")
    else { return nil }
    unsafe self.isOn = isOn.assumingMemoryBound(to: Bool.self)
    unsafe self.make = make.assumingMemoryBound(to: Make.self)
    unsafe plainMake = self.make.pointee
  }

  func install() {
    unsafe ObjectCount.made = 0
    unsafe ObjectCount.hook = self
    unsafe make.pointee = { metadata, byteCount, alignment in
      unsafe ObjectCount.made &+= 1
      return unsafe ObjectCount.hook?.plainMake(metadata, byteCount, alignment)
    }
    unsafe isOn.pointee = true
  }

  func remove() {
    unsafe isOn.pointee = false
    unsafe make.pointee = plainMake
  }
}
#endif
