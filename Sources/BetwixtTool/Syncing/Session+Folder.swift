import Betwixt
import BetwixtFiles
import BetwixtSync

extension Session {
  /// Takes in what a shared folder has, and puts into it what it lacks.
  ///
  /// The document is locked only for its commit: a slow folder keeps nobody from editing.
  mutating func sync(
    _ name: String, through root: String, isMade: Bool, _ admission: AdmissionPolicy
  ) throws(ToolFailure) -> SyncOutcomeReport {
    guard SystemCall.isFolder(root) else { throw Session.missingFolder(root) }
    if isMade, try !DocumentPlace(name).exists { try makeDocument(name, onlyDocument(in: root)) }
    var document = try openDocument(name, .shared, isWriting: true)
    let heads = headFile(of: document.place, document.file.list.id)
    let lock: OpenFile
    do {
      lock = try heads.lock(patience: 10_000)
    } catch {
      throw ToolFailure(
        .tryAgain, "Error: \(root): another program puts \(name) into it: \(error.sentence)")
    }
    defer { PosixFileSystem().close(lock) }
    // A rotation begins anew, in another directory of the folder. What shows one cannot show
    // another one for the new id.
    for _ in 0..<3 {
      if let outcome = try exchange(&document, in: root, heads, admission) { return outcome }
    }
    throw ToolFailure(
      .tryAgain, "Error: \(root): others write into the directory of \(name); try again")
  }

  static func missingFolder(_ root: String) -> ToolFailure {
    ToolFailure(.noInput, "Error: there is no folder \(root)")
  }

  /// Where it is kept how far this installation has written into folders.
  func headFile(
    of place: DocumentPlace, _ document: ListID
  ) -> FolderHeadFile {
    FolderHeadFile(stateFolder(of: place), document)
  }

  private func stateFolder(of place: DocumentPlace) -> String {
    place.stateFolder(in: environment.stateDirectory ?? ".")
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

  /// Reads, commits and writes, in this order.
  ///
  /// - Returns: What went to and fro; `nil` if another id was taken, and nothing was written.
  private mutating func exchange(
    _ document: inout OpenDocument, in root: String, _ heads: FolderHeadFile,
    _ admission: AdmissionPolicy
  ) throws(ToolFailure) -> SyncOutcomeReport? {
    let progress = progress()
    defer { progress?.finish() }
    // Another program may have taken a new id before the lock was held.
    try identify(&document.file, at: document.place, isMade: true)
    guard let writer = document.identity?.replica else {
      throw ToolFailure(.internalFault, "Error: \(document.place.name): nobody writes")
    }
    var exchange = FolderExchange(document.file.list.id, by: writer, in: root, heads)
    var list = document.file.list
    progress?.show("reading \(root)")
    let reading = try exchange.read(into: &list, admission)
    guard try take(list, reading.evidence, into: &document) else { return nil }
    progress?.show("writing to \(root)")
    let written = try exchange.write(document.file.list)
    if let evidence = written.evidence {
      try rotate(&document, evidence)
      return nil
    }
    let told = ToldFiles(stateFolder(of: document.place), document.file.list.id)
    for message in reading.messages(about: root, told) { report(message.printable + "\n") }
    var traffic = [
      ("filesRead", reading.newFiles, "files read"), ("filesWritten", written.fileCount, "written"),
    ]
    if written.removedCount > 0 {
      traffic.append(("filesRemoved", written.removedCount, "old ones removed"))
    }
    return SyncOutcomeReport(
      list: document.file.list, losses: reading.losses(in: document.file.list),
      notTaken: reading.notTaken, traffic: traffic)
  }

  /// Commits what was read from a folder, so that all may be written there.
  ///
  /// - Returns: Whether it was; if not, another id was taken, and all is to be read under that.
  mutating func take(
    _ list: ReplicatedList, _ evidence: IdentityEvidence?, into document: inout OpenDocument
  ) throws(ToolFailure) -> Bool {
    if let evidence {
      try rotate(&document, evidence)
      return false
    }
    let writer = document.identity?.replica
    try rotate(&document, onEvidenceIn: list)
    guard document.identity?.replica == writer else { return false }
    try document.commit(list)
    try document.makeDurable()
    // Another program may have taken a new id meanwhile.
    return document.identity?.replica == writer
  }
}
