import BetwixtTesting
import FuzzSupport

/// The target that the environment names.
private let target: HostileInput = {
  let names = HostileInput.allCases.map(\.rawValue).joined(separator: ", ")
  guard let name = environmentVariable("BETWIXT_FUZZ_TARGET"),
    let target = HostileInput(rawValue: name)
  else { fail("Error: BETWIXT_FUZZ_TARGET names no target; there are \(names).", code: 64) }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    try target.check(bytes)
  } catch {
    fatalError("\(target.rawValue): \(error)")
  }
  return 0
}
