import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Session {
  /// Takes in what a shared folder has, and puts into it what it lacks.
  mutating func sync(
    _ name: String, through root: String, isMade: Bool, admission: AdmissionPolicy,
    absorbing gone: Set<ReplicaID> = []
  ) throws(ToolFailure) -> SyncOutcomeReport {
    guard SystemCall.isFolder(root) else {
      throw ToolFailure(.noInput, "Error: there is no folder \(root)")
    }
    if isMade, try !DocumentPlace(name).exists {
      try makeDocument(name, of: onlyDocument(in: root))
    }
    var document = try openDocument(name, access: .shared, isWriting: true)
    let before = document.list
    let progress = progress()
    defer { progress?.finish() }
    progress?.show("reading and writing \(root)")
    let sync: Document.FolderSync
    do throws(ToolFailure) {
      sync = try using(&document) { (document) throws(Document.Failure) in
        try document.sync(folder: root, admission: admission, absorbing: gone)
      }
    } catch {
      return SyncOutcomeReport(failed: error, on: &document, before: before)
    }
    // What a quiet run does not say is not told yet.
    if let state = document.state, !isQuiet {
      let told = ToldFiles(state.folder, document: document.id)
      for message in sync.reading.messages(about: root, told: told) {
        report(message.printable + "\n")
      }
    }
    if !sync.reading.needsUpgrade.isEmpty {
      let files = ItineraryText.count(Int64(sync.reading.needsUpgrade.count), "file")
      warn("\(root.printable): not read, as only a newer version of betwixt can: \(files)\n")
    }
    if sync.unabsorbedCount > 0 {
      let files = ItineraryText.count(Int64(sync.unabsorbedCount), "file")
      warn("\(root.printable): not taken out, as not all that they hold could be read: \(files)\n")
    }
    var traffic = [
      ("filesRead", sync.reading.newFiles, "files read"),
      ("filesWritten", sync.writtenCount, "written"),
    ]
    if sync.removedCount > 0 {
      traffic.append(("filesRemoved", sync.removedCount, "old ones removed"))
    }
    if !gone.isEmpty {
      traffic.append(("filesAbsorbed", sync.absorbedCount, "files of others removed"))
    }
    return SyncOutcomeReport(
      list: document.list, before: before,
      losses: sync.changes.losses(in: document.list, calledAsIn: [before]),
      notTaken: sync.reading.notTaken + NotTaken.heldBack(sync.heldBack, from: root),
      unreadCount: sync.reading.needsUpgrade.count + sync.unabsorbedCount,
      traffic: traffic)
  }

  /// The document of which a folder holds files, if it is one.
  private func onlyDocument(in root: String) throws(ToolFailure) -> ListID {
    let names: [String]
    do {
      names = try PosixFileSystem().list("\(root)/betwixt-1")
    } catch {
      guard error.reason == .notFound else {
        throw ToolFailure(.noInput, "Error: cannot read \(root.printable): \(error.sentence)")
      }
      names = []
    }
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

extension SharedFolder.Reading {
  /// The files that wait because of what they hold.
  var notTaken: [NotTaken] {
    withheld.map { file in
      NotTaken(
        source: "not taken from \(file.path)", writes: [file.write],
        isPostponed: file.write.isPostponed)
    }
  }

  /// What there is to tell about files that are not whole.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - told: What was told before.
  /// - Returns: A sentence for each file.
  fileprivate func messages(about root: String, told: ToldFiles) -> [String] {
    told.news(pending, in: root).map {
      "\(root): \($0) is not whole yet; it is read when it is"
    }
  }
}

extension ListChanges {
  /// Which writes lost when other copies were merged into a document.
  func losses(
    in list: ReplicatedList, here: String = "this copy", there: String = "another copy",
    calledAsIn copies: [ReplicatedList]
  ) -> MergeReport {
    var losses = MergeLosses()
    losses.note(self)
    return MergeReport(losses, in: list, here: here, there: there, calledAsIn: copies)
  }
}
