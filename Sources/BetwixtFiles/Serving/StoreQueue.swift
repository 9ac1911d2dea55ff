import BetwixtSync

/// What all rooms of a server ask to store: it gathers while the storage is busy, and goes with its
/// next call.
actor StoreQueue {
  private let storage: any ServerStorage
  private var waiting: [(writes: [StoredWrite], answer: CheckedContinuation<Bool, Never>)] = []
  private var isStoring = false

  init(_ storage: any ServerStorage) { self.storage = storage }

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
      var isStored = true
      do {
        try await storage.store(group.flatMap { $0.writes })
      } catch {
        isStored = false
      }
      for (_, answer) in group { answer.resume(returning: isStored) }
    }
    isStoring = false
  }
}
