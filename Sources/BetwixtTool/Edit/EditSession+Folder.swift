import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension EditSession {
  /// Takes in what a shared folder brings, and lets it have what is new here; never waits.
  mutating func follow(_ session: inout Session, _ now: Int64) {
    guard folder != nil else { return }
    switch folder?.take(at: now) {
    case .read(let list, let reading): take(list, reading, &session, now)
    case .written(let written, _):
      if let evidence = written.evidence { giveUpWriter(evidence, &session, now) }
    case .overtaken, .failed, nil: break
    }
    host.folderTrouble = folder?.trouble(at: now)
    if let due = folder?.isDue(host.trip.list, at: now), due {
      folder?.read(into: host.trip.list, at: now)
    }
  }

  /// Commits and shows what was read, and has all that the folder lacks written.
  private mutating func take(
    _ list: ReplicatedList, _ reading: SharedFolder.Reading, _ session: inout Session, _ now: Int64
  ) {
    let isKnown = reading.evidence == nil && list.digest == host.trip.list.digest
    if isKnown, folder?.holds(list) == true { return }
    do throws(ToolFailure) {
      // Whoever else writes is not waited for: there is a next time.
      var document = try session.openDocument(name, .exclusive, isWriting: true, patience: 0)
      guard try session.take(list, reading.evidence, into: &document) else {
        return beginAnew(document, session, now)
      }
      // Another command may have taken a new id here.
      guard document.identity?.replica == folder?.writer else {
        return beginAnew(document, session, now)
      }
      host.showNews(document.file.list, now)
      host.sayLosses(reading.losses(in: document.file.list).lossLines)
      folder?.write(document.file.list, at: now)
    } catch {
      if error.code != .tryAgain { host.sayNews(error.sentence) }
      folder?.retry(at: now + 1_000)
    }
  }

  private mutating func giveUpWriter(
    _ evidence: IdentityEvidence, _ session: inout Session, _ now: Int64
  ) {
    do throws(ToolFailure) {
      var document = try session.openDocument(name, .exclusive, isWriting: true)
      try session.rotate(&document, evidence)
      beginAnew(document, session, now)
    } catch {
      host.sayNews(error.sentence)
      folder?.retry(at: now + 1_000)
    }
  }

  /// Goes on in the directory of the present writer.
  private mutating func beginAnew(
    _ document: borrowing OpenDocument, _ session: Session, _ now: Int64
  ) {
    guard let writer = document.identity?.replica, let root = folder?.root else { return }
    let list = document.file.list.id
    let heads = session.headFile(of: document.place, list)
    folder?.begin(with: FolderExchange(list, by: writer, in: root, heads), at: now)
  }
}
