import Betwixt
import BetwixtSync

extension World {
  /// Ends all faults, brings every device up to date and compares bytes.
  mutating func converge() throws(Violation) {
    groups = 0
    let talks = program.actions.contains { $0.kind == .session || $0.kind == .hub }
    var rounds = 0
    repeat {
      rounds += 1
      try require(
        rounds <= devices.count + 2, "the devices are not equal after \(rounds - 1) rounds")
      let others = devices.dropFirst()
      if talks {
        for device in others { try talk(devices[0], device, piece: .max, cut: nil) }
      } else {
        for device in others { try bring(from: device, to: devices[0]) }
        for device in others { try bring(from: devices[0], to: device) }
      }
    } while !areEqual
    report.rounds = rounds
    try compare()
  }

  private var areEqual: Bool {
    devices.allSatisfy {
      $0.list == devices[0].list && $0.list.version == devices[0].list.version
        && $0.list.floor == devices[0].list.floor
    }
  }

  /// The whole list, claims included.
  func bring(from sender: Device, to receiver: Device) throws(Violation) {
    let list = sender.list
    try receiver.take(sender.model) { $0.merge(list) }
  }

  private mutating func compare() throws(Violation) {
    for device in devices { try device.check() }
    try devices[0].checkAll()
    if simulation.isThorough { try compareBytes() }
    try checkClaims()
    try checkRuns()
    countPrice()
  }

  private mutating func compareBytes() throws(Violation) {
    // The lists are equal, so it is enough to read the bytes of one back, and to ask one other.
    let (first, last) = (devices[0], devices[devices.count - 1])
    first.list.settleDigest()
    let bytes = try sealed(first.list)
    if last !== first {
      last.list.settleDigest()
      try require(last.list.digest == first.list.digest, "equal lists, different digests")
      let others = try? SealedBlock.encode(last.list)
      try require(others == bytes, "equal lists, different bytes")
    }
    try require(
      first.list.digest.bytes == first.model.digest, "the digest is not that of the model")
    report.trace.combine(bytes: first.list.digest.bytes)
    report.trace.combine(bytes: bytes.suffix(32))
  }

  /// The bytes of a list, after it was found again in them.
  func sealed(_ list: ReplicatedList) throws(Violation) -> [UInt8] {
    do {
      let bytes = try SealedBlock.encode(list)
      let copy = try SealedBlock.decode(bytes)
      guard copy == list, copy.version == list.version, copy.digest == list.digest,
        copy.floor == list.floor
      else {
        throw Violation("a list is not what its own bytes say")
      }
      guard try SealedBlock.encode(copy) == bytes else {
        throw Violation("decoded bytes are encoded in another way")
      }
      return bytes
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("a list's own bytes are refused: \(error)")
    }
  }
}

// MARK: - Runs

/// Items that one device inserted one behind the other, without hearing of others meanwhile.
struct TypedRun {
  let section: Int64

  /// The keys on both sides of the place, before.
  let left: [UInt8]?
  let right: [UInt8]?

  /// The items and the writes that placed them.
  let items: [(id: ItemID, placed: Dot)]

  /// Who typed it.
  var writer: ReplicaID? { items.first?.placed.replica }
}

extension World {
  /// What two devices type at one place, unseen by each other, stands one behind the other.
  ///
  /// One whose list went back types unseen by itself, and its two runs may be mixed: keys tell
  /// replicas apart, and a document that went back is written by a new one.
  func checkRuns() throws(Violation) {
    guard !hasImpostors, let model = devices.first?.model, runs.count > 1 else { return }
    var places: [ItemID: Int] = [:]
    for (place, shown) in model.visible.enumerated() { places[shown.id] = place }
    let spans = runs.map { run in
      // Items that were moved or removed since do not count.
      run.items.compactMap { item in
        model[item.id, .position]?.dot == item.placed ? places[item.id] : nil
      }
    }
    for (number, run) in runs.enumerated() {
      for other in runs.indices.dropFirst(number + 1)
      where runs[other].section == run.section && runs[other].left == run.left
        && runs[other].right == run.right && !(wentBack && runs[other].writer == run.writer)
      {
        guard let least = spans[number].min(), let greatest = spans[number].max(),
          let otherLeast = spans[other].min(), let otherGreatest = spans[other].max()
        else { continue }
        try require(
          greatest < otherLeast || otherGreatest < least,
          "runs typed at one place are mixed: \(spans[number]) and \(spans[other])")
      }
    }
  }
}
