import Betwixt

/// Deltas that were encoded for one peer of a hub and serve the others that know the same.
struct EncodedDeltas {
  private struct Key: Hashable {
    let digest: Digest
    let version: VersionVector
    let known: VersionVector
    let floor: VersionVector
  }

  private var deltas: [(key: Key, delta: OutgoingDelta)] = []

  /// How many deltas had to be encoded.
  private(set) var encodedCount = 0

  private static let limit = 8
  // What is kept for others stays small: so many entries, and no more than one frame has room for.
  private static let entryLimit = 512

  /// What a list holds above what a peer knows.
  ///
  /// - Complexity: O(*r*) for *r* replicas, if it was asked before
  mutating func delta(
    of list: ReplicatedList, since known: VersionVector, _ make: (Delta) -> OutgoingDelta
  ) -> OutgoingDelta {
    let key = Key(digest: list.digest, version: list.version, known: known, floor: list.floor)
    if let found = deltas.first(where: { $0.key == key }) { return found.delta }
    encodedCount += 1
    var delta = make(list.delta(since: known))
    guard delta.entryCount <= EncodedDeltas.entryLimit else { return delta }
    // What cannot be encoded fails again, and says so, where it is sent.
    guard let frame = try? delta.frame(), frame.isLast else { return delta }
    if deltas.count == EncodedDeltas.limit { deltas.removeFirst() }
    deltas.append((key, delta))
    return delta
  }
}
