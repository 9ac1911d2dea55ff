import Betwixt
import BetwixtSQL
import TestSupport

/// Devices that forget now and then, what they told each other, and a database that hears of it in
/// another order.
struct ForgettingProgram {
  private(set) var forgottenCount = 0
  /// How often a merge has left out an entry that was not there.
  private(set) var refusedCount = 0

  private let connections: [ShellConnection]
  private let bug: PlantedBug
  private let rows: SQLRegisters
  private var random: SplitMix64
  private var deltas: [Delta] = []
  /// What there would be if nobody ever forgot.
  private var shadow: ReplicatedList
  private var floor = VersionVector()

  private final class Device {
    var list: ReplicatedList
    var me: Replica

    init(_ list: ListID, _ replica: UInt64, clock: Int64) {
      self.list = ReplicatedList(id: list)
      me = Replica(id: ReplicaID(rawValue: replica)) { clock }
    }
  }

  init(
    seed: UInt64, _ connections: [ShellConnection], _ bug: PlantedBug = PlantedBug()
  ) throws {
    self.connections = connections
    self.bug = bug
    random = SplitMix64(seed: seed ^ 0xf0_47e7)
    shadow = ReplicatedList(id: TestDatabase.newList())
    rows = SQLRegisters(connections[0].dialect, list: shadow.id)
    try write()
  }

  // MARK: What there is to tell

  private mutating func write() throws {
    var devices: [Device] = []
    for number in 0..<3 as Range<UInt64> {
      let replica = number == 1 ? UInt64.max : number + 1
      let clock = 1_777_000_000_000 + Int64(random.next(below: 3)) * 60_000
      devices.append(Device(shadow.id, replica, clock: clock))
    }
    for _ in 0..<50 {
      let who = random.next(below: devices.count)
      let before = devices[who].list
      switch random.next(below: 10) {
      case 0, 1, 2:
        let other = random.next(below: devices.count)
        let held = devices[other].list
        devices[who].list.merge(held.delta(since: before.version, floor: before.floor))
      case 3:
        let version = before.version
        forgottenCount += devices[who].list.forget(
          below: random.next(below: 2) == 0
            ? version : VersionVector(version.dropLast(random.next(below: 2))))
      default: try edit(devices[who])
      }
      let list = devices[who].list
      let news = list.delta(since: before.version, floor: before.floor)
      if !news.isEmpty { tell(random.next(below: 2) == 0 ? news : news.forStorage) }
    }
    for device in devices { tell(device.list.delta(since: [:])) }
  }

  private mutating func tell(_ delta: Delta) {
    deltas.append(delta)
    floor.formUnion(delta.floor)
    shadow.merge(delta.forgetting(below: [:]))
  }

  private mutating func edit(_ device: Device) throws {
    let name: FieldName = ["title", "größe"][random.next(below: 2)]
    let value = FieldValue.int64(Int64(random.next(below: 1_000)))
    let shown = device.list.map(\.id)
    let removed = device.list.allItems().filter(\.isRemoved).map(\.id)
    switch random.next(below: 8) {
    case 0, 1:
      try device.list.insert([name: value], at: 0, inSection: 1, by: &device.me)
    case 2, 3:
      guard !shown.isEmpty else { return }
      try device.list.remove(shown[random.next(below: shown.count)], by: &device.me)
    case 4:
      guard !removed.isEmpty else { return }
      try device.list.restore(removed[random.next(below: removed.count)], by: &device.me)
    case 5:
      guard !shown.isEmpty else { return }
      try device.list.move(
        shown[random.next(below: shown.count)], toOffset: 0, inSection: 1, by: &device.me)
    default:
      // Removed ones, too: what is written late.
      let all = shown + removed + [.root]
      try device.list.set(
        name, of: all[random.next(below: all.count)], to: value, by: &device.me)
    }
  }

  // MARK: One after the other

  /// Tells the database and a list the same; returns what differs.
  mutating func run() throws -> String? {
    defer { _ = try? connections[0].perform(rows.remove()) }
    var model = ReplicatedList(id: rows.list)
    var reader = ReplicatedList(id: rows.list)
    var rest = (deltas + deltas.prefix(5)).shuffled(using: &random)
    // In their order at last, so that everything can be claimed.
    rest += deltas
    while !rest.isEmpty {
      let parcel = Array(rest.prefix(1 + random.next(below: 3)))
      rest.removeFirst(parcel.count)
      let isKept = random.next(below: 6) > 0
      try perform(rows.merge(parcel), isKept: isKept)
      if isKept { tell(parcel, to: &model) }
      if random.next(below: 10) == 0 { try forget(&model) }
      if let fault = try difference(from: model) { return fault }
      if random.next(below: 3) == 0 { try read(&reader) }
    }
    try read(&reader)
    guard reader.floor == model.floor else { return "the reader has another floor" }
    let held = Set(reader.delta(since: [:]).entries)
    for entry in model.delta(since: [:]).entries where !held.contains(entry) {
      // What was stored again after its item was restored is not new.
      let lifeLength = model[id: entry.item]?.lifeLength ?? 0
      guard floor.covers(entry.dot), lifeLength > 2, entry.register != .life else {
        return "the reader lacks \(entry.register)"
      }
    }
    return nil
  }

  private mutating func tell(_ parcel: [Delta], to model: inout ReplicatedList) {
    let joined = Delta(joining: parcel, for: [:])
    model.merge(joined)
    for entry in joined.entries where model[id: entry.item]?.isForgotten == true {
      let isThere = model[id: entry.item]?.entries.contains { $0.register == entry.register }
      if isThere == false { refusedCount += 1 }
    }
  }

  private func perform(_ statements: [SQLStatement], isKept: Bool = true) throws {
    try connections[0].perform(named(statements), end: isKept ? "COMMIT" : "ROLLBACK")
  }

  /// With the bug; the names are for those that plant one.
  private func named(_ statements: [SQLStatement]) -> [SQLStatement] {
    let all = rows.forgetAll().text
    let item = rows.forgetItems([.root]).text
    return statements.map { statement in
      let name =
        statement.text == all ? "_forget_all" : statement.text == item ? "_forget_item" : ""
      let changed = bug.change(SQLStatement(statement.text + " -- " + name, statement.parameters))
      let text = changed.text.replacing(" -- " + name, with: "")
      return SQLStatement(text, changed.parameters)
    }
  }

  private mutating func forget(_ model: inout ReplicatedList) throws {
    let answer = try connections[0].perform([rows.version()])
    let known = try rows.version(answer[0])
    try perform(rows.forget(below: known))
    model.raise(to: known)
    floor.formUnion(known)
  }

  private func read(_ reader: inout ReplicatedList) throws {
    let statement = rows.since(reader.version, floor: reader.floor)
    let answer = try connections[0].perform(named([statement]))
    reader.merge(try rows.delta(answer[0], since: reader.version))
  }

  private func difference(from model: ReplicatedList) throws -> String? {
    let answer = try connections[0].perform([rows.since([:]), rows.version()])
    let stored = try rows.delta(answer[0], since: [:])
    guard stored.entries == model.delta(since: [:]).entries else { return "other rows" }
    return try rows.floor(answer[1]) == model.floor ? nil : "another floor"
  }

  // MARK: At once

  /// Tells the database everything from several connections at once; returns what is wrong.
  mutating func runTogether() throws -> String? {
    defer { _ = try? connections[0].perform(rows.remove()) }
    var parcels = (deltas + deltas.prefix(5)).shuffled(using: &random).map { [$0] }
    parcels += deltas.map { [$0] }
    while !parcels.isEmpty {
      var busy: [ShellConnection] = []
      for connection in connections where !parcels.isEmpty {
        connection.ask(named(rows.merge(parcels.removeFirst())))
        busy.append(connection)
      }
      for connection in busy { _ = try connection.answer() }
      if let fault = try flaw() { return fault }
    }
    return try loss()
  }

  /// Whether a row is there that a list would not hold.
  private func flaw() throws -> String? {
    let answer = try connections[0].perform([rows.since([:])] + sums)
    let stored = try rows.delta(answer[0], since: [:])
    var list = ReplicatedList(id: rows.list)
    list.merge(stored)
    guard list.delta(since: [:]).entries == stored.entries else { return "no normal form" }
    guard rows.dialect == .postgres else { return nil }
    return Digest(try rows.sum(answer[1])) == list.digest ? nil : "another digest"
  }

  private var sums: [SQLStatement] { rows.dialect == .postgres ? [rows.sum()] : [] }

  /// Whether anything is missing but what the floor may take.
  private func loss() throws -> String? {
    let answer = try connections[0].perform([rows.since([:])])
    let stored = try rows.delta(answer[0], since: [:])
    guard stored.floor == floor else { return "another floor" }
    let entries = Set(stored.entries)
    for entry in shadow.delta(since: [:]).entries where !entries.contains(entry) {
      let lifeLength = shadow[id: entry.item]?.lifeLength ?? 0
      guard floor.covers(entry.dot), lifeLength > 1, entry.register != .life else {
        return "\(entry.register) is lost"
      }
    }
    return nil
  }
}
