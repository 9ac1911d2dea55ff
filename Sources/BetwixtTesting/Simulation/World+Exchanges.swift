import Betwixt
import BetwixtSync

extension World {
  /// One device brings something to another, by a way that works.
  mutating func exchange(_ action: Action, from sender: Device) throws(Violation) -> Bool {
    let receiver = devices[action.a % devices.count]
    guard canReach(sender, receiver) else { return false }
    switch action.kind {
    case .merge: try bring(from: sender, to: receiver)
    case .send: try send(from: sender, to: receiver)
    case .export: try export(from: sender, to: receiver)
    case .part: try sendPart(from: sender, to: receiver, choice: action.b)
    case .divert:
      try divert(from: sender, madeFor: devices[action.b % devices.count], to: receiver)
    default:
      let piece = [Int.max, 1, 7, 64, 4096][action.b % 5]
      try talk(sender, receiver, piece: piece, cut: action.c == 0 ? nil : action.c * 4)
    }
    return true
  }

  /// What the receiver lacks, as one delta.
  private func send(from sender: Device, to receiver: Device) throws(Violation) {
    let (version, floor) = (receiver.list.version, receiver.list.floor)
    let delta = try carry(sender.list.delta(since: version, floor: floor), to: receiver)
    let entries = sender.model.entries(above: version, floor: floor)
    try receiver.take(entries, floor: sender.model.floor) { $0.merge(delta) }
    guard !hasImpostors else { return }
    try require(
      receiver.list.version == version.union(sender.list.version),
      "a delta brings other claims than the whole list")
  }

  private func carry(_ delta: Delta, to receiver: Device) throws(Violation) -> Delta {
    guard let carry = simulation.carry else { return delta }
    do {
      return try carry(delta, receiver.list)
    } catch {
      throw Violation("the transport failed: \(error)")
    }
  }

  /// The bytes of the whole list.
  private func export(from sender: Device, to receiver: Device) throws(Violation) {
    let bytes = try sealed(sender.list)
    do {
      let list = try SealedBlock.decode(bytes)
      try receiver.take(sender.model) { $0.merge(list) }
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("a list's own bytes are refused: \(error)")
    }
  }

  /// Some of what the receiver lacks, in pieces, out of order, some of it twice, without a claim.
  private func sendPart(
    from sender: Device, to receiver: Device, choice: Int
  ) throws(Violation) {
    var source = ChoiceSource(seed: UInt64(choice))
    let entries = source.shuffled(sender.model.entries(above: receiver.list.version))
    var rest = entries.prefix(source.next(below: entries.count + 1))
    while !rest.isEmpty {
      let size = 1 + source.next(below: 5)
      let piece = Array(rest.prefix(size))
      let delta = try carry(try unclaimed(piece), to: receiver)
      try receiver.take(piece) { $0.merge(delta) }
      rest = rest.dropFirst(source.chance(1, in: 5) ? max(1, size / 2) : size)
    }
  }

  private func unclaimed(_ entries: [Entry]) throws(Violation) -> Delta {
    var builder = Delta.Builder()
    do {
      for entry in entries { try builder.add(entry) }
    } catch {
      throw Violation("a list's own entry is refused: \(error)")
    }
    return builder.build()
  }

  /// What another device lacks, for whose claims it was made.
  private func divert(
    from sender: Device, madeFor other: Device, to receiver: Device
  ) throws(Violation) {
    let version = other.list.version
    let delta = sender.list.delta(since: version)
    let entries = sender.model.entries(above: version)
    try receiver.take(entries, floor: sender.model.floor) { $0.merge(delta) }
  }
}
