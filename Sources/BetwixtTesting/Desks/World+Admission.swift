import Betwixt
import BetwixtFiles
import BetwixtSync

// What is let into documents from elsewhere, and how a clock that was wrong is made good.

extension World {
  /// What a device takes in from others, by its clock.
  func policy(_ device: Device) -> AdmissionPolicy {
    guard simulation.mistakes.contains(.takesAnything) else {
      return AdmissionPolicy(now: device.clock.now)
    }
    var policy = AdmissionPolicy(now: nil)
    policy.lifeSlack = .max
    policy.newReplicaCount = .max
    policy.incompleteItemCount = .max
    return policy
  }

  // MARK: After a clock that was wrong

  /// What was written on this device in the future is written again, now, as `repair --clock` does.
  mutating func healDocuments(_ device: Device, document: ListID) throws(Violation) {
    let desk = desk(of: device)
    var seen: Set<Int> = []
    for place in 0..<2 {
      guard let path = target(desk, at: Desk.path(place)), let inode = desk.disk.inode(path),
        let record = desk.record(at: path), record.document == document,
        seen.insert(inode).inserted
      else { continue }
      let before = desk.disk.inodes(in: Desk.home)
      try heal(desk, by: device, at: path)
      try checkKept(desk, before: before, at: path)
    }
  }

  private mutating func heal(_ desk: Desk, by device: Device, at path: String) throws(Violation) {
    guard var document = try open(desk, at: path, access: .exclusive) else { return }
    let list = document.file.list
    guard let record = document.file.identity?.record else { return }
    let writers = Set(record.former + record.earlier.map(\.replica) + [record.replica])
    let policy = AdmissionPolicy(now: now)
    let own = list.poisoned(under: policy).map(\.entry)
      .filter { writers.contains($0.stamp.replica) }
    if own.isEmpty { return }
    do {
      try document.file.identity?.rotate(.requested)
      guard var me = document.file.identity?.replica(for: list, clock: { [now] in now }) else {
        return
      }
      let healed = try list.rewriting(own, by: &me)
      try document.file.replace(by: healed)
    } catch {
      throw Violation("\(path) cannot be healed: \(error)")
    }
    let healed = NaiveList(document.file.list)
    let poisoned = Set(own)
    let lack = document.content.firstLack(in: healed) { entry, present in
      poisoned.contains(entry) && entry.value.saysTheSame(as: present.value)
    }
    try require(lack == nil, "healing \(path) took away \(lack.map(\.brief) ?? "nothing")")
    desk.note(path, document: list.id, content: healed)
  }

  /// The list with every write made again that nobody would let in, as `doctor -o` does.
  mutating func healed(_ list: ReplicatedList) throws(Violation) -> ReplicatedList {
    let poisoned = list.poisoned(under: AdmissionPolicy(now: now)).map(\.entry)
    var me = Replica(id: freshID()) { [now] in now }
    let healed: ReplicatedList
    do throws(EditFailure) {
      healed = try list.rewriting(poisoned, by: &me)
    } catch {
      throw Violation("a list cannot be healed: \(error)")
    }
    let left = healed.poisoned(under: AdmissionPolicy(now: now))
    try require(left.isEmpty, "\(left.count) writes are still in the future after healing")
    return healed
  }
}

extension NaiveList {
  /// Takes those of another list's entries that a policy lets in; those that are here stay.
  mutating func join(_ other: NaiveList, under policy: AdmissionPolicy) {
    for item in other.items where self[item.id] != item {
      for entry in item.entries where policy.objection(to: entry) == nil { join(entry) }
    }
  }

  /// The first entry in whose register another list holds nothing as great.
  ///
  /// `isRewritten` says whether what is present there instead of an entry is that entry, or a later
  /// one, written again by who mended a clock.
  func firstLack(
    in other: NaiveList, isRewritten: (_ entry: Entry, _ present: Entry) -> Bool
  ) -> Entry? {
    for item in items {
      let held = other[item.id]
      if held == item { continue }
      for entry in item.entries {
        guard let present = held?[entry.register] else { return entry }
        if NaiveList.wins(entry, over: present), !isRewritten(entry, present) { return entry }
      }
    }
    return nil
  }
}

extension RegisterValue {
  /// Whether both mean the same to people: lives that are both over, or both not.
  func saysTheSame(as other: RegisterValue) -> Bool {
    switch (self, other) {
    case (.life(let mine), .life(let theirs)): mine.isMultiple(of: 2) == theirs.isMultiple(of: 2)
    case (.position(let mine, _), .position(let theirs, _)): mine == theirs
    default: self == other
    }
  }
}
