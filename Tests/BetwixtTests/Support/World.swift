import Betwixt

/// Some devices with copies of one list, and the rules that must hold after every step.
struct World {
  static let startOfTime: Int64 = 1_777_000_000_000
  static let listID = ListID(high: 7, low: 7)

  private(set) var devices: [Device]
  private let mix: Action.Mix

  /// Whether two devices ever wrote under one id: then numbers prove nothing any more.
  private(set) var hasImpostors = false

  init(_ mix: Action.Mix) {
    self.mix = mix
    devices = (0..<mix.devices).map { number in
      Device(
        ReplicatedList(id: World.listID), replica: UInt64(number + 1), clock: World.startOfTime)
    }
  }

  /// Runs a program from the start, brings all devices together and says what went wrong.
  static func run(_ program: [Action], _ mix: Action.Mix) -> Divergence? {
    var world = World(mix)
    do {
      for action in program { try world.run(action) }
      try world.converge()
      return nil
    } catch {
      return error
    }
  }

  mutating func run(_ action: Action) throws(Divergence) {
    try perform(action)
    try checkClaims()
  }

  private mutating func perform(_ action: Action) throws(Divergence) {
    switch action {
    case .insert, .move, .moveBlock, .set, .clear, .remove, .restore, .undo:
      try edit(action)
    case .send(let from, let to): try send(from: from, to: to)
    case .sendPart(let from, let to, let seed): try sendPart(from: from, to: to, seed: seed)
    case .divert(let from, let other, let to): try divert(from: from, madeFor: other, to: to)
    case .merge(let from, let to): try merge(from: from, to: to)
    case .setClock(let device, let milliseconds):
      devices[device].clock.now = milliseconds
    case .clone(let device, let other): clone(devices[device], devices[other])
    case .rollBack(let device, let forgets): rollBack(devices[device], forgets)
    }
  }

  // MARK: Devices that are not what they were

  private mutating func clone(_ device: Device, _ other: Device) {
    guard device !== other else { return }
    hasImpostors = true
    device.list = other.list
    device.model = other.model
    device.mirror = other.mirror
    device.become(other.me.id, sequence: other.me.sequence)
  }

  private mutating func rollBack(_ device: Device, _ forgets: Bool) {
    guard let past = device.past.first else { return }
    device.list = past.list
    device.model = past.model
    device.mirror = device.list.map(\.id)
    device.history = UndoHistory()
    if forgets {
      hasImpostors = true
      device.become(device.me.id, sequence: past.sequence)
    }
    device.past = []
  }

  // MARK: Claims

  /// A claim is never false: of every write that a device claims it holds that write or a greater
  /// one of the same register.
  ///
  /// With numbers used twice nobody can know, so then nothing is asked.
  private func checkClaims() throws(Divergence) {
    guard !hasImpostors else { return }
    let history = devices.flatMap(\.written)
    for device in devices {
      for entry in history where device.list.version.covers(entry.dot) {
        let present = device.model[entry.item, entry.register]
        try require(
          present.map { !NaiveList.wins(entry, over: $0) } ?? false,
          "claims \(entry.dot) and holds neither \(entry) nor a greater write")
      }
    }
  }

  // MARK: All together

  /// Merges everything with everything, in both directions, and compares.
  private mutating func converge() throws(Divergence) {
    for _ in 0..<2 {
      for from in devices.indices {
        for to in devices.indices where from != to { try merge(from: from, to: to) }
      }
    }
    let first = devices[0]
    for device in devices {
      try require(device.list == first.list, "the lists differ after merging all")
      try require(device.list.digest == first.list.digest, "equal lists, different digests")
      try require(device.list.digest.bytes == device.model.digest, "the digest is not the model's")
      try require(device.model.registers == first.model.registers, "the models differ")
    }
  }
}
