import Betwixt
import BetwixtFiles
import BetwixtSync

extension World {
  /// The desk of a device.
  func desk(of device: Device) -> Desk {
    if let desk = device.desk { return desk }
    let desk = Desk(device.number)
    device.desk = desk
    return desk
  }

  func fileSystem(_ desk: Desk) -> any FileSystem {
    simulation.fileSystem?(desk.disk) ?? desk.disk
  }

  func settings(
    _ desk: Desk, at path: String, access: DocumentFile.Access
  ) -> DocumentFile.Settings {
    var settings = Document.Settings(
      stateDirectory: Desk.stateRoot, clock: { 0 },
      random: { [random = desk.random] in random.next() })
    settings.file.fileSystem = fileSystem(desk)
    settings.file.access = access
    settings.file.lockWaitMilliseconds = 0
    // However small a document is: else none has an image here.
    settings.imageByteCount = 0
    settings = settings.keepingImage(of: path)
    if simulation.mistakes.contains(.believesAnyImage) {
      settings.file.snapshots = desk.staleSnapshots.cache(of: path)
    }
    if simulation.mistakes.contains(.hoardsImages) { settings.file.fileSystem = fileSystem(desk) }
    return settings.file
  }

  func store(_ desk: Desk, at path: String) -> FileIdentityStore {
    FileIdentityStore(
      Desk.state(of: path), machine: [desk.machine],
      fileSystem: settings(desk, at: path, access: .exclusive).fileSystem,
      random: { [random = desk.random] in random.next() })
  }

  /// Finds out who writes in a document here.
  func identify(
    _ desk: Desk, at path: String, file: inout DocumentFile
  ) throws(Violation) {
    do {
      if simulation.mistakes.contains(.stopsAtBadIdentity) {
        try refuseBadIdentity(desk, at: path, document: file.list.id)
      }
      try file.identify(
        in: store(desk, at: path), random: { [random = desk.random] in random.next() })
    } catch {
      throw Violation("the identity cannot be kept: \(error)")
    }
  }

  private func refuseBadIdentity(
    _ desk: Desk, at path: String, document: ListID
  ) throws(IdentityStoreFailure) {
    let name = "\(document).identity"
    let files = desk.disk.files(under: Desk.state(of: path))
    guard files.contains(where: { $0.path.hasSuffix(name) }),
      try store(desk, at: path).record(of: document) == nil
    else { return }
    throw IdentityStoreFailure(FileSystemError("read", because: .failed))
  }

  /// The path of the file itself, whatever symbolic links lead to it.
  func target(_ desk: Desk, at path: String) -> String? {
    simulation.mistakes.contains(.followsNoLinks) ? path : desk.disk.resolved(path)
  }

  /// What a program does before it opens a document, if it makes mistakes.
  private func blunder(_ desk: Desk, at path: String) {
    guard !simulation.mistakes.isEmpty else { return }
    let previous = path + ".previous"
    if simulation.mistakes.contains(.sweepsAnything) {
      for (file, _) in desk.disk.files(under: Desk.home) where file.hasPrefix(path + ".tmp-") {
        desk.disk.remove(file)
      }
    }
    guard let older = desk.record(at: previous) else { return }
    let present = desk.record(at: path)
    let isTaken =
      present == nil
      ? simulation.mistakes.contains(.revivesPrevious)
      : simulation.mistakes.contains(.believesAnyPrevious) && present?.document != older.document
    guard isTaken, let bytes = desk.disk.bytes(previous) else { return }
    let record = present.map { FileRecord(document: $0.document, size: 0, content: $0.content) }
    desk.put(
      path, bytes: bytes,
      record: record ?? FileRecord(document: older.document, size: 0, content: NaiveList()),
      keepsInode: false)
  }

  // MARK: Opening

  /// Opens a document as a command does that is about to write, and compares what it shows with what
  /// the file must hold.
  ///
  /// Where no file is, one is made; one that cannot be opened is salvaged first.
  ///
  /// - Returns: `nil` if the path leads nowhere.
  mutating func open(
    _ desk: Desk, at path: String, access: DocumentFile.Access = .shared,
    making document: ListID = World.listID
  ) throws(Violation) -> OpenDocument? {
    guard let path = target(desk, at: path) else { return nil }
    blunder(desk, at: path)
    guard desk.disk.inode(path) != nil else {
      return try make(desk, at: path, access: access, document: document)
    }
    // Before opening it, which may put another file in its place.
    let record = desk.record(at: path)
    var file: DocumentFile
    do {
      file = try DocumentFile.open(at: path, settings: settings(desk, at: path, access: access))
    } catch {
      guard let record, record.isDamaged, error.isAboutBytes else {
        throw Violation("\(path) cannot be opened: \(error)")
      }
      try salvage(desk, at: path, record: record)
      return try open(desk, at: path, access: access)
    }
    let content = try compare(path, record: record, list: file.list, report: file.report)
    // What is damaged, or cut by who was killed, is written anew, and the old file kept beside it.
    if record?.isDamaged ?? true || desk.record(at: path) == nil {
      desk.note(path, document: file.list.id, content: content)
    }
    try identify(desk, at: path, file: &file)
    return OpenDocument(path: path, file: file, content: content)
  }

  /// Makes a document where none is; no generation of another one may come back in its place.
  private mutating func make(
    _ desk: Desk, at path: String, access: DocumentFile.Access, document: ListID
  ) throws(Violation) -> OpenDocument {
    if desk.disk.bytes(path + ".previous") != nil {
      let isFound =
        (try? DocumentFile.open(at: path, settings: settings(desk, at: path, access: .exclusive))
          .close())
        != nil
      try require(!isFound, "\(path) is not there, and an older generation is brought back for it")
    }
    let list = ReplicatedList(id: document)
    do {
      var file = try DocumentFile.create(
        at: path, holding: list, settings: settings(desk, at: path, access: access))
      desk.note(path, document: document, content: NaiveList())
      try identify(desk, at: path, file: &file)
      return OpenDocument(path: path, file: file, content: NaiveList())
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("\(path) cannot be made: \(error)")
    }
  }

  /// What a list that was read holds, once it was compared with what the file must hold.
  ///
  /// `known` is what a program that has kept the file open knew before.
  func compare(
    _ path: String, record: FileRecord?, list: ReplicatedList, report: RecoveryReport,
    besides known: NaiveList? = nil
  ) throws(Violation) -> NaiveList {
    guard let record else {
      throw Violation("\(path) was opened, and is no document that anybody made")
    }
    let finding = report.findings.first(where: \.tellsOfDamage)
    if known == nil, !record.isDamaged, let finding {
      throw Violation("\(path) is whole, and is said to be damaged: \(finding)")
    }
    let isSound = report.findings.isEmpty || simulation.mistakes.contains(.hidesFindings)
    return try compare(path, record: record, list: list, isSound: isSound, besides: known)
  }

  func compare(
    _ path: String, record: FileRecord, list: ReplicatedList, isSound: Bool,
    besides known: NaiveList? = nil
  ) throws(Violation) -> NaiveList {
    try require(list.id == record.document, "\(path) shows another document: \(list.id)")
    if record.content.isHeld(exactlyBy: list) { return record.content }
    let shown = NaiveList(list)
    guard record.isDamaged else {
      let lack = record.content.firstLack(in: shown)
      throw Violation(
        lack.map { "\(path) lacks the acknowledged \($0.brief)" }
          ?? "\(path) holds what nobody wrote: \(record.content.firstExcess(of: shown))")
    }
    if let lack = record.floor.firstLack(in: shown) {
      throw Violation("\(path) is damaged elsewhere, and lacks the acknowledged \(lack.brief)")
    }
    if let lack = record.content.firstLack(in: shown) {
      try require(!isSound, "\(path) is shown as whole, and lacks \(lack.brief)")
    }
    for entry in shown.entries(since: record.content)
    where known?[entry.item, entry.register] != entry && !hasBeenWritten(entry, into: record) {
      throw Violation("\(path) is damaged, and shows what nobody wrote: \(entry)")
    }
    return shown
  }

  /// Whether this very entry was written into a file, or into another one, out of which what a
  /// damaged file lacks may be taken.
  private func hasBeenWritten(_ entry: Entry, into record: FileRecord) -> Bool {
    if record.hasHeld(entry) { return true }
    let desks = devices.compactMap(\.desk)
    return desks.contains { $0.records.values.contains { $0.hasHeld(entry) } }
      || shelf.contains { $0.record.hasHeld(entry) }
  }

  // MARK: Salvaging

  /// Sets a damaged file aside and makes a document of what can be recovered, as `doctor` does.
  private mutating func salvage(
    _ desk: Desk, at path: String, record: FileRecord
  ) throws(Violation) {
    let list = try salvaged(path, bytes: desk.disk.bytes(path) ?? [], record: record)
    let aside = desk.freshPath("aside")
    desk.disk.name(path, also: aside)
    desk.disk.remove(path)
    do {
      try DocumentFile.create(
        at: path, holding: list, settings: settings(desk, at: path, access: .exclusive), like: aside
      ).close()
    } catch {
      throw Violation("what was recovered cannot be written: \(error)")
    }
    desk.note(path, document: record.document, content: NaiveList(list))
  }

  /// What can be recovered of the bytes of a file, which must be all that its damage left.
  func salvaged(
    _ path: String, bytes: [UInt8], record: FileRecord
  ) throws(Violation) -> ReplicatedList {
    do {
      let examination = try DocumentExamination(bytes)
      let list = try mistaken(examination.list, of: record)
      _ = try compare(path, record: record, list: list, isSound: examination.isSound)
      return list
    } catch let error as Violation {
      throw error
    } catch {
      try require(
        record.floor.entryCount == 0,
        "nothing can be recovered of \(path): \(error), and \(record.floor.entryCount) entries are "
          + "undamaged")
      return ReplicatedList(id: record.document)
    }
  }
}

extension World {
  /// What a program makes of a damaged file that makes mistakes there.
  private func mistaken(
    _ list: ReplicatedList, of record: FileRecord
  ) throws(EditFailure) -> ReplicatedList {
    if simulation.mistakes.contains(.givesUpEarly), record.hasDamageBehindHeader {
      return ReplicatedList(id: list.id)
    }
    guard simulation.mistakes.contains(.believesDamage), record.isDamaged else { return list }
    var list = list
    var nobody = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    try list.set(DeskEdit.noteField, of: .root, to: .int64(-1), by: &nobody)
    return list
  }
}

extension DocumentFileFailure {
  /// Whether the bytes of the file are what is wrong.
  var isAboutBytes: Bool {
    switch self {
    case .unreadable, .needsUpgrade: true
    default: false
    }
  }
}

extension RecoveryReport.Finding {
  /// Whether it says that bytes of the file are damaged, of which a cut or a kept file is no sign.
  fileprivate var tellsOfDamage: Bool {
    switch self {
    case .damagedHeader, .damage, .missingCommits, .usedPrevious, .needsUpgrade: true
    case .tornTail, .usedOpen, .kept, .keptEarlier, .branch: false
    }
  }
}

extension NaiveList {
  /// What another model holds and this one does not, for a message.
  fileprivate func firstExcess(of other: NaiveList) -> String {
    other.firstLack(in: self).map(\.brief) ?? "nothing"
  }
}
