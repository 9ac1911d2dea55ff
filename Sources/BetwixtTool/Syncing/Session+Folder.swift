import Betwixt
import BetwixtSync

extension Session {
  /// Takes in what a shared folder has, and puts into it what it lacks.
  ///
  /// The document is locked meanwhile: two runs at once would both write the same next file.
  mutating func sync(
    _ name: String, through root: String, isMade: Bool
  ) throws(ToolFailure) -> SyncOutcomeReport {
    guard SystemCall.isFolder(root) else {
      throw ToolFailure(.noInput, "Error: there is no folder \(root)")
    }
    if isMade, try !DocumentPlace(name).exists { try makeDocument(name, onlyDocument(in: root)) }
    var document = try openDocument(name, .exclusive, isWriting: true)
    // A rotation begins anew, in another directory of the folder. What shows one cannot show
    // another one for the new id.
    for _ in 0..<3 {
      var attempt = FolderAttempt(self, root, document)
      let evidence = try attempt.run(&document)
      for message in attempt.messages { report(message) }
      guard let evidence else {
        return SyncOutcomeReport(list: document.file.list, traffic: attempt.traffic)
      }
      try rotate(&document, evidence)
    }
    throw ToolFailure(
      .tryAgain, "Error: \(root): others write into the directory of \(name); try again")
  }

  /// The document of which a folder holds files, if it is one.
  private func onlyDocument(in root: String) throws(ToolFailure) -> ListID {
    let names = (try? PosixFileSystem().list("\(root)/betwixt-1")) ?? []
    let ids = names.compactMap { ListID($0) }
    if let id = ids.first, ids.count == 1 { return id }
    guard !ids.isEmpty else {
      throw ToolFailure(.noInput, "Error: \(root) holds no document to make a copy of")
    }
    throw ToolFailure(
      .negative,
      """
      Error: \(root) holds \(ids.count) documents: \
      \(ids.map(\.description).joined(separator: ", ")); choose one with \
      'betwixt new --id ID FILE'
      """)
  }
}

/// One reading and writing of a shared folder under one id.
private struct FolderAttempt {
  private let root: String
  private let heads: FolderHeadFile
  private let progress: Progress?
  private var folder: SharedFolder

  /// What there is to tell.
  private(set) var messages: [String] = []

  /// What went to and fro.
  private(set) var traffic: [(name: String, count: Int, words: String)] = []

  init(_ session: borrowing Session, _ root: String, _ document: borrowing OpenDocument) {
    self.root = root
    progress = session.progress()
    let list = document.file.list.id
    let state = session.environment.stateDirectory ?? "."
    heads = FolderHeadFile(document.place.stateFolder(in: state), list, root)
    let replica = document.identity?.replica ?? ReplicaID(rawValue: 0)
    folder = SharedFolder(
      root, list: list, replica: replica, ownHead: heads.head(of: replica),
      SharedFolder.Settings(random: SystemCall.randomBits))
  }

  /// Reads, commits, publishes and writes, in this order.
  ///
  /// - Returns: What shows that another id is needed; then nothing was written to the folder.
  mutating func run(_ document: inout OpenDocument) throws(ToolFailure) -> IdentityEvidence? {
    defer { progress?.finish() }
    var list = document.file.list
    do {
      if let evidence = try read(into: &list, document) { return evidence }
      try document.commit(list)
      try document.publish()
      try write(document.file.list)
      return nil
    } catch let failure as ToolFailure {
      throw failure
    } catch SharedFolderFailure.identity(let evidence) {
      return evidence
    } catch let failure as SharedFolderFailure {
      throw ToolFailure(root, failure)
    } catch {
      throw ToolFailure(.internalFault, "Error: \(error)")
    }
  }

  private mutating func read(
    into list: inout ReplicatedList, _ document: borrowing OpenDocument
  ) throws(SharedFolderFailure) -> IdentityEvidence? {
    progress?.show("reading \(root)")
    let reading = try folder.read(into: &list, now: PipeDriver.now())
    if let evidence = reading.evidence { return evidence }
    let all = list.delta(since: VersionVector())
    if let evidence = document.identity?.evidence(in: all, against: document.file.list) {
      return evidence
    }
    // What is known from earlier runs is read again, and is no news.
    traffic.append(("filesRead", reading.newFiles, "files read"))
    if !reading.pending.isEmpty {
      messages.append(
        "\(root): \(reading.pending.count) files are not whole yet; they are read when they are\n")
    }
    if !reading.needsUpgrade.isEmpty {
      messages.append(
        """
        \(root): \(reading.needsUpgrade.count) files are by a newer version of betwixt and \
        were not read

        """)
    }
    return nil
  }

  private mutating func write(_ list: ReplicatedList) throws {
    progress?.show("writing to \(root)")
    let before = folder.ownHead
    let result = Result {
      try folder.write(list)
      if folder.isSnapshotDue { try folder.writeSnapshot(list) }
    }
    // However it ended: the files that were written are known to be from here.
    if let head = folder.ownHead, head != before { try heads.keep(head) }
    try result.get()
    let count = (folder.ownHead?.ordinal ?? 0) - (before?.ordinal ?? 0)
    let removed = try folder.removeReplaced(now: SystemCall.wallClockMilliseconds)
    traffic.append(("filesWritten", Int(clamping: count), "written"))
    if removed > 0 { traffic.append(("filesRemoved", removed, "old ones removed")) }
  }
}

extension ToolFailure {
  /// A shared folder that could not be used.
  fileprivate init(_ root: String, _ failure: SharedFolderFailure) {
    switch failure {
    case .identity(let evidence): self.init(.tryAgain, "Error: \(root): \(evidence.sentence)")
    case .tooLarge: self.init(.badData, "Error: \(root): the document is too large for a folder")
    case .notVerified:
      self.init(.inputOutput, "Error: \(root): what was written there reads differently")
    case .fileSystem(let error): self.init(.inputOutput, "Error: \(root): \(error.sentence)")
    }
  }
}
