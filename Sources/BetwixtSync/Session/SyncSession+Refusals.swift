import Betwixt

// Writes that one side does not take: both leave them out of what they compare.

extension SyncSession {
  /// What remembering refused writes may take: a peer that sends without end what is refused
  /// fills no memory.
  private static let refusedByteLimit = 1 << 20
  private static let refusedOverhead = 128

  // MARK: Refusing

  mutating func refuse(_ refusals: [Refusal]) {
    guard let list else { return }
    for refusal in refusals where !refusal.entries.isEmpty {
      for entry in refusal.entries {
        note(refused: entry)
        let floor = refusedFloor[entry.stamp.replica] ?? .max
        refusedFloor[entry.stamp.replica] = min(floor, entry.sequence)
        refusedByteCount +=
          SyncSession.refusedOverhead + entry.value.canonicalBytes.count
          + entry.register.nameBytes.count
      }
      guard refusedByteCount <= SyncSession.refusedByteLimit,
        let payload = try? refusal.payload(of: list.id, atMost: maximumFrame)
      else {
        fail(SyncFailure(.limitExceeded, "refusals"))
        return
      }
      round?.isClean = false
      refusedSent += 1
      enqueue(Frame(.refused, payload: payload, isCritical: true))
    }
  }

  private mutating func note(refused entry: Entry) {
    let address = RegisterAddress(entry.item, entry.register)
    guard let earlier = refused[address], !earlier.isLess(than: entry) else {
      refused[address] = entry
      return
    }
  }

  // MARK: Being refused

  mutating func takeRefused(_ frame: Frame) throws(DecodeFailure) {
    guard let list, let current = round else { throw DecodeFailure(.badOrder, at: 0) }
    let refusal = try Refusal(decoding: frame.payload, of: list.id, limits: setup.limits)
    // Nothing is refused twice, nor what was not sent.
    refusedEntryCount += Int64(refusal.entries.count)
    guard !refusal.entries.isEmpty, refusedEntryCount <= sentEntryCount else {
      throw DecodeFailure(.badNumber, at: 0)
    }
    for entry in refusal.entries
    where view?.entry(at: RegisterAddress(entry.item, entry.register)) != nil {
      note(refused: entry)
    }
    round?.isClean = false
    refusedReceived += 1
    outputs.append(.event(.refused(refusal)))
    release(frame.payload.count + Frame.overhead)
    if current.hasSentAck { sendAck() }
  }

  // MARK: Comparing without them

  /// Registers to leave out of digests: after the exchange the one side holds the refused write
  /// exactly where the other holds nothing greater.
  func excluded(_ list: ReplicatedList) -> Set<RegisterAddress> {
    var addresses: Set<RegisterAddress> = []
    for (address, entry) in refused {
      if let held = list.entry(at: address), entry.isLess(than: held) { continue }
      addresses.insert(address)
    }
    return addresses
  }

  func digest(_ list: ReplicatedList) -> Digest {
    refused.isEmpty ? list.digest : list.digest(leavingOut: excluded(list))
  }
}

extension Delta {
  /// This delta with no range that reaches a refused write.
  func claiming(below floors: [ReplicaID: Int64]) -> Delta {
    guard !floors.isEmpty else { return self }
    var kept: [CoveredRange] = []
    for range in ranges {
      let through = min(range.through, (floors[range.replica] ?? .max) - 1)
      guard through > range.after else { continue }
      kept.append(CoveredRange(replica: range.replica, after: range.after, through: through))
    }
    return selecting(rows, ranges: kept)
  }

  /// This delta without entries that were refused, and without claims about them.
  func leavingOut(_ refusals: [Refusal]) -> Delta {
    guard !refusals.isEmpty else { return self }
    var addresses: Set<RegisterAddress> = []
    var floors: [ReplicaID: Int64] = [:]
    for entry in refusals.lazy.flatMap(\.entries) {
      addresses.insert(RegisterAddress(entry.item, entry.register))
      floors[entry.stamp.replica] = min(floors[entry.stamp.replica] ?? .max, entry.sequence)
    }
    let rows = rows.filter { !addresses.contains(RegisterAddress($0.item, register(of: $0))) }
    return selecting(rows, ranges: ranges).claiming(below: floors)
  }
}
