import Synchronization

/// Seeded random bits behind a closure that may be called from anywhere.
package final class SharedRandom: Sendable {
  private let generator: Mutex<SplitMix64>

  package init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

  package func next() -> UInt64 { generator.withLock { $0.next() } }
}
