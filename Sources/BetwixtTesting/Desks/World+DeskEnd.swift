import Betwixt
import BetwixtFiles
import BetwixtSync

extension World {
  /// Brings all files together that still are anywhere: what was acknowledged and not destroyed by
  /// somebody is in all of them in the end, each write once, and everything can still be edited.
  mutating func convergeDesks() throws(Violation) {
    let desks = devices.compactMap(\.desk)
    guard !desks.isEmpty else { return }
    isEnding = true
    for device in devices {
      device.reading = .right
      device.clock.set(now + 1)
      device.desk?.editors = [:]
    }
    for document in [World.listID, World.otherListID] { try converge(document) }
  }

  private mutating func converge(_ document: ListID) throws(Violation) {
    let participants = devices.filter { device in
      device.desk?.documents().contains { $0.record.document == document } ?? false
    }
    guard let first = participants.first ?? devices.first(where: { $0.desk != nil }) else { return }
    for device in participants { try healDocuments(device, document: document) }
    var copies: [ShelfCopy] = shelf.filter { $0.record.document == document }
    var missed = NaiveList()
    for device in participants {
      guard let desk = device.desk else { continue }
      for (path, record) in desk.documents() where record.document == document {
        if simulation.mistakes.contains(.overlooksConflictedCopies), path.contains("conflicted") {
          missed.join(record.floor)
          continue
        }
        copies.append(ShelfCopy(bytes: desk.disk.bytes(path) ?? [], record: record))
      }
    }
    guard !copies.isEmpty else { return }
    var kept = missed
    var all = ReplicatedList(id: document)
    for copy in copies {
      kept.join(copy.record.floor)
      all.merge(try salvaged("a copy", bytes: copy.bytes, record: copy.record))
    }
    let path = "\(Desk.home)/end-\(document.low)"
    _ = try join(healed(all), into: path, by: first)
    for round in 0...1 {
      for device in participants where device !== first {
        let isMet = try meet(first, onePath: path, two: device, twoPath: path, cut: nil)
        try require(isMet, "in the end two desks do not meet, round \(round)")
      }
    }
    try compareEnds(
      document, at: path, participants: participants, kept: kept, records: copies.map(\.record))
  }

  private mutating func compareEnds(
    _ document: ListID, at path: String, participants: [Device], kept: NaiveList,
    records: [FileRecord]
  ) throws(Violation) {
    guard let first = participants.first, let opened = try open(desk(of: first), at: path) else {
      return
    }
    let list = opened.file.list
    let policy = AdmissionPolicy(now: now)
    // A later write may have come out of a damaged file, of which nothing had to.
    let lack = kept.firstLack(in: NaiveList(list)) { entry, present in
      policy.objection(to: entry) != nil
        && records.contains { $0.hasHeld(present.value, notBefore: entry) }
    }
    if let lack {
      throw Violation("in the end nobody has the acknowledged \(lack.brief)")
    }
    for device in participants.dropFirst() {
      guard let other = try open(desk(of: device), at: path) else { continue }
      try require(
        other.file.list == list && other.file.list.digest == list.digest,
        "in the end the documents differ")
    }
    try checkSerials(list)
    try checkEdits(list)
    try checkWritable(list)
    report.trace.combine(bytes: list.digest.bytes)
  }

  /// Each item that was ever added is there once.
  private func checkSerials(_ list: ReplicatedList) throws(Violation) {
    var seen: Set<Int64> = []
    for item in list.allItems() {
      guard let number = item[DeskEdit.serialField]?.int64 else { continue }
      try require(
        seen.insert(number).inserted, "the item of serial number \(number) is there twice")
    }
  }

  /// Every honest edit of every item takes effect.
  private mutating func checkEdits(_ list: ReplicatedList) throws(Violation) {
    let items = DeskEdit.editable(list)
    let some = hasStrangers || simulation.isThorough ? items[...] : items.prefix(2)
    var edited = list
    var me = Replica(id: freshID()) { [now] in now + 2 }
    for item in some {
      for kind in [DeskEdit.Kind.set, .move, .toggle, .toggle] {
        serial += 1
        let edit = DeskEdit(kind, of: item, in: edited, serial: serial)
        do throws(EditFailure) {
          try edit.perform(&edited, &me)
        } catch {
          throw Violation("in the end an honest edit, \(edit), is refused: \(error)")
        }
        try require(edit.isSeen(in: edited), "in the end an honest edit, \(edit), takes no effect")
      }
    }
    let edit = DeskEdit(0, in: edited, serial: serial + 1)
    do throws(EditFailure) {
      try edit.perform(&edited, &me)
    } catch {
      throw Violation("in the end nothing can be added: \(error)")
    }
    if simulation.isThorough || hasStrangers { try checkWritable(edited) }
  }

  /// What is held can be saved, exported, compacted and synced.
  private mutating func checkWritable(_ list: ReplicatedList) throws(Violation) {
    guard simulation.isThorough || hasStrangers else { return }
    _ = try sealed(list)
    let desk = Desk(devices.count)
    do {
      var file = try DocumentFile.create(
        at: Desk.path(0), holding: list,
        settings: settings(desk, at: Desk.path(0), access: .exclusive))
      try file.compact()
      try require(file.list == list, "a compacted document differs")
      var settings = SharedFolder.Settings(random: { [random = desk.random] in random.next() })
      settings.fileSystem = desk.disk
      let id = freshID()
      var folder = SharedFolder(Desk.folder, list: list.id, replica: id, settings: settings)
      try folder.write(list)
      var reader = SharedFolder(Desk.folder, list: list.id, replica: freshID(), settings: settings)
      var copy = ReplicatedList(id: list.id)
      try reader.read(into: &copy, now: 0)
      try require(copy == list, "a folder does not hold what was put into it")
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("what is held cannot be written: \(error)")
    }
    var near = PlainSpeaker(list, as: freshID(), nonce: 1)
    var far = PlainSpeaker(ReplicatedList(id: list.id), as: freshID(), nonce: 2)
    var isMoving = true
    while isMoving {
      let (there, back) = (near.takeSent(), far.takeSent())
      far.receive(there)
      near.receive(back)
      isMoving = !there.isEmpty || !back.isEmpty
    }
    try require(far.list == list, "what is held cannot be synced")
  }

  /// Compacts a document.
  mutating func pack(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard var document = try open(desk, at: Desk.path(action.a), access: .exclusive) else {
      return false
    }
    do {
      try document.file.compact()
    } catch {
      throw Violation("\(document.path) cannot be compacted: \(error)")
    }
    desk.note(document.path, document: document.file.list.id, content: document.content)
    try checkKept(desk, before: before, at: document.path)
    return true
  }
}
