import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension EditSession {
  /// Takes in what a shared folder brings, and lets it have what is new here; never waits.
  mutating func follow(_ now: Int64) {
    guard folder != nil else { return }
    switch folder?.take(at: now) {
    case .read(let list, let reading): take(list, reading: reading, now: now)
    case .written(let written, _):
      if let evidence = written.evidence { giveUpWriter(evidence, now: now) }
    case .overtaken, .failed, nil: break
    }
    if let folder, folder.mayBegin(at: now), folder.isBehind(desk.document) {
      orRetry(now) { (session) throws(Document.Failure) in try session.beginAnew(now) }
    }
    host.folderTrouble = folder?.trouble(at: now) ?? folder?.waiting
    if let due = folder?.isDue(desk.document.list, at: now), due {
      folder?.read(into: desk.document.heldList, at: now)
    }
  }

  /// Commits and shows what was read, and has all that the folder lacks written.
  private mutating func take(
    _ list: ReplicatedList, reading: SharedFolder.Reading, now: Int64
  ) {
    guard let folder else { return }
    let isKnown = reading.evidence == nil && list.holdsSameEntries(as: desk.document.list)
    if isKnown, folder.holds(list) { return }
    do throws(Document.Failure) {
      // Whoever else writes is not waited for: there is a next time.
      desk.document.patience = 0
      defer { desk.document.patience = EditDesk.patience }
      // Another command may have taken a new id here.
      let changes = try desk.document.take(list, reading: reading, of: folder.goneBackCount)
      guard let changes else { return try beginAnew(now) }
      desk.showNews(changes, in: &host, now: now)
      guard desk.document.writer == folder.writer else { return try beginAnew(now) }
      self.folder?.write(desk.document.list, at: now)
    } catch {
      if error.cause != .file(.locked) { host.sayNews(ToolFailure(error).sentence) }
      self.folder?.retry(at: now + 1_000)
    }
  }

  private mutating func giveUpWriter(_ evidence: IdentityEvidence, now: Int64) {
    orRetry(now) { (session) throws(Document.Failure) in
      try session.desk.document.takeNewWriter(evidence)
      try session.beginAnew(now)
    }
  }

  /// Does something, or says why it failed and lets the folder wait.
  private mutating func orRetry(
    _ now: Int64, _ body: (inout EditSession) throws(Document.Failure) -> Void
  ) {
    do throws(Document.Failure) {
      try body(&self)
    } catch {
      host.sayNews(ToolFailure(error).sentence)
      folder?.retry(at: now + 1_000)
    }
  }

  /// Goes on in the directory of the present writer.
  private mutating func beginAnew(_ now: Int64) throws(Document.Failure) {
    guard let root = folder?.root else { return }
    folder?.begin(with: try desk.document.folderExchange(in: root), at: now)
  }
}
