internal import Synchronization

/// What goes out on one connection, in order, and how that ends.
///
/// What has gathered while the connection was busy goes out as one piece: a change and the answers
/// beside it take one call of the system, not one each.
struct OutgoingLine: Sendable {
  private final class Gathered: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    /// Adds bytes; whether there were none.
    func add(_ more: [UInt8]) -> Bool {
      bytes.withLock { bytes in
        defer { bytes += more }
        return bytes.isEmpty
      }
    }

    func take() -> [UInt8] {
      bytes.withLock { bytes in
        defer { bytes = [] }
        return bytes
      }
    }
  }

  private let gathered = Gathered()
  private let rings: AsyncStream<Void>
  private let ring: AsyncStream<Void>.Continuation
  private let end: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  /// How long the last words may take to a peer that may never read them.
  private let lastWordsMilliseconds: Int

  init(lastWordsMilliseconds: Int = 5_000) {
    self.lastWordsMilliseconds = lastWordsMilliseconds
    (rings, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (end, ending) = AsyncStream.makeStream()
  }

  func send(_ bytes: [UInt8]) {
    if gathered.add(bytes) { ring.yield() }
  }

  /// Nothing more is said, and the connection is closed soon.
  func finish() {
    ring.finish()
    ending.finish()
  }

  /// Writes until all is said, or cannot be said; then closes.
  func run(
    writing write: @escaping @Sendable ([UInt8]) async throws -> Void,
    closing close: @escaping @Sendable () async -> Void,
    wrote: @escaping @Sendable (Int) async -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          for await _ in rings {
            let bytes = gathered.take()
            try await write(bytes)
            await wrote(bytes.count)
          }
        } catch {
          // Who is gone reads nothing more.
        }
      }
      group.addTask {
        for await _ in end {}
        try? await Task.sleep(for: .milliseconds(lastWordsMilliseconds))
      }
      await group.next()
      await close()
      group.cancelAll()
    }
  }
}
