import Foundation
import Synchronization

@testable import BetwixtSync

/// Seeded random bits behind a closure that may be called from anywhere.
final class SharedRandom: Sendable {
  private let generator: Mutex<SplitMix64>

  init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

  func next() -> UInt64 { generator.withLock { $0.next() } }
}

/// Random bits that were thought up, over and over again.
final class GivenBits: Sendable {
  private let values: [UInt64]
  private let count = Mutex(0)

  init(_ values: [UInt64]) { self.values = values }

  func next() -> UInt64 {
    count.withLock { count in
      defer { count += 1 }
      return values[count % values.count]
    }
  }
}

/// Whether the long forms of tests run: BETWIXT_LONG=1.
let runsLong = ProcessInfo.processInfo.environment["BETWIXT_LONG"] == "1"

/// A directory of the real file system for one test.
struct ScratchDirectory: ~Copyable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "betwixt-" + UUID().uuidString
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
