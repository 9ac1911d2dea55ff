import Betwixt
import BetwixtSync

/// The devices of a run, what is between them, and the rules that must hold after every step.
struct World {
  static let startOfTime: Int64 = 1_777_000_000_000
  static let listID = ListID(high: 7, low: 7)
  /// Another document, which may stand under the name of the first one.
  static let otherListID = ListID(high: 8, low: 8)

  let simulation: Simulation
  let program: Program
  var devices: [Device]
  var report = RunReport()

  /// Deltas on their way.
  var messages: [Message] = []

  /// One bit for every third device; those with unequal bits do not reach each other.
  var groups = 0

  /// Whether two devices ever wrote under one id: then numbers prove nothing any more.
  var hasImpostors = false

  /// All that anybody has forgotten.
  var forgotten = VersionVector()

  /// Whether a device ever went back to an earlier list.
  var wentBack = false

  var server: HubServer?
  var runs: [TypedRun] = []
  private(set) var now = World.startOfTime

  // The wider world: documents in files.

  /// The number of the newest write, which is in its value.
  var serial: Int64 = 0

  /// Which serial number each item was made with: none may have two.
  var owners: [ItemID: Int64] = [:]

  /// All writes that were acknowledged in documents.
  var acknowledged: Set<Dot> = []

  /// A stick with copies of documents.
  var shelf: [ShelfCopy] = []

  /// What a tool that keeps files equal has seen last.
  var carried: [CarriedPair: [UInt8]] = [:]

  /// Whether all are brought together, which nobody does wrong.
  var isEnding = false

  /// Whether somebody sent what no honest program would.
  var hasStrangers = false

  private var freshIDCount: UInt64 = 0

  init(_ simulation: Simulation, program: Program) {
    self.simulation = simulation
    self.program = program
    devices = (0..<program.replicaCount).map { number in
      // Rising and falling in no order, so that ties are won by either side.
      let id = ReplicaID(rawValue: UInt64(number) * 7 % 17 + 1)
      return Device(number, replica: id, listID: World.listID, now: World.startOfTime)
    }
  }

  /// An id that nobody had before.
  mutating func freshID() -> ReplicaID {
    freshIDCount += 1
    return ReplicaID(rawValue: TraceHash.mix(freshIDCount) | 1 << 32)
  }

  // MARK: Running

  mutating func run() throws(Violation) -> RunReport {
    report.runs = 1
    for (step, action) in program.actions.enumerated() {
      try perform(action, step: step)
      if step % 32 == 31, simulation.isThorough { try checkClaims() }
    }
    try checkClaims()
    try converge()
    do {
      try convergeDesks()
    } catch {
      throw Violation("at the end: \(error)")
    }
    if hasImpostors { report.impostorRuns = 1 }
    return report
  }

  private mutating func perform(_ action: Action, step: Int) throws(Violation) {
    let number = action.replica % devices.count
    let device = devices[number]
    device.clock.set(device.reading.milliseconds(now))
    let isDone: Bool
    do {
      isDone = try perform(action, by: device)
      if isDone, let invariant = simulation.invariant { try checkInvariant(invariant) }
    } catch {
      throw Violation("step \(step + 1), \(action): \(error)")
    }
    guard isDone else { return }
    noteDoubts(of: action, by: device)
    report.actions[action.kind, default: 0] += 1
    for choice in action.choices { report.trace.combine(choice) }
    // The list was compared with it, and it is at hand.
    for item in device.mirror { report.trace.combine(item.low) }
    report.trace.combine(device.list.entryCount)
    if let desk = device.desk { report.trace.combine(desk.lastSize) }
    if step % 16 == 15, simulation.isThorough { try device.checkAll() }
  }

  /// Does what an action says; false if there is nothing to do it with.
  private mutating func perform(
    _ action: Action, by device: Device
  ) throws(Violation) -> Bool {
    switch action.kind {
    case .insert, .remove, .set, .move, .restore, .clear, .moveBlock, .undo, .run, .edit:
      return try edit(action, by: device)
    case .merge, .send, .export, .part, .divert, .session:
      return try exchange(action, from: device)
    case .post, .deliver, .again, .lose, .garble:
      return try network(action, by: device)
    case .partition:
      groups = action.a
      return true
    case .hub: return try meet(action, by: device)
    case .publish, .fetch, .snapshot: return try folder(action, by: device)
    case .commit, .compact, .crash: return try document(action, by: device)
    case .write: return try writeDocument(action, by: device)
    case .editor: return try editor(action, by: device)
    case .type: return try type(action, inEditorOf: device)
    case .pack: return try pack(action, by: device)
    case .die: return try die(action, by: device)
    case .act: return try act(action, by: device)
    case .stop: return try stop(action, by: device)
    case .takeBack: return try takeBack(action, by: device)
    case .hinder: return try hinder(action, by: device)
    case .power: return try power(action, by: device)
    case .shelve, .putBack, .copy, .rename, .link, .carry, .renew, .litter, .chmod:
      return try files(action, by: device)
    case .cut, .flip, .flipIdentity, .image, .restoreImage: return try damage(action, by: device)
    case .join: return try join(action, by: device)
    case .meet: return try meetDesks(action, by: device)
    case .pair: return try pairDesks(action, by: device)
    case .share: return try share(action, by: device)
    case .absorb: return try absorb(action, by: device)
    case .beside: return try syncBeside(action, by: device)
    case .haul: return try haul(action, by: device)
    case .fill: return try fill(action, by: device)
    case .stranger: return try stranger(action, by: device)
    case .forget: return try forget(action, by: device)
    case .wait:
      now += 1
      return true
    case .clock:
      device.reading = ClockReading.allCases[action.a % ClockReading.allCases.count]
      return true
    case .backup:
      device.backup = device.state
      return true
    case .rollBack: return rollBack(device, forgets: action.a == 1)
    case .clone: return clone(device, of: devices[action.a % devices.count])
    }
  }

  private func checkInvariant(_ invariant: (ReplicatedList) throws -> Void) throws(Violation) {
    do {
      for device in devices { try invariant(device.list) }
    } catch {
      throw Violation("\(error)")
    }
  }

  func canReach(_ one: Device, _ other: Device) -> Bool {
    one !== other && groups >> (one.number % 3) & 1 == groups >> (other.number % 3) & 1
  }

  // MARK: Devices that are not what they were

  private mutating func clone(_ device: Device, of other: Device) -> Bool {
    guard device !== other else { return false }
    hasImpostors = true
    device.show(other.state)
    device.become(other.me.id, sequence: other.me.sequence)
    device.storage = nil
    return true
  }

  private mutating func rollBack(_ device: Device, forgets: Bool) -> Bool {
    guard let backup = device.backup else { return false }
    wentBack = true
    device.show(backup)
    if forgets {
      hasImpostors = true
      device.become(device.me.id, sequence: backup.sequence)
    }
    device.storage = nil
    device.backup = nil
    return true
  }

  // MARK: Claims

  /// A claim is never false: of every write that a device claims it holds that write or a greater
  /// one of the same register.
  ///
  /// All that was ever written is the shadow that never forgets. Lives are never dropped, and other
  /// registers only if a floor covers them and the item was removed. With numbers used twice nobody
  /// can know, so then nothing is asked.
  func checkClaims() throws(Violation) {
    guard !hasImpostors else { return }
    for device in devices {
      let version = device.list.version
      for writer in devices {
        for entry in writer.written where version.covers(entry.dot) {
          let present = device.model[entry.item, entry.register]
          if let present, !NaiveList.wins(entry, over: present) { continue }
          guard mayBeForgotten(entry, by: device) else {
            throw Violation(
              "replica \(device.number) claims \(entry.dot) and holds neither \(entry) nor a "
                + "greater write")
          }
        }
      }
    }
  }
}
