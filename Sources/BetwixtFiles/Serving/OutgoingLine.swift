/// What goes out on one connection, in order, and how that ends.
struct OutgoingLine: Sendable {
  private let pieces: AsyncStream<[UInt8]>
  private let sending: AsyncStream<[UInt8]>.Continuation
  private let end: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  /// How long the last words may take to a peer that may never read them.
  private static let lastWordsMilliseconds = 5_000

  init() {
    (pieces, sending) = AsyncStream.makeStream()
    (end, ending) = AsyncStream.makeStream()
  }

  func send(_ bytes: [UInt8]) { sending.yield(bytes) }

  /// Nothing more is said, and the connection is closed soon.
  func finish() {
    sending.finish()
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
          for await bytes in pieces {
            try await write(bytes)
            await wrote(bytes.count)
          }
        } catch {
          // Who is gone reads nothing more.
        }
      }
      group.addTask {
        for await _ in end {}
        try? await Task.sleep(for: .milliseconds(OutgoingLine.lastWordsMilliseconds))
      }
      await group.next()
      await close()
      group.cancelAll()
    }
  }
}
