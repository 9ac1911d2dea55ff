import Synchronization

/// Seeded random bits behind a closure that may be called from anywhere.
package final class SharedRandom: Sendable {
  private let generator: Mutex<SplitMix64>

  package init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

  package func next() -> UInt64 { generator.withLock { $0.next() } }
}

/// Random bits that were thought up, over and over again.
package final class GivenBits: Sendable {
  private let values: [UInt64]
  private let count = Mutex(0)

  package init(_ values: [UInt64]) { self.values = values }

  package func next() -> UInt64 {
    count.withLock { count in
      defer { count += 1 }
      return values[count % values.count]
    }
  }
}
