#if os(Linux)
import Betwixt
import Foundation
import Testing

@testable import BetwixtSync

/// What a polite peer sends takes a bounded number of bytes of memory for each of its own, once it is
/// in the list: counted as the system counts it, in a process of its own.
@Suite(.serialized) struct AdmissionMemoryTests {
  /// How many bytes of memory there may be for each that came.
  ///
  /// Of a removed item nothing but its life comes, in four bytes, and it has a place in a page, in the
  /// index of ids and in the digest like any other.
  private static func bound(_ shape: DecodeMemoryTests.Shape) -> Int {
    shape == .removals ? 40 : 16
  }

  @Test(arguments: DecodeMemoryTests.Shape.allCases)
  func whatIsAdmittedIsBounded(shape: DecodeMemoryTests.Shape) async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [shape = shape as DecodeMemoryTests.Shape] in
      let bytes = shape.bytes()
      // Code that runs for the first time is read from the drive, and would be counted.
      for small in Greedy.small {
        var list = ReplicatedList(id: ListID(high: 1, low: 1))
        _ = AdmissionMemoryTests.take(small, into: &list)
      }
      var list = ReplicatedList(id: ListID(high: 1, low: 1))
      let before = HeldMemory.inUse()
      let count = AdmissionMemoryTests.take(bytes, into: &list)
      let held = HeldMemory.inUse() - before
      print("sizes \(bytes.count) \(held) \(count)")
      // Else nothing is measured.
      if list.entryCount != count { exit(4) }
    }
    let said = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let line = try #require(said.split(separator: "\n").first { $0.hasPrefix("sizes ") })
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 3)
    let (came, held) = (numbers[0], numbers[1])
    print(
      "admitting \(shape.rawValue): \(came) bytes, \(numbers[2]) entries taken, \(held) bytes held, "
        + "\(Double(held * 10 / came) / 10) for each")
    #expect(held <= Self.bound(shape) * came + (1 << 20))
  }

  /// Merges what a policy lets in of a block; returns how many entries that are.
  static func take(
    _ bytes: [UInt8], into list: inout ReplicatedList
  ) -> Int {
    guard let block = try? Block(decoding: bytes) else { exit(5) }
    let admitted = AdmissionPolicy(now: 1_777_000_000_000).admit(block.delta, to: list)
    list.merge(admitted.delta)
    list.settleDigest()
    return admitted.delta.count
  }
}

/// What this process has of memory once all that is free was given back.
private enum HeldMemory {
  static func inUse() -> Int {
    // The module map of the system's library leaves the header out that declares it.
    if let symbol = unsafe dlsym(nil, "malloc_trim") {
      _ = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }
}
#endif
