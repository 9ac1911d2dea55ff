import Betwixt

/// The writes that one side of a session does not take, and how much of them there is.
struct SessionRefusals {
  /// For each register the greatest write that one side refused.
  private(set) var entries: [RegisterAddress: Entry] = [:]
  /// How many frames said what this side refused, and how many what the peer did.
  private(set) var sent: UInt64 = 0
  private(set) var received: UInt64 = 0
  /// What remembering refused writes of the peer takes.
  private(set) var byteCount = 0
  /// How many entries were sent, and how many of them were refused.
  var sentEntryCount: Int64 = 0
  private var refusedEntryCount: Int64 = 0
  /// How many replicas the peer's ranges have named of which nothing was known.
  var introducedReplicaCount = 0
  /// Why something was refused that is not remembered, the first time.
  private(set) var forgotten: String?
  /// Whether the peer was not told of something that is refused: then nothing can be compared.
  private(set) var isUntold = false

  /// What remembering refused writes may take, and what of them may wait to be sent: a peer that
  /// sends without end what is refused fills no memory.
  static let byteLimit = 1 << 20
  private static let overhead = 128

  var isEmpty: Bool { entries.isEmpty }

  mutating func note(_ entry: Entry) {
    guard let earlier = entries[entry.address], !earlier.isLess(than: entry) else {
      entries[entry.address] = entry
      return
    }
  }

  /// Takes note of what this side refuses; returns whether all is remembered that has to be.
  ///
  /// Where the list holds nothing it need not be: there is nothing to leave out of a digest.
  ///
  /// - Complexity: as for `entries(at:)` of a list
  mutating func noteOwn(_ refusal: Refusal, on list: ReplicatedList) -> Bool {
    var left: [RegisterAddress] = []
    for entry in refusal.entries {
      let size =
        SessionRefusals.overhead + entry.value.canonicalBytes.count
        + entry.register.nameBytes.count
      if byteCount + size <= SessionRefusals.byteLimit {
        note(entry)
        byteCount += size
        continue
      }
      forgotten = forgotten ?? refusal.reason
      left.append(entry.address)
    }
    return list.entries(at: left).allSatisfy { $0 == nil }
  }

  /// Takes note that the peer is not told of a refusal.
  mutating func leaveUntold(_ refusal: Refusal) {
    forgotten = forgotten ?? refusal.reason
    isUntold = true
  }

  mutating func noteSent() { sent += 1 }

  mutating func noteReceived() { received += 1 }

  /// Counts entries that the peer refuses; returns whether so many were sent: nothing is refused
  /// twice, nor what was not sent.
  mutating func count(refused count: Int) -> Bool {
    refusedEntryCount += Int64(count)
    return count > 0 && refusedEntryCount <= sentEntryCount
  }

  /// Whether what is held is left out of digests.
  func leaveOut(_ held: Entry) -> Bool {
    guard let entry = entries[held.address] else { return false }
    return !entry.isLess(than: held)
  }

  /// Registers to leave out of digests: after the exchange the one side holds the refused write
  /// exactly where the other holds nothing greater.
  ///
  /// - Complexity: O(*k* log *n*) for *k* registers, and O(*f*) for each of their items with *f* fields
  func excluded(in list: ReplicatedList) -> Set<RegisterAddress> {
    var addresses: Set<RegisterAddress> = []
    for case let held? in list.entries(at: Array(entries.keys)) where leaveOut(held) {
      addresses.insert(held.address)
    }
    return addresses
  }
}
