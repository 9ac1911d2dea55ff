import Betwixt
import BetwixtFiles
import BetwixtSync

extension World {
  /// A command that edits a document: what it acknowledges is in the file from then on.
  mutating func writeDocument(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard var document = try open(desk, at: Desk.path(action.a)) else { return false }
    try edit(&document, choice: action.b, at: desk, by: device)
    try checkKept(desk, before: before, at: document.path)
    return true
  }

  /// Edits an open document and commits.
  mutating func edit(
    _ document: inout OpenDocument, choice: Int, at desk: Desk, by device: Device
  ) throws(Violation) {
    var list = document.file.list
    var me = try writer(document.file.identity, in: list, by: device, at: desk, path: document.path)
    let content = try edit(&list, &me, choice: choice, content: document.content)
    do {
      if !(simulation.mistakes.contains(.forgetsCommit) && choice % 4 == 1) {
        try document.file.commit(list)
      }
    } catch {
      throw Violation("an edit of \(document.path) is refused: \(error)")
    }
    try acknowledge(content, after: document.content, at: document.path, of: desk)
    document.content = content
    desk.note(document.path, document: list.id, content: content)
  }

  func writer(
    _ identity: Identity?, in list: ReplicatedList, by device: Device, at desk: Desk, path: String
  ) throws(Violation) -> Replica {
    guard let identity else { throw Violation("nobody writes in \(path)") }
    guard let family = mistakenFamily(identity, in: list, at: desk, path: path) else {
      return identity.replica(for: list) { [clock = device.clock] in clock.now }
    }
    return Replica(
      id: identity.replica, sequence: list.version[identity.replica], families: { family },
      clock: { [clock = device.clock] in clock.now })
  }

  /// What new items are named after by programs that make a mistake there.
  private func mistakenFamily(
    _ identity: Identity, in list: ReplicatedList, at desk: Desk, path: String
  ) -> UInt64? {
    guard !simulation.mistakes.isEmpty else { return nil }
    let sequence = UInt64(list.version[identity.replica])
    func family(_ number: Int) -> UInt64 {
      var hash = TraceHash()
      hash.combine(number)
      hash.combine(desk.number)
      hash.combine(bytes: path.utf8)
      return hash.value &- sequence
    }
    if simulation.mistakes.contains(.namesByNumber) { return identity.replica.rawValue }
    if simulation.mistakes.contains(.namesByLength) {
      return family(desk.disk.bytes(path)?.count ?? 0)
    }
    if simulation.mistakes.contains(.namesByFile) { return family(desk.disk.inode(path) ?? 0) }
    guard simulation.mistakes.contains(.namesByCount) else { return nil }
    let counter = Desk.state(of: path) + "/count"
    let count = (desk.disk.bytes(counter)?.count ?? 0) + 1
    desk.disk.put(counter, bytes: [UInt8](repeating: 0, count: count))
    return family(count)
  }

  // MARK: One edit

  /// Makes one edit, which must take effect at once.
  ///
  /// - Returns: What the document holds with it.
  mutating func edit(
    _ list: inout ReplicatedList, _ me: inout Replica, choice: Int, content: NaiveList
  ) throws(Violation) -> NaiveList {
    serial += 1
    let edit = DeskEdit(choice, in: list, serial: serial)
    let before = list
    do throws(EditFailure) {
      try edit.perform(&list, &me)
    } catch {
      throw Violation("an honest edit, \(edit), is refused: \(error)")
    }
    try require(edit.isSeen(in: list), "an honest edit, \(edit), takes no effect")
    var after = content
    for entry in list.writes(of: me.id, since: before) {
      try require(after.join(entry), "an author does not see its own \(entry.brief)")
    }
    return after
  }

  /// Notes that writes were acknowledged: whatever is new must be new everywhere.
  mutating func acknowledge(
    _ content: NaiveList, after before: NaiveList, at path: String, of desk: Desk,
    as label: String? = nil
  ) throws(Violation) {
    let writes = content.entries(since: before)
    desk.acts.note(label, at: path, writes: writes)
    acknowledged.formUnion(writes.map(\.dot))
    for item in content.items where item.entries.count != before[item.id]?.entries.count {
      guard case .field(.int64(let number)?) = item[.field(DeskEdit.serialField)]?.value
      else { continue }
      let owner = owners.updateValue(number, forKey: item.id)
      try require(
        owner == nil || owner == number,
        "the items of serial numbers \(owner ?? 0) and \(number) have one id, \(item.id)")
    }
  }

  // MARK: What must stay

  /// Notes what commits have brought into a generation that was replaced right behind them.
  ///
  /// Others have come since: it holds something between what it held and what the document holds. It
  /// has the name of an older generation, or one that somebody gave the file besides. One that was
  /// made and replaced within one act is noted here for the first time.
  private func noteReplaced(_ desk: Desk, at path: String, was replaced: Int?) {
    guard let present = desk.record(at: path) else { return }
    for (name, inode) in desk.disk.inodes(in: Desk.home) {
      let other = "\(Desk.home)/\(name)"
      guard other != path, inode == replaced || other.hasPrefix(path + ".previous"),
        let bytes = desk.disk.bytes(other),
        let examined = try? DocumentExamination(bytes), examined.list.id == present.document
      else { continue }
      let held = NaiveList(examined.list)
      guard held.firstLack(in: present.content) == nil else { continue }
      guard let record = desk.records[inode] else {
        desk.records[inode] = FileRecord(
          document: present.document, size: bytes.count, content: held)
        continue
      }
      guard !record.isDamaged, bytes.count > record.size, record.document == present.document,
        record.content.firstLack(in: held) == nil
      else { continue }
      desk.records[inode]?.grow(to: bytes.count, content: held)
    }
  }

  /// What documents of one act hold, and the generations that are kept beside them.
  private func kept(_ desk: Desk, at paths: [String]) -> NaiveList {
    var kept = NaiveList()
    for path in paths {
      if let record = desk.record(at: path) { kept.join(record.content) }
      for (name, inode) in desk.disk.inodes(in: Desk.home) {
        guard "\(Desk.home)/\(name)".hasPrefix(path + "."), let record = desk.records[inode] else {
          continue
        }
        kept.join(record.floor)
      }
    }
    return kept
  }

  /// No act of the library takes the last copy of a write away, nor a file that is none of its own.
  ///
  /// One act may have worked on more than one document of a desk, of which one let in less than the
  /// other holds: a file is held against the document whose generation it was.
  func checkKept(
    _ desk: Desk, before: [String: Int], at paths: String...
  ) throws(Violation) {
    let after = desk.disk.inodes(in: Desk.home)
    if after == before { return }
    let left = Set(after.values)
    for path in paths {
      try checkRights(
        desk, before: before, after: after, of: String(path.dropFirst(Desk.home.count + 1)))
      noteReplaced(desk, at: path, was: before[String(path.dropFirst(Desk.home.count + 1))])
    }
    for (name, inode) in before where !left.contains(inode) {
      try require(!desk.notes.contains(name), "the user's own file \(name) is gone")
      guard let gone = desk.records[inode] else { continue }
      let owners = paths.filter { "\(Desk.home)/\(name).".hasPrefix($0 + ".") }
      let places = owners.isEmpty ? paths : owners
      try require(
        places.contains { desk.record(at: $0)?.document == gone.document },
        "\(name) is gone, a file of another document")
      let lack = gone.floor.firstLack(in: kept(desk, at: places))
      try require(
        lack == nil, "\(name) is gone, and with it \(lack.map(\.brief) ?? "nothing")")
      desk.records[inode] = nil
    }
  }
}

extension World {
  /// A file that takes the place of another one may be opened by whoever might open that.
  private func checkRights(
    _ desk: Desk, before: [String: Int], after: [String: Int], of name: String
  ) throws(Violation) {
    guard let old = before[name], let new = after[name], old != new,
      let wasPrivate = desk.disk.isPrivate(old), let isPrivate = desk.disk.isPrivate(new)
    else { return }
    try require(
      wasPrivate == isPrivate,
      "\(name) is written anew, and \(isPrivate ? "closed" : "open") to others, as it was not")
  }
}

extension ReplicatedList {
  /// What a replica has written since a list was as it was before.
  ///
  /// A version need not claim all that its own replica wrote earlier: what was given back by somebody
  /// with claims of a part only.
  func writes(of replica: ReplicaID, since before: ReplicatedList) -> [Entry] {
    delta(since: before.version).entries.filter { entry in
      entry.stamp.replica == replica
        && before[id: entry.item]?.entries.contains(entry) != true
    }
  }
}

/// One honest edit of a document, with a serial number in what it writes.
struct DeskEdit: CustomStringConvertible {
  enum Kind: Int {
    case add
    case set
    case move
    case toggle
  }

  static let serialField: FieldName = "serial"
  static let noteField: FieldName = "note"

  let kind: Kind
  let item: ItemID
  let offset: Int
  let section: Int64
  let serial: Int64
  private let wasVisible: Bool

  /// The edit of a choice; where there is no item for it, one is added.
  init(_ choice: Int, in list: ReplicatedList, serial: Int64) {
    let number = choice / 4
    let known = choice % 4 == 0 ? [] : DeskEdit.editable(list)
    let kind = Kind(rawValue: choice % 4) ?? .add
    self.init(
      known.isEmpty ? .add : kind, of: known.isEmpty ? .root : known[number % known.count],
      number: number,
      in: list, serial: serial)
  }

  /// An edit of one item.
  init(_ kind: Kind, of item: ItemID, in list: ReplicatedList, serial: Int64) {
    self.init(
      kind, of: item, number: Int(truncatingIfNeeded: item.low & 3), in: list, serial: serial)
  }

  private init(_ kind: Kind, of item: ItemID, number: Int, in list: ReplicatedList, serial: Int64) {
    self.kind = kind
    self.item = item
    self.serial = serial
    section = Int64(number % 2)
    offset = number % (list.indices(inSection: section).count + 1)
    wasVisible = list.contains(id: item)
  }

  /// The items that can be edited: those of which life and place have arrived.
  static func editable(_ list: ReplicatedList) -> [ItemID] {
    list.allItems().filter { $0.id != .root && $0.lifeLength > 0 && $0.key != nil }.map(\.id)
  }

  func perform(_ list: inout ReplicatedList, _ me: inout Replica) throws(EditFailure) {
    switch kind {
    case .add:
      try list.insert(
        [DeskEdit.serialField: .int64(serial)], at: offset, inSection: section, by: &me)
    case .set: try list.set(DeskEdit.noteField, of: item, to: .int64(serial), by: &me)
    case .move: try list.move(item, toOffset: offset, inSection: section, by: &me)
    case .toggle where wasVisible: try list.remove(item, by: &me)
    case .toggle: try list.restore(item, by: &me)
    }
  }

  func isSeen(in list: ReplicatedList) -> Bool {
    switch kind {
    case .add:
      let places = list.indices(inSection: section)
      let place = places.lowerBound + offset
      return places.contains(place) && list[place][DeskEdit.serialField]?.int64 == serial
    case .set: return list[id: item]?[DeskEdit.noteField]?.int64 == serial
    case .move: return !wasVisible || list[id: item]?.section == section
    case .toggle: return list.contains(id: item) != wasVisible
    }
  }

  var description: String {
    switch kind {
    case .add: "to add an item"
    case .set: "to set a field of \(item)"
    case .move: "to move \(item)"
    case .toggle: wasVisible ? "to remove \(item)" : "to restore \(item)"
    }
  }
}
