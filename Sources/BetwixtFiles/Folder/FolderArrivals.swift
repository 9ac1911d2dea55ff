import Betwixt
import BetwixtSync

/// Files of a shared folder that were read and are still to be joined.
struct FolderArrivals {
  /// One of them, and what it holds.
  typealias Arrival = (file: FolderFile, delta: Delta)

  // By directory; of each the next one last.
  private var queues: [ReplicaID: [Arrival]] = [:]

  /// Takes a file in, in any order.
  mutating func add(_ file: FolderFile, holding delta: Delta) {
    queues[file.heads.directory, default: []].append((file, delta))
  }

  /// All of them, each behind those that its writer had read.
  ///
  /// In that order a write comes behind those it was made upon, and what it replaces was no concurrent
  /// write that lost. Files that name each other are none of honest writers, and come as they may.
  ///
  /// - Returns: The files; there are none here after it.
  /// - Complexity: O(*f* *d* ^ 2) for *f* files in *d* directories, O(*f* *d*) if they are in step
  mutating func inOrder() -> [Arrival] {
    for directory in queues.keys {
      queues[directory]?.sort {
        ($0.file.heads.ordinal, $0.file.path) > ($1.file.heads.ordinal, $1.file.path)
      }
    }
    let directories = queues.keys.sorted()
    let count = queues.values.reduce(0) { $0 + $1.count }
    var order: [Arrival] = []
    while order.count < count {
      let before = order.count
      for directory in directories {
        while let next = queues[directory]?.last, isReady(next.file) {
          take(from: directory, into: &order)
        }
      }
      if order.count == before,
        let first = directories.first(where: { queues[$0]?.isEmpty == false })
      {
        take(from: first, into: &order)
      }
    }
    queues = [:]
    return order
  }

  private mutating func take(from directory: ReplicaID, into order: inout [Arrival]) {
    if let arrival = queues[directory]?.popLast() { order.append(arrival) }
  }

  /// Whether none is left that the writer of a file had read.
  private func isReady(_ file: FolderFile) -> Bool {
    file.heads.heads.allSatisfy { head in
      queues[head.directory]?.last.map { $0.file.heads.ordinal > head.ordinal } ?? true
    }
  }
}
