import Betwixt
import BetwixtSync
internal import Synchronization

/// A document of a ``ServerFolder``: what is stored of it, in the journal or in its file.
final class ServedDocument {
  private let file: ServedFile

  private(set) var list: ReplicatedList
  /// Whose its replicas are.
  private(set) var owners: [ReplicaID: String]
  /// Whether nobody uses it any more, and it goes when it is written.
  var isClosing = false

  // What of them is in the journal only.
  private(set) var unwritten: [StoredWrite] = []
  /// Whether some of that came since the others were to be written.
  private(set) var hasNews = false

  private init(_ file: ServedFile, list: ReplicatedList, owners: [ReplicaID: String]) {
    self.file = file
    self.list = list
    self.owners = owners
  }

  /// Opens a document; makes it if there is none, and it may be made.
  static func open(
    at path: String, of id: ListID, settings: DocumentFile.Settings, mayBeMade: Bool,
    within budget: OpenFileBudget
  ) throws(DocumentFileFailure) -> ServedDocument {
    let owners = try OwnersFile(beside: path, in: settings.fileSystem).owners()
    let (file, list) = try ServedFile.open(
      at: path, of: id, settings: settings, mayBeMade: mayBeMade, within: budget)
    return ServedDocument(file, list: list, owners: owners)
  }

  /// Takes what the journal holds now.
  func take(_ write: StoredWrite) {
    // Nobody asks for its digest while it is served: what was merged is hashed when it is.
    list.merge(write.delta)
    unwritten.append(write)
    hasNews = true
    if let owner = write.owner { owners[owner.replica] = owner.principal }
  }

  /// Whether something of it is in the journal only.
  var isUnwritten: Bool { !unwritten.isEmpty }

  /// What is in the journal only, to be written somewhere else; from now on that counts as written,
  /// unless it comes back.
  func takeUnwritten() -> UnwrittenDocument? {
    guard isUnwritten else { return nil }
    defer { (unwritten, hasNews) = ([], false) }
    let hasNewOwners = unwritten.contains { $0.owner != nil }
    return UnwrittenDocument(
      file: file, list: list, owners: hasNewOwners ? owners : nil, writes: unwritten)
  }

  /// Takes back what could not be written.
  func putBack(_ document: UnwrittenDocument) { unwritten = document.writes + unwritten }
}

/// What of a document is to be brought into its own files, as it was at one time: who stores need not
/// wait until it is there.
struct UnwrittenDocument: Sendable {
  fileprivate let file: ServedFile
  fileprivate let list: ReplicatedList
  fileprivate let owners: [ReplicaID: String]?

  /// What of it is in the journal only.
  let writes: [StoredWrite]

  /// Brings it to the drive; one at a time for a document, and in order.
  func write() throws(DocumentFileFailure) {
    if let owners { try file.keep(owners) }
    try file.write(list)
  }
}

/// Several of them, for threads that write them: each waits for the drive, and a drive takes what
/// several ask for at once in little more time than that of one.
final class UnwrittenDocuments: Sendable {
  /// What has become of them.
  struct Outcome {
    /// Those that are on the drive, by their places.
    var written: Set<Int> = []
    /// Why one of the others is not.
    var failure: DocumentFileFailure?
    /// Whether the drive is full, so that none of the others was tried.
    var isFull = false
  }

  private struct State {
    var waiting: [(place: Int, document: UnwrittenDocument)]
    var outcome = Outcome()
  }

  private let state: Mutex<State>

  init(_ documents: [UnwrittenDocument]) {
    state = Mutex(
      State(waiting: documents.enumerated().reversed().map { (place: $0, document: $1) }))
  }

  /// What has become of them, when all threads have returned.
  var outcome: Outcome { state.withLock { $0.outcome } }

  /// Writes them, with others who do, until none is left or the drive is full, and lets each go: who is
  /// told the outcome may close a document and open it again, whatever a thread still holds.
  func write() {
    while let (place, document) = next() {
      do throws(DocumentFileFailure) {
        try document.write()
        state.withLock { _ = $0.outcome.written.insert(place) }
      } catch {
        let failure = error.named(document.file.path)
        state.withLock { state in
          state.outcome.failure = state.outcome.failure ?? failure
          if failure.isLackOfSpace { state.outcome.isFull = true }
        }
      }
    }
  }

  private func next() -> (place: Int, document: UnwrittenDocument)? {
    state.withLock { state in
      // One document that cannot be written keeps no other from being written.
      if state.outcome.isFull { state.waiting = [] }
      return state.waiting.popLast()
    }
  }
}

/// How many documents may keep their files open: each takes two of the files that a process may open.
final class OpenFileBudget: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  /// Whether one more may; it gives that back.
  func take() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }

  func giveBack() { left.withLock { $0 += 1 } }
}

/// The files of a document.
private final class ServedFile: Sendable {
  /// A file that stays open, and counts while it does.
  private struct Held: ~Copyable {
    var file: DocumentFile
    private let budget: OpenFileBudget

    /// Closes the file if too many are open.
    static func held(_ file: consuming DocumentFile, within budget: OpenFileBudget) -> Held? {
      budget.take() ? Held(file: file, budget: budget) : nil
    }

    private init(file: consuming DocumentFile, budget: OpenFileBudget) {
      self.file = file
      self.budget = budget
    }

    deinit { budget.giveBack() }
  }

  private struct Slot: ~Copyable {
    var held: Held?
    /// Whether the last write failed, and may have left something.
    var hasFailed = false
  }

  let path: String
  private let settings: DocumentFile.Settings
  private let budget: OpenFileBudget
  private let slot: Mutex<Slot>

  private init(
    _ path: String, settings: DocumentFile.Settings, file: consuming DocumentFile,
    within budget: OpenFileBudget
  ) {
    self.path = path
    self.settings = settings
    self.budget = budget
    slot = Mutex(Slot(held: Held.held(file, within: budget)))
  }

  static func open(
    at path: String, of id: ListID, settings: DocumentFile.Settings, mayBeMade: Bool,
    within budget: OpenFileBudget
  ) throws(DocumentFileFailure) -> (ServedFile, ReplicatedList) {
    let isThere = try attempt { () throws(FileSystemError) in
      try settings.fileSystem.status(at: path) != nil
    }
    // It is not as if there never was one.
    if !isThere, PreviousGeneration(beside: path, of: id, in: settings.fileSystem) != nil {
      throw .onlyEarlierGeneration
    }
    guard isThere || mayBeMade else { throw .notFound }
    let file =
      try isThere
      ? DocumentFile.open(at: path, settings: settings)
      : DocumentFile.create(at: path, holding: ReplicatedList(id: id), settings: settings)
    let list = file.list
    for case .needsUpgrade(let failure) in file.report.findings { throw .needsUpgrade(failure) }
    guard !file.isReadOnly, list.id == id else { throw .surprise }
    return (ServedFile(path, settings: settings, file: file, within: budget), list)
  }

  /// Brings a list to the drive; as a new file if there is none any more, as it is all that was there.
  func write(_ list: ReplicatedList) throws(DocumentFileFailure) {
    try slot.withLock { (slot) throws(DocumentFileFailure) in
      let hasFailed = slot.hasFailed
      slot.hasFailed = true
      let isThere = try attempt { () throws(FileSystemError) in
        try settings.fileSystem.status(at: path) != nil
      }
      if !isThere { slot.held = nil }
      // A handle that fails is let go: it tells nothing of what is on the drive.
      let held = slot.held.take()
      if var held {
        try ServedFile.commit(list, to: &held.file)
        slot.held = consume held
      } else {
        var settings = settings
        settings.looksForLeftovers = hasFailed
        var file =
          try isThere
          ? DocumentFile.open(at: path, settings: settings)
          : DocumentFile.create(at: path, holding: list, settings: settings)
        guard file.list.id == list.id else { throw .surprise }
        try ServedFile.commit(list, to: &file)
        slot.held = Held.held(file, within: budget)
      }
      slot.hasFailed = false
    }
  }

  private static func commit(
    _ list: ReplicatedList, to file: inout DocumentFile
  ) throws(DocumentFileFailure) {
    try file.commit(list)
    // What was read and not written may be in the memory of the system only.
    try file.makeDurable()
  }

  func keep(_ owners: [ReplicaID: String]) throws(DocumentFileFailure) {
    let file = OwnersFile(beside: path, in: settings.fileSystem)
    try attempt { () throws(FileSystemError) in try file.keep(owners, random: settings.random()) }
  }
}

/// Whose the replicas of a document are, beside its file.
struct OwnersFile {
  private let path: String
  private let fileSystem: any FileSystem

  private static let word = "betwixt-owners-1"
  private static let sizeLimit = 1 << 30

  init(beside document: String, in fileSystem: any FileSystem) {
    path = document + ".owners"
    self.fileSystem = fileSystem
  }

  /// - Throws: `unreadable` if it is damaged: a replica without its owner would become another's.
  func owners() throws(DocumentFileFailure) -> [ReplicaID: String] {
    let bytes: [UInt8]
    do {
      bytes = try fileSystem.contents(of: path, limit: OwnersFile.sizeLimit)
    } catch {
      guard error.reason == .notFound else { throw .fileSystem(error.at(path)) }
      return [:]
    }
    guard bytes.count > 9,
      Hex.encode(UInt64(CRC32C.checksum(bytes.dropLast(17)))).utf8
        .elementsEqual(bytes.suffix(17).dropLast())
    else { throw unreadable(.badChecksum, at: max(0, bytes.count - 17)) }
    var owners: [ReplicaID: String] = [:]
    let lines = String(decoding: bytes.dropLast(17), as: UTF8.self).split(separator: "\n")
    guard lines.first == OwnersFile.word[...] else {
      throw unreadable(.badMagic, at: 0)
    }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let replica = Hex.decodeUInt64(words[0].utf8),
        let name = Hex.decode(words[1].utf8)
      else { throw unreadable(.reserved, at: 0) }
      owners[ReplicaID(rawValue: replica)] = String(decoding: name, as: UTF8.self)
    }
    return owners
  }

  /// It is this file that nobody can read, and not the document beside it.
  private func unreadable(_ reason: DecodeFailure.Reason, at offset: Int) -> DocumentFileFailure {
    DocumentFileFailure.unreadable(DecodeFailure(reason, at: offset)).named(path)
  }

  /// Keeps all of them; they are on the drive when this returns.
  func keep(_ owners: [ReplicaID: String], random: UInt64) throws(FileSystemError) {
    var text = OwnersFile.word + "\n"
    for (replica, name) in owners.sorted(by: { $0.key < $1.key }) {
      text += "\(Hex.encode(replica.rawValue)) \(Hex.encode(Array(name.utf8)))\n"
    }
    let checked = Array(text.utf8)
    let checksum = Hex.encode(UInt64(CRC32C.checksum(checked[...])))
    try fileSystem.replace(
      path, with: checked + Array("\(checksum)\n".utf8),
      temporary: "\(path).tmp-\(Hex.encode(random))")
  }
}
