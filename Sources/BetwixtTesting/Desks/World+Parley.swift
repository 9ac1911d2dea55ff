import Betwixt
import BetwixtFiles
import BetwixtSync

/// One end of a session that works on a document.
struct Parley: ~Copyable {
  let path: String
  let content: NaiveList
  private let writer: Writer?
  var host: DocumentHost
  private var session: SyncSession
  private(set) var sent: [UInt8] = []
  private(set) var end: SyncEnd?
  private let drops: Bool

  /// Who it says that it is.
  let replica: ReplicaID?

  /// What this side lets in.
  let policy: AdmissionPolicy

  init(
    _ document: consuming OpenDocument, nonce: UInt64, now: Int64, policy: AdmissionPolicy,
    drops: Bool = false
  ) {
    self.drops = drops
    self.policy = policy
    path = document.path
    content = document.content
    writer = Writer(document)
    replica = document.file.identity?.replica
    host = DocumentHost(document.file)
    session = SyncSession(
      SyncSetup(replica: replica, wallClock: now, admission: policy), list: host.file.list,
      nonce: SessionNonce(high: nonce, low: nonce), now: 0)
    take(session.start(now: 0))
  }

  mutating func receive(_ bytes: some Collection<UInt8>) { take(session.receive(bytes, now: 0)) }

  mutating func inputEnded() { take(session.inputEnded(now: 0)) }

  mutating func takeSent() -> [UInt8] {
    defer { sent = [] }
    return sent
  }

  private mutating func take(_ outputs: [SyncOutput]) {
    var waiting = outputs
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .send(let bytes): sent += bytes
      case .event(let event): host.note(event)
      case .close(let end):
        host.note(end)
        self.end = end
      case .merge(let delta, let ticket):
        let outcome = host.merge(drops ? delta.withoutLastField : delta)
        waiting += session.settled(ticket, outcome: outcome, list: host.file.list, now: 0)
      case .makeDurable(let sequence, let ticket):
        let outcome = host.makeDurable(upTo: sequence)
        waiting += session.settled(ticket, outcome: outcome, list: host.file.list, now: 0)
      }
    }
  }

  /// Whoever has got a write under its own id that it never made goes on under another one.
  func checkWriter(met other: NaiveList) throws(Violation) {
    // Of two writes with one number only the greater one need have come here.
    guard let writer, writer.isDoubted(by: other, under: policy, ofAll: false) else { return }
    try writer.requireChange(to: host.file.identity?.replica)
  }

  var endsForTwins: Bool {
    switch end {
    case .failed(let failure)?, .peerFailed(let failure)?: failure.code == .identityInUse
    default: false
    }
  }
}

extension World {
  /// Two documents are brought together by a session, which may break off.
  mutating func meetDesks(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let other = devices[action.a % devices.count]
    guard other === device || canReach(device, other) else { return false }
    return try meet(
      device, onePath: Desk.path(action.b), two: other, twoPath: Desk.path(action.b / 2),
      cut: action.c == 0 ? nil : action.c * 16)
  }

  /// Two documents hold the same when a session has ended in order.
  mutating func meet(
    _ one: Device, onePath: String, two: Device, twoPath: String, cut: Int?
  ) throws(Violation) -> Bool {
    let (left, right) = (desk(of: one), desk(of: two))
    guard let leftPath = left.disk.resolved(onePath), let rightPath = right.disk.resolved(twoPath),
      left !== right || left.disk.inode(leftPath) != right.disk.inode(rightPath)
        || left.disk.inode(leftPath) == nil,
      left !== right || leftPath != rightPath
    else { return false }
    let before = (left.disk.inodes(in: Desk.home), right.disk.inodes(in: Desk.home))
    guard let first = try open(left, at: leftPath) else { return false }
    let document = first.file.list.id
    guard let second = try open(right, at: rightPath, making: document),
      second.file.list.id == document
    else { return false }
    let drops = !isEnding && simulation.mistakes.contains(.dropsFromSessions)
    var near = Parley(first, nonce: 1, now: one.clock.now, policy: policy(one), drops: drops)
    var far = Parley(second, nonce: 2, now: two.clock.now, policy: policy(two), drops: drops)
    try exchange(&near, far: &far, cut: cut)
    try settle(near, of: left, far, of: right, document: document)
    if left === right {
      try checkKept(left, before: before.0, at: leftPath, rightPath)
    } else {
      try checkKept(left, before: before.0, at: leftPath)
      try checkKept(right, before: before.1, at: rightPath)
    }
    return true
  }

  private func exchange(_ near: inout Parley, far: inout Parley, cut: Int?) throws(Violation) {
    var moved = 0
    while true {
      var there = near.takeSent()
      if simulation.mistakes.contains(.fallsSilent), !isEnding, moved > 0 { there = [] }
      let isCut = moved + there.count > cut ?? .max
      far.receive(isCut ? there.prefix(max(0, (cut ?? 0) - moved)) : there[...])
      moved += there.count
      if isCut { break }
      let back = far.takeSent()
      near.receive(back)
      moved += back.count
      if there.isEmpty, back.isEmpty { break }
      try require(moved < 1 << 26, "a session of documents does not end")
    }
    if near.end == nil || far.end == nil {
      try require(moved > cut ?? .max, "both ends of a session of documents wait")
      near.inputEnded()
      far.inputEnded()
    }
  }

  /// Both documents hold what they held, and nothing but what the other one did and they let in;
  /// after a session that ended in order all of it.
  private mutating func settle(
    _ near: borrowing Parley, of left: Desk, _ far: borrowing Parley, of right: Desk,
    document: ListID
  ) throws(Violation) {
    var (nearAll, farAll) = (near.content, far.content)
    nearAll.join(far.content, under: near.policy)
    farAll.join(near.content, under: far.policy)
    let lists = (near.host.file.list, far.host.file.list)
    if near.end == .finished, far.end == .finished {
      for (list, path, all) in [(lists.0, near.path, nearAll), (lists.1, far.path, farAll)] {
        guard !all.isHeld(exactlyBy: list) else { continue }
        let lack = all.firstLack(in: list)
        throw Violation(
          "\(path) was synced and "
            + (lack.map { "lacks \($0.brief)" } ?? "holds what neither side had"))
      }
      try near.checkWriter(met: far.content)
      try far.checkWriter(met: near.content)
      left.note(near.path, document: document, content: nearAll)
      right.note(far.path, document: document, content: farAll)
      return
    }
    let isCut = near.end == .cut || far.end == .cut || near.end == nil || far.end == nil
    let areTwins = near.replica == far.replica && (near.endsForTwins || far.endsForTwins)
    try require(
      isCut || areTwins,
      "a session of documents failed: \(near.end as Any), \(far.end as Any)")
    try noteParts(
      left, at: near.path, list: lists.0, before: near.content, all: nearAll, document: document)
    try noteParts(
      right, at: far.path, list: lists.1, before: far.content, all: farAll, document: document)
  }

  /// After an exchange that broke off: all that was there, and some of what was to come.
  func noteParts(
    _ desk: Desk, at path: String, list: ReplicatedList, before: NaiveList, all: NaiveList,
    document: ListID
  ) throws(Violation) {
    let held = NaiveList(list)
    if let lack = before.firstLack(in: held) {
      throw Violation("\(path) lost \(lack.brief) in an exchange")
    }
    if let excess = held.firstLack(in: all) {
      throw Violation("\(path) got \(excess.brief) in an exchange, which nobody had")
    }
    desk.note(path, document: document, content: held)
  }

  // MARK: Files

  /// Fails as a program does that looks at limits only when it writes.
  private func refuseUnion(
    _ other: ReplicatedList, into list: ReplicatedList
  ) throws(DocumentFileFailure) {
    guard simulation.mistakes.contains(.refusesUnions) else { return }
    if list.merging(other).metadata.count > 700 { throw .tooLarge }
  }

  /// Brings a copy from the stick, or any other file, into a document: `merge` and `sync --with`.
  mutating func join(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let files = desk.documents().map {
      ShelfCopy(bytes: desk.disk.bytes($0.path) ?? [], record: $0.record)
    }
    let copies = shelf + files
    guard !copies.isEmpty else { return false }
    let copy = copies[action.b % copies.count]
    let list = try salvaged("a copy", bytes: copy.bytes, record: copy.record)
    return try join(list, into: Desk.path(action.a), by: device)
  }

  mutating func join(
    _ other: ReplicatedList, into path: String, by device: Device
  ) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard var document = try open(desk, at: path, making: other.id),
      document.file.list.id == other.id
    else { return false }
    let delta = other.delta(since: VersionVector())
    let policy = policy(device)
    let admitted = policy.admit(delta, to: document.file.list)
    let writer = Writer(document)
    do {
      let evidence = document.file.identity?.evidence(in: delta, against: document.file.list)
      if let evidence, !simulation.mistakes.contains(.overlooksTwins) {
        try document.file.identity?.rotate(evidence)
      }
      if !admitted.withheld.isEmpty {
        try document.file.commit(admitted.delta)
      } else if !isEnding, simulation.mistakes.contains(.joinsWithoutRemovals) {
        try document.file.commit(try delta.withoutRemovals())
      } else {
        try refuseUnion(other, into: document.file.list)
        try document.file.commit(other)
      }
    } catch {
      throw Violation("a copy cannot be brought into \(document.path): \(error)")
    }
    var all = document.content
    all.join(NaiveList(other), under: policy)
    guard all.isHeld(exactlyBy: document.file.list) else {
      let lack = all.firstLack(in: document.file.list)
      throw Violation(
        "\(document.path) took a copy and "
          + (lack.map { "lacks \($0.brief)" } ?? "holds what neither had"))
    }
    desk.note(document.path, document: other.id, content: all)
    try checkKept(desk, before: before, at: document.path)
    if let writer, writer.isDoubted(by: NaiveList(other), under: policy) {
      try writer.requireChange(to: document.file.identity?.replica)
    }
    return true
  }
}

extension Delta {
  /// The entries without the removals, and the same claims.
  fileprivate func withoutRemovals() throws -> Delta {
    try rebuilt { entry in
      if case .life(let length) = entry.value { !length.isMultiple(of: 2) } else { true }
    }
  }

  /// The entries without the greatest one that is a field's, and the same claims.
  fileprivate var withoutLastField: Delta {
    let last = entries.last { if case .field = $0.register { true } else { false } }
    return (try? rebuilt { $0 != last }) ?? self
  }

  private func rebuilt(_ isKept: (Entry) -> Bool) throws(EntryFailure) -> Delta {
    var builder = Delta.Builder()
    for entry in entries where isKept(entry) { try builder.add(entry) }
    for range in ranges {
      builder.cover(range.replica, after: range.after, through: range.through)
    }
    return builder.build()
  }
}
