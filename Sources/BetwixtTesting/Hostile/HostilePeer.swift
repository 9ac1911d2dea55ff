import Betwixt
import BetwixtFiles
import BetwixtSync

/// Somebody who is polite and means harm: what he sends is well formed, and as extreme as it gets.
///
/// Whatever of it a list lets in, every honest edit of every item succeeds and takes effect, and the
/// list can be saved, compacted, exported, merged, and synced with somebody who knows nothing.
struct HostilePeer {
  static let now: Int64 = 1_777_000_000_000
  private static let day: Int64 = 86_400_000
  private static let me = ReplicaID(rawValue: 1)
  private static let policy = AdmissionPolicy(now: now)

  private var source: ChoiceSource
  private var list: ReplicatedList

  static func check(_ bytes: [UInt8]) throws(Violation) {
    var peer = HostilePeer(source: ChoiceSource(bytes: bytes), list: HostileSession.list)
    for _ in 0..<3 where !peer.source.isExhausted {
      let evil = try peer.evil()
      (peer.list, _) = try exchange(peer.list, evil, theyJudge: false)
      try peer.edit()
      try peer.keep()
    }
  }

  // MARK: What he sends

  /// A list with everything that a block can say.
  private mutating func evil() throws(Violation) -> ReplicatedList {
    var evil = source.chance(1, in: 3) ? ReplicatedList(id: list.id) : list
    var builder = Delta.Builder()
    for number in 0..<1 + source.next(below: 12) {
      let entry = entry(number)
      do { try builder.add(entry) } catch { continue }
    }
    for _ in 0..<source.next(below: 4) { cover(&builder) }
    evil.merge(builder.build())
    return evil
  }

  private mutating func cover(_ builder: inout Delta.Builder) {
    let first = UInt64(source.next(below: 4))
    let through = number()
    for offset in 0..<(source.chance(1, in: 8) ? 5_000 : 1 as UInt64) {
      let replica = ReplicaID(rawValue: first + offset << 8)
      // Who claims writes under the own id of an honest device makes that take another one.
      if replica == HostilePeer.me { continue }
      builder.cover(replica, after: 0, through: through)
    }
  }

  private mutating func number() -> Int64 {
    source.pick([1, 2, 1 << 31, 1 << 53, 1 << 62, .max])
  }

  private mutating func time() -> Timestamp {
    let now = HostilePeer.now
    let day = HostilePeer.day
    return source.pick([
      .zero, Timestamp(milliseconds: now), Timestamp(milliseconds: now + day),
      Timestamp(milliseconds: now + day + 1), Timestamp(milliseconds: 1 << 47 - 1), .max,
    ])
  }

  private mutating func item() -> ItemID {
    let known = list.allItems()
    switch source.next(below: 4) {
    case 0: return .root
    case 1: return ItemID(high: UInt64(source.next(below: 3)), low: UInt64(source.next(below: 3)))
    case 2: return ItemID(high: .max, low: .max - UInt64(source.next(below: 3)))
    default: return known.isEmpty ? .root : known[source.next(below: known.count)].id
    }
  }

  private mutating func entry(_ place: Int) -> Entry {
    let item = item()
    // Also under the id of the honest one.
    let replica = ReplicaID(rawValue: source.pick([1, 2, 3, 99, .max, 0]))
    let sequence = number()
    let stamp = Stamp(time: time(), replica: replica)
    let (register, value): (Register, RegisterValue)
    switch source.next(below: 4) {
    case 0:
      let length: UInt64 = source.pick([1, 2, 1 << 16, 1 << 32, 1 << 57, 1 << 63 - 2, 1 << 63 - 1])
      (register, value) = (.life, .life(length))
    case 1:
      let section: Int64 = source.pick([.min, -1, 0, 1, 1 << 40, .max])
      (register, value) = (
        .position, .position(section: section, key: key(Dot(replica: replica, sequence: sequence)))
      )
    case 2:
      let name = FieldName(String(repeating: "n", count: 1 + source.next(below: 255))) ?? "n"
      (register, value) = (.field(name), .field(source.fieldValue()))
    default:
      let name = [UInt8](repeating: 0x61, count: source.next(below: 256))
      (register, value) = (.other(kind: 0x7f, name: name), .other([1, 2, UInt8(place & 255)]))
    }
    return Entry(item: item, register: register, value: value, stamp: stamp, sequence: sequence)
  }

  /// A key that ends in a dot, perhaps as long as keys get, beside one of the list.
  private mutating func key(_ dot: Dot) -> SortKey {
    let keys = list.compactMap { $0.key }
    var left = keys.isEmpty ? nil : keys[source.next(below: keys.count)]
    let right = source.chance(1, in: 2) ? nil : keys.first { key in left.map { $0 < key } ?? true }
    // Squeezed against its neighbour again and again by somebody else.
    for step in 0..<(source.chance(1, in: 3) ? 200 : 0) as Range<Int64> {
      let other = ReplicaID(rawValue: UInt64.max - UInt64(step % 2))
      guard
        let next = try? SortKey.between(left, right, replica: other, counter: .max - step)
      else { break }
      left = next
    }
    let key = try? SortKey.between(left, right, replica: dot.replica, counter: dot.sequence)
    let alone = try? SortKey.between(nil, nil, replica: dot.replica, counter: dot.sequence)
    return key ?? alone ?? keys.first
      ?? SortKey(validBytes: [0xc0, 0, 0, 0, 0, 0, 0, 0, 1, 0x81, 1])
  }

  // MARK: What must hold

  /// Two lists after a session; the first one always judges what it is sent.
  private static func exchange(
    _ first: ReplicatedList, _ second: ReplicatedList, theyJudge: Bool
  ) throws(Violation) -> (ReplicatedList, ReplicatedList) {
    var lists = [first, second]
    var sessions = lists.indices.map { place in
      let judges = place == 0 || theyJudge
      return SyncSession(
        SyncSetup(admission: judges ? policy : AdmissionPolicy(now: nil)), list: lists[place],
        nonce: SessionNonce(high: UInt64(place + 1), low: 1), now: 0)
    }
    var waiting = sessions.indices.map { sessions[$0].start(now: 0) }
    while let side = waiting.firstIndex(where: { !$0.isEmpty }) {
      switch waiting[side].removeFirst() {
      case .send(let bytes): waiting[1 - side] += sessions[1 - side].receive(bytes, now: 0)
      case .merge(let delta, let ticket):
        lists[side].merge(delta)
        let list = lists[side]
        waiting[side] += sessions[side].settled(ticket, outcome: .done(), list: list, now: 0)
      case .makeDurable(_, let ticket):
        let list = lists[side]
        waiting[side] += sessions[side].settled(ticket, outcome: .done(), list: list, now: 0)
      case .close(.failed(let failure)): throw Violation("a session fails: \(failure)")
      case .event, .close: break
      }
    }
    return (lists[0], lists[1])
  }

  /// Every edit that makes sense, on every item.
  private mutating func edit() throws(Violation) {
    var me = Replica(id: HostilePeer.me, sequence: 1_000) { HostilePeer.now }
    for item in list.allItems() where item.id != .root {
      let failed: String?
      do throws(EditFailure) {
        failed = try HostilePeer.edit(item, of: &list, by: &me)
      } catch {
        failed = "fails: \(error)"
      }
      try require(failed == nil, "an edit of \(item.id) \(failed ?? "")")
    }
    for name in Array(list.metadata.prefix(3)).map({ $0.name }) + ["n"] {
      let value = FieldValue.int64(me.sequence)
      try? list.set(name, of: .root, to: value, by: &me)
      try require(list.metadata[name] == value, "\(name) of the list cannot be set")
    }
    try require(list.allItems().allSatisfy { $0.lifeLength < 1 << 60 }, "a life is near its end")
  }

  /// What had no effect; `nil` if all had.
  private static func edit(
    _ item: ListItem, of list: inout ReplicatedList, by me: inout Replica
  ) throws(EditFailure) -> String? {
    let id = item.id
    for name in Array(item.fields.prefix(4)).map({ $0.name }) + ["n", "title"] {
      let value = FieldValue.int64(me.sequence)
      try list.set(name, of: id, to: value, by: &me)
      if list[id: id]?[name] != value { return "sets no field" }
    }
    if item.isVisible {
      try list.remove(id, by: &me)
      if list.contains(id: id) { return "removes nothing" }
    }
    if list[id: id]?.isRemoved ?? false {
      try list.restore(id, by: &me)
      if list[id: id]?.isRemoved ?? true { return "restores nothing" }
    }
    try list.move(id, toOffset: 0, inSection: 3, by: &me)
    if list[id: id]?.section != 3 { return "moves nothing" }
    guard list.contains(id: id) else { return nil }
    if list.indices(inSection: 3).first != list.index(id: id) { return "moves elsewhere" }
    let before = try list.insert(["n": 1], before: id, by: &me)
    let after = try list.insert(["n": 1], after: id, by: &me)
    let places = [before, id, after].compactMap { list.index(id: $0) }
    if places.count != 3 || places[0] + 1 != places[1] || places[1] + 1 != places[2] {
      return "adds elsewhere"
    }
    try list.remove(before, by: &me)
    try list.remove(after, by: &me)
    // Back among the others, whose keys may be as long as keys get.
    let section = item.section ?? 0
    try list.move(
      id, toOffset: list.indices(inSection: section).count / 2, inSection: section, by: &me)
    return nil
  }

  /// Saves, compacts, exports, merges, and syncs with somebody who knows nothing.
  private func keep() throws(Violation) {
    let stranger = ReplicatedList(id: list.id)
    let admitted = HostilePeer.policy.admit(list.delta(since: VersionVector()), to: stranger)
    try require(
      admitted.withheld.isEmpty,
      "what was let in here is not let in elsewhere: \(admitted.withheld[0])")
    let copy = (try? SealedBlock.encode(list)).flatMap { try? SealedBlock.decode($0) }
    try require(copy == list && copy?.version == list.version, "an export is another list")
    try require(stranger.merging(list) == list, "a merge is another list")
    let random = SeededBits(seed: 3)
    let disk = SimulatedDisk()
    var settings = DocumentFile.Settings(random: { random.next() })
    settings.fileSystem = disk
    do throws(DocumentFileFailure) {
      var file = try DocumentFile.create(at: "/trip", holding: stranger, settings: settings)
      try file.commit(list)
      try file.compact()
    } catch {
      throw Violation("a document cannot hold it: \(error)")
    }
    let read = (try? DocumentExamination(of: "/trip", in: disk))?.list
    try require(read == list, "a document holds another list")
    let (mine, theirs) = try HostilePeer.exchange(list, stranger, theyJudge: true)
    try require(mine == list && theirs == list, "a session ends with different lists")
    try keepInFolder(disk, settings.random)
  }

  private func keepInFolder(
    _ disk: SimulatedDisk, _ random: @escaping @Sendable () -> UInt64
  ) throws(Violation) {
    var settings = SharedFolder.Settings(random: random)
    settings.fileSystem = disk
    var theirs = ReplicatedList(id: list.id)
    do throws(SharedFolderFailure) {
      var mine = SharedFolder("/shared", list: list.id, replica: HostilePeer.me, settings: settings)
      try mine.write(list)
      try mine.writeSnapshot(list)
      var other = SharedFolder(
        "/shared", list: list.id, replica: ReplicaID(rawValue: 5), settings: settings)
      try other.read(into: &theirs, now: 0, admission: HostilePeer.policy)
    } catch {
      throw Violation("a folder cannot hold it: \(error)")
    }
    try require(theirs == list, "a folder holds another list")
  }
}
