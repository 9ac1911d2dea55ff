import Synchronization

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
