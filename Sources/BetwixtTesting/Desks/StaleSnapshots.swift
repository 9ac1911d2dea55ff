import Betwixt
import BetwixtSync
import Synchronization

/// Decoded snapshots by the paths of their files, whatever those hold by now: a mistake.
final class StaleSnapshots: Sendable {
  private let lists = Mutex<[String: ReplicatedList]>([:])

  func cache(of path: String) -> SnapshotCache {
    SnapshotCache(
      leastByteCount: 0, find: { [self] _ in lists.withLock { $0[path] } },
      keep: { [self] list, _ in lists.withLock { $0[path] = list } })
  }
}
