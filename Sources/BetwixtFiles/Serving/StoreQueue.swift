import Betwixt
import BetwixtSync

/// What all rooms of a server ask to store: it gathers while the storage is busy, and goes with its
/// next call.
actor StoreQueue {
  private let storage: any ServerStorage
  private let failed: @Sendable (StorageFailure) -> Void
  private var waiting: [(writes: [StoredWrite], answer: CheckedContinuation<Bool, Never>)] = []
  private var isStoring = false

  init(_ storage: any ServerStorage, failed: @escaping @Sendable (StorageFailure) -> Void) {
    self.storage = storage
    self.failed = failed
  }

  /// Stores writes; returns whether all of them are durable, or none.
  func store(_ writes: [StoredWrite]) async -> Bool {
    await withCheckedContinuation { answer in
      waiting.append((writes, answer))
      guard !isStoring else { return }
      isStoring = true
      Task { await storeAll() }
    }
  }

  private func storeAll() async {
    while !waiting.isEmpty {
      let group = waiting
      waiting = []
      let writes = group.flatMap { $0.writes }
      var isStored = true
      do {
        try await storage.store(writes)
      } catch {
        isStored = false
        failed(StorageFailure(.store, of: Set(writes.map { $0.list }), because: error))
      }
      for (_, answer) in group { answer.resume(returning: isStored) }
    }
    isStoring = false
  }
}
