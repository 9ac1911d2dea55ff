import Betwixt
import BetwixtFiles
import BetwixtSync

// A document and a shared folder, as `sync --folder` brings them together.

extension World {
  /// What is done with a folder after it was read.
  private enum Deed {
    /// All that is new goes in.
    case write
    /// All goes in as one file, in place of the own ones.
    case snapshot
    /// What is new goes in, and the files of somebody come out, by a number that chooses whose.
    case absorb(Int)
  }

  /// Takes in what the folder has, and puts into it what it lacks.
  mutating func share(_ action: Action, by device: Device) throws(Violation) -> Bool {
    try share(action, by: device, deed: action.b == 0 ? .snapshot : .write)
  }

  /// Somebody says that a device is gone, whether it is or not: its files come out of the folder.
  mutating func absorb(_ action: Action, by device: Device) throws(Violation) -> Bool {
    try share(action, by: device, deed: .absorb(action.b))
  }

  private mutating func share(
    _ action: Action, by device: Device, deed: Deed
  ) throws(Violation) -> Bool {
    let desk = desk(of: device)
    let before = desk.disk.inodes(in: Desk.home)
    guard var document = try open(desk, at: Desk.path(action.a)) else { return false }
    let held = folderContent(desk, document: document.file.list.id)
    let policy = policy(device)
    // What shows that another id is needed cannot show another one for the new id.
    for _ in 0..<4 {
      guard try exchange(&document, at: desk, policy: policy, deed: deed) else { continue }
      if simulation.mistakes.contains(.clearsFolder),
        let first = desk.disk.files(under: Desk.folder).first
      {
        desk.disk.remove(first.path)
      }
      let now = folderContent(desk, document: document.file.list.id)
      // What is ahead of the device's clock stays on it.
      var due = NaiveList()
      due.join(document.content, under: policy)
      let lack = held.firstLack(in: now) ?? due.firstLack(in: now)
      try require(
        lack == nil, "the folder lacks \(lack.map(\.brief) ?? "nothing") after a sync")
      try checkFolderClaims(document.file.list)
      try checkKept(desk, before: before, at: document.path)
      return true
    }
    throw Violation("a folder asks for a new id again and again")
  }

  /// - Returns: Whether it is done; if not, another id was taken.
  private mutating func exchange(
    _ document: inout OpenDocument, at desk: Desk, policy: AdmissionPolicy, deed: Deed
  ) throws(Violation) -> Bool {
    let id = document.file.list.id
    let headPath = Desk.state(of: document.path) + "/\(id).head"
    var folder = folder(
      desk, of: id, by: document.file.identity?.replica ?? ReplicaID(rawValue: 1),
      headPath: headPath)
    var list = document.file.list
    do {
      let reading = try folder.read(into: &list, now: 0, admission: policy)
      if let evidence = reading.evidence {
        try document.file.identity?.rotate(evidence)
        return false
      }
      if simulation.mistakes.contains(.believesEarly) { believeAll(&list, at: desk) }
      let delta = list.delta(since: VersionVector())
      if let evidence = document.file.identity?.evidence(in: delta, against: document.file.list) {
        try document.file.identity?.rotate(evidence)
        return false
      }
      let all = try readable(document, at: desk, policy: policy, list: list)
      try document.file.commit(list)
      try document.file.makeDurable()
      document.content = all
      desk.note(document.path, document: id, content: all)
      switch deed {
      case .write: try folder.write(document.file.list, admission: policy)
      case .snapshot:
        try folder.writeSnapshot(document.file.list)
        try folder.removeReplaced()
      case .absorb(let choice):
        try folder.write(document.file.list, admission: policy)
        try absorb(choice, from: &folder, holding: document.file.list, at: desk, policy: policy)
      }
    } catch SharedFolderFailure.identity(let evidence) {
      keep(folder.ownHead, at: headPath, desk: desk)
      do {
        try document.file.identity?.rotate(evidence)
      } catch {
        throw Violation("the identity cannot be kept: \(error)")
      }
      return false
    } catch let error as Violation {
      throw error
    } catch {
      throw Violation("\(document.path) cannot be synced through a folder: \(error)")
    }
    keep(folder.ownHead, at: headPath, desk: desk)
    return true
  }

  /// Takes the files of one of the others out of a folder.
  private func absorb(
    _ choice: Int, from folder: inout SharedFolder, holding list: ReplicatedList, at desk: Desk,
    policy: AdmissionPolicy
  ) throws(SharedFolderFailure) {
    let others = folder.writers.map(\.replica).filter { $0 != folder.replica }
    guard !others.isEmpty else { return }
    let gone = others[choice % others.count]
    let before = desk.disk.files(under: Desk.folder)
    if simulation.mistakes.isDisjoint(with: [.absorbsNothing, .absorbsLittle]) {
      try folder.absorb([gone], holding: list, admission: policy)
    } else {
      for (path, bytes) in before where path.contains("/\(gone)/") {
        // What was not let in was not read.
        let block = try? SealedBlock.decodeBlock(bytes)
        if block?.delta.entries.allSatisfy({ policy.objection(to: $0) == nil }) ?? false {
          desk.disk.remove(path)
        }
      }
    }
    if simulation.mistakes.contains(.absorbsLittle) {
      var copy = list
      try folder.read(into: &copy, now: 0)
      try folder.write(list)
    }
    for (path, bytes) in before where desk.disk.bytes(path) == nil { desk.takenOut[path] = bytes }
  }

  /// What a document holds that has read a folder: all of its files but those that wait as a whole,
  /// because they have writes that are not let in.
  private func readable(
    _ document: borrowing OpenDocument, at desk: Desk, policy: AdmissionPolicy,
    list: ReplicatedList
  ) throws(Violation) -> NaiveList {
    var least = document.content
    var isExact = true
    for block in blocks(desk, document: list.id) {
      if block.delta.entries.contains(where: { policy.objection(to: $0) != nil }) {
        isExact = false
      } else {
        for entry in block.delta.entries { least.join(entry) }
      }
    }
    if isExact {
      try require(
        least.isHeld(exactlyBy: list),
        "\(document.path) read a folder and lacks "
          + (least.firstLack(in: list).map(\.brief) ?? "nothing, but holds more"))
      return least
    }
    if let lack = least.firstLack(in: list) {
      throw Violation("\(document.path) read a folder and lacks \(lack.brief)")
    }
    // A file with such writes is read if they are here already.
    var most = document.content
    for block in blocks(desk, document: list.id) {
      for entry in block.delta.entries where policy.objection(to: entry) == nil {
        most.join(entry)
      }
    }
    let held = NaiveList(list)
    if let excess = held.firstLack(in: most) {
      throw Violation("\(document.path) took \(excess.brief) from a folder, which is not let in")
    }
    return held
  }

  private func folder(
    _ desk: Desk, of id: ListID, by replica: ReplicaID, headPath: String
  ) -> SharedFolder {
    var settings = SharedFolder.Settings(random: { [random = desk.random] in random.next() })
    settings.fileSystem = fileSystem(desk)
    if simulation.mistakes.contains(.clearsDoubles) {
      for (path, _) in desk.disk.files(under: Desk.folder) where path.hasSuffix(World.doubled) {
        desk.disk.remove(path)
        desk.disk.remove(String(path.dropLast(World.doubled.count)))
      }
    }
    return SharedFolder(
      Desk.folder, list: id, replica: replica, ownHead: head(headPath, of: replica, at: desk),
      settings: settings)
  }

  // As the library keeps it, which has the same document open.

  private func head(_ path: String, of replica: ReplicaID, at desk: Desk) -> FolderHeads.Head? {
    let text = desk.disk.bytes(path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 4, ReplicaID(String(words[1])) == replica, let ordinal = Int64(words[2]),
      let hash = Hex.decode(words[3].utf8)
    else { return nil }
    return FolderHeads.Head(directory: replica, ordinal: ordinal, hash: hash)
  }

  private func keep(_ head: FolderHeads.Head?, at path: String, desk: Desk) {
    guard let head else { return }
    let words = [
      "betwixt-head-1", "\(head.directory)", "\(head.ordinal)", Hex.encode(head.hash),
    ]
    desk.disk.put(path, bytes: Array((words.joined(separator: " ") + "\n").utf8))
  }

  /// All that stands in the whole files of a folder, read without the library's folder.
  func folderContent(_ desk: Desk, document: ListID) -> NaiveList {
    var content = NaiveList()
    for block in blocks(desk, document: document) {
      for entry in block.delta.entries { content.join(entry) }
    }
    return content
  }

  func blocks(_ desk: Desk, document: ListID) -> [Block] {
    blocks(on: desk.disk, document: document)
  }

  func blocks(on disk: SimulatedDisk, document: ListID) -> [Block] {
    disk.files(under: Desk.folder).compactMap { block(in: $0.bytes, document: document) }
  }

  /// The files of writers that were absorbed there.
  func blocksTakenOut(_ desk: Desk, document: ListID) -> [Block] {
    desk.takenOut.keys.sorted().compactMap { path in
      desk.takenOut[path].flatMap { block(in: $0, document: document) }
    }
  }

  private func block(in bytes: [UInt8], document: ListID) -> Block? {
    guard let block = try? SealedBlock.decodeBlock(bytes), block.list == document,
      block.heads != nil
    else { return nil }
    return block
  }

  private static let doubled = ".sync-conflict"

  /// A tool brings files of another desk's folder: whole, half, twice, under other names, or not; and
  /// takes away what was taken out there, or not.
  mutating func haul(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let other = devices[action.a % devices.count]
    guard canReach(device, other), let there = other.desk else { return false }
    let here = desk(of: device)
    let disk = here.disk
    var source = ChoiceSource(seed: UInt64(action.b))
    var isAny = false
    for (path, bytes) in there.disk.files(under: Desk.folder)
    where disk.bytes(path) != bytes && !path.hasSuffix(".half") {
      isAny = true
      // What was taken out here may come back, or go there too.
      if here.takenOut[path] == bytes, source.chance(2, in: 3) { continue }
      switch source.next(below: 8) {
      case 5: break
      case 6:
        disk.put(path + ".half", bytes: Array(bytes.prefix(source.next(below: bytes.count + 1))))
      case 7: disk.put(path + World.doubled, bytes: bytes)
      default: disk.put(path, bytes: bytes)
      }
    }
    return try takeOut(there.takenOut, as: there, from: disk, &source) || isAny
  }

  /// A tool takes away what was taken out elsewhere, or some of it: in the folders together is as much as
  /// before.
  private func takeOut(
    _ files: [String: [UInt8]], as there: Desk, from disk: SimulatedDisk,
    _ source: inout ChoiceSource
  ) throws(Violation) -> Bool {
    let paths = files.keys.sorted().filter { path in
      disk.bytes(path) == files[path] && there.disk.bytes(path) == nil && source.chance(2, in: 3)
    }
    guard !paths.isEmpty else { return false }
    let documents = [World.listID, World.otherListID]
    let before = documents.map { allFolders($0) }
    for path in paths { disk.remove(path) }
    // What a drive held that went back as a whole is gone, and the others do not know.
    guard !devices.contains(where: { $0.desk?.hasGoneBack ?? false }) else { return true }
    for (document, held) in zip(documents, before) {
      let lack = held.firstLack(in: allFolders(document))
      try require(
        lack == nil,
        "no folder holds \(lack.map(\.brief) ?? "nothing") since a writer was absorbed")
    }
    return true
  }

  private func allFolders(_ document: ListID) -> NaiveList {
    var content = NaiveList()
    for desk in devices.compactMap(\.desk) {
      content.join(folderContent(desk, document: document))
    }
    return content
  }
}
