import Betwixt
import BetwixtSync

/// A delta on its way, as the bytes of one frame.
struct Message {
  let sender: Int
  let receiver: Int

  /// The bytes of a stream that holds nothing else.
  var bytes: [UInt8]

  /// What must come out of them.
  let entries: [Entry]

  /// What the sender has forgotten.
  let floor: VersionVector

  init(
    _ delta: Delta, of list: ListID, entries: [Entry], from sender: Int, to receiver: Int
  ) throws(Violation) {
    self.sender = sender
    self.receiver = receiver
    self.entries = entries
    floor = delta.floor
    bytes = Frame.preamble
    do {
      let payload = try Block(.delta, of: list, holding: delta).encoded()
      var chain = FrameChain()
      chain.append(Frame(.delta, payload: payload, isLast: true), to: &bytes)
    } catch {
      throw Violation("a delta is refused by its own format: \(error)")
    }
  }

  /// The delta in the bytes; `nil` if they end too early.
  func delta() throws(DecodeFailure) -> Delta? {
    var stream = FrameStream()
    stream.append(bytes)
    guard let frame = try stream.next() else { return nil }
    return try Block(decoding: frame.payload).delta
  }
}

extension World {
  /// A network that delays, repeats, loses, reorders and damages.
  mutating func network(_ action: Action, by device: Device) throws(Violation) -> Bool {
    if action.kind == .post { return try post(from: device, to: devices[action.a % devices.count]) }
    guard !messages.isEmpty else { return false }
    let place = action.a % messages.count
    let message = messages[place]
    let receiver = devices[message.receiver]
    let arrives = canReach(devices[message.sender], receiver)
    guard arrives || action.kind == .lose || action.kind == .garble else { return false }
    switch action.kind {
    case .deliver:
      messages.remove(at: place)
      try deliver(message, to: receiver)
    case .again: try deliver(message, to: receiver)
    case .lose: messages.remove(at: place)
    default:
      messages.remove(at: place)
      try refuse(message, flipping: action.b % (message.bytes.count * 8), at: receiver)
    }
    return true
  }

  private mutating func post(from sender: Device, to receiver: Device) throws(Violation) -> Bool {
    guard canReach(sender, receiver), messages.count < 8 else { return false }
    let version = receiver.list.version
    messages.append(
      try Message(
        sender.list.delta(since: version), of: World.listID,
        entries: sender.model.entries(above: version),
        from: sender.number, to: receiver.number))
    return true
  }

  private func deliver(_ message: Message, to receiver: Device) throws(Violation) {
    let delta: Delta?
    do {
      delta = try message.delta()
    } catch {
      throw Violation("a message is refused: \(error)")
    }
    guard let delta else { throw Violation("a message has no end") }
    try receiver.take(message.entries, floor: message.floor) { $0.merge(delta) }
  }

  /// A flipped bit anywhere is found, and nothing is taken.
  private func refuse(
    _ message: Message, flipping bit: Int, at receiver: Device
  ) throws(Violation) {
    var damaged = message
    damaged.bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    let delta = try? damaged.delta()
    try require(delta == nil, "bit \(bit) of a message was flipped, and it was taken")
    try receiver.check()
  }
}
