import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension EditSession {
  /// Takes in what a shared folder brings, and lets it have what is new here; never waits.
  mutating func follow(_ now: Int64) {
    guard folder != nil else { return }
    switch folder?.take(at: now) {
    case .read(let list, let reading): take(list, reading, now)
    case .written(let written, _):
      if let evidence = written.evidence { giveUpWriter(evidence, now) }
    case .overtaken, .failed, nil: break
    }
    host.folderTrouble = folder?.trouble(at: now)
    if let due = folder?.isDue(document.list, at: now), due {
      folder?.read(into: document.list, at: now)
    }
  }

  /// Commits and shows what was read, and has all that the folder lacks written.
  private mutating func take(
    _ list: ReplicatedList, _ reading: SharedFolder.Reading, _ now: Int64
  ) {
    let isKnown = reading.evidence == nil && list.digest == document.list.digest
    if isKnown, folder?.holds(list) == true { return }
    do throws(Document.Failure) {
      // Whoever else writes is not waited for: there is a next time.
      document.patience = 0
      defer { document.patience = EditSession.patience }
      // Another command may have taken a new id here.
      guard let changes = try document.take(list, evidence: reading.evidence),
        document.writer == folder?.writer
      else { return try beginAnew(now) }
      host.showNews(document.list, changes, now)
      host.sayLosses(reading.losses(in: document.list).lossLines)
      folder?.write(document.list, at: now)
    } catch {
      if error.cause != .file(.locked) { host.sayNews(ToolFailure(error).sentence) }
      folder?.retry(at: now + 1_000)
    }
  }

  private mutating func giveUpWriter(_ evidence: IdentityEvidence, _ now: Int64) {
    do throws(Document.Failure) {
      try document.takeNewWriter(evidence)
      try beginAnew(now)
    } catch {
      host.sayNews(ToolFailure(error).sentence)
      folder?.retry(at: now + 1_000)
    }
  }

  /// Goes on in the directory of the present writer.
  private mutating func beginAnew(_ now: Int64) throws(Document.Failure) {
    guard let root = folder?.root else { return }
    folder?.begin(with: try document.folderExchange(in: root), at: now)
  }
}
