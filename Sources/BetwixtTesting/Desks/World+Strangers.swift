import Betwixt
import BetwixtFiles
import BetwixtSync

// Peers that follow the protocol to the letter and send what no honest program would, and honest
// programs that fill a list up.

extension World {
  /// Somebody holds a session with a document and sends well-formed extremes.
  ///
  /// What is taken of them is nobody's business but the host's: but then every honest edit must still
  /// take effect, and all that is held can be written.
  mutating func stranger(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard let document = try open(desk, at: Desk.path(action.a)) else { return false }
    hasStrangers = true
    var source = ChoiceSource(seed: UInt64(action.c))
    var liar = Liar(
      document.file.list, by: document.file.identity?.replica ?? ReplicaID(rawValue: 1),
      at: device.clock.now)
    let delta: Delta
    do {
      delta = try liar.delta(action.b, from: &source)
    } catch {
      throw Violation("a well-formed extreme is refused by its own format: \(error)")
    }
    let id = document.file.list.id
    var host = Parley(document, nonce: 1, now: device.clock.now, policy: policy(device))
    var list = ReplicatedList(id: id)
    list.merge(delta)
    var other = PlainSpeaker(list, as: liar.id, nonce: 2)
    var moved = 0
    while true {
      let there = host.takeSent()
      other.receive(there)
      let back = other.takeSent()
      host.receive(back)
      moved += there.count + back.count
      if there.isEmpty, back.isEmpty { break }
      try require(moved < 1 << 27, "a session with a stranger does not end")
    }
    host.inputEnded()
    try noteTaken(host, at: desk, of: id, in: delta)
    try checkKept(desk, before: before, at: host.path)
    return true
  }

  /// What was taken is what was sent and may be let in, and nothing was lost for it.
  private func noteTaken(
    _ host: borrowing Parley, at desk: Desk, of id: ListID, in delta: Delta
  ) throws(Violation) {
    var all = host.content
    for entry in delta.entries where host.policy.objection(to: entry) == nil { all.join(entry) }
    try noteParts(
      desk, at: host.path, list: host.host.file.list, before: host.content, all: all, document: id)
  }

  /// A program fills an item or the whole list up, by edits that are all honest.
  mutating func fill(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard var document = try open(desk, at: Desk.path(action.a)) else { return false }
    var list = document.file.list
    var me = try writer(document.file.identity, in: list, by: device, at: desk, path: document.path)
    var content = document.content
    let old = list
    do throws(EditFailure) {
      let isRefused = simulation.mistakes.contains(.runsOutOfRoom)
      try Filling(action.b, number: device.number, isRefused: isRefused).perform(&list, &me)
    } catch {
      // A limit of edits, told before anything was written: what was written before it stays.
      try require(error.code.isLimit, "an honest edit is refused: \(error)")
    }
    for entry in list.writes(of: me.id, since: old) { content.join(entry) }
    do {
      try document.file.commit(list)
    } catch {
      throw Violation("a full list cannot be committed: \(error)")
    }
    try acknowledge(content, after: document.content, at: document.path, of: desk)
    desk.note(document.path, document: list.id, content: content)
    try checkKept(desk, before: before, at: document.path)
    return true
  }
}

extension EditFailure.Code {
  fileprivate var isLimit: Bool {
    switch self {
    case .nameTooLong, .valueTooLarge: true
    default: false
    }
  }
}

/// Honest edits that come near a limit on each device, and pass it where two of them meet.
private struct Filling {
  private enum Kind: Int, CaseIterable {
    case fieldsOfOneItem
    case longValues
    case oneSpot
    case items
  }

  private let kind: Kind
  private let number: Int
  /// Whether there is no room between two items soon, by mistake.
  private let isRefused: Bool

  init(_ kind: Int, number: Int, isRefused: Bool) {
    self.kind = Kind.allCases[kind % Kind.allCases.count]
    self.number = number
    self.isRefused = isRefused
  }

  func perform(_ list: inout ReplicatedList, _ me: inout Replica) throws(EditFailure) {
    switch kind {
    case .fieldsOfOneItem:
      // Of the list itself, which every copy has: so that copies that never met fill the same.
      for field in 0..<600 {
        guard let name = FieldName("filled \(number) \(field)") else { continue }
        try list.set(name, of: .root, to: .int64(Int64(field)), by: &me)
      }
    case .longValues:
      let text = String(repeating: "x", count: me.limits.valueByteCount - 16)
      for field in 0..<3 {
        guard let name = FieldName("long \(number) \(field)") else { continue }
        try list.set(name, of: .root, to: .string(text), by: &me)
      }
    case .oneSpot:
      for offset in 0..<120 {
        let place = isRefused && offset == 2 ? Int.max : offset % 2
        try list.insert([:], at: place, inSection: 9, by: &me)
      }
    case .items:
      for _ in 0..<200 { try list.append([:], by: &me) }
    }
  }
}

/// A session of somebody who only has a list.
struct PlainSpeaker {
  private(set) var list: ReplicatedList
  private var session: SyncSession
  private var sent: [UInt8] = []

  init(_ list: ReplicatedList, as id: ReplicaID, nonce: UInt64) {
    self.list = list
    session = SyncSession(
      SyncSetup(replica: id), list: list, nonce: SessionNonce(high: nonce, low: nonce), now: 0)
    take(session.start(now: 0))
  }

  mutating func receive(_ bytes: [UInt8]) { take(session.receive(bytes, now: 0)) }

  mutating func takeSent() -> [UInt8] {
    defer { sent = [] }
    return sent
  }

  private mutating func take(_ outputs: [SyncOutput]) {
    var waiting = outputs
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .send(let bytes): sent += bytes
      case .event, .close: break
      case .merge(let delta, let ticket):
        list.merge(delta)
        waiting += session.settled(ticket, outcome: .done(), list: list, now: 0)
      case .makeDurable(_, let ticket):
        waiting += session.settled(ticket, outcome: .done(), list: list, now: 0)
      }
    }
  }
}
