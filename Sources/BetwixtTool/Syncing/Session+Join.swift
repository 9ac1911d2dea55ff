import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Session {
  /// Brings two documents of this machine to one state.
  mutating func join(
    _ name: String, _ other: String, isMade: Bool, admission: AdmissionPolicy
  ) throws(ToolFailure) -> SyncOutcomeReport {
    var second = try openDocument(other, access: .shared, isWriting: false)
    if isMade { try makeDocument(name, of: second.id) }
    var first = try openDocument(name, access: .shared, isWriting: false)
    guard !first.path.hasSameBytes(as: second.path) else {
      throw ToolFailure(.badData, "Error: \(name) and \(other) are one and the same file")
    }
    guard first.id == second.id else {
      throw ToolFailure(.badData, "Error: \(name) and \(other) are different documents")
    }
    let (before, beforeThere) = (first.list, second.list)
    let exchange: Document.Exchange
    do {
      exchange = try first.sync(with: &second, admission: admission)
    } catch {
      tell(&first)
      tell(&second)
      let changes = (first.takeUntoldChanges(), second.takeUntoldChanges())
      let copies = [before, beforeThere]
      return SyncOutcomeReport(
        list: first.list, before: before,
        losses: losses(changes.0, of: first, with: second, calledAsIn: copies),
        lossesThere: (
          second.name, losses(changes.1, of: second, with: first, calledAsIn: copies)
        ),
        failure: ToolFailure(error))
    }
    tell(&first)
    tell(&second)
    let notTaken = [
      NotTaken(exchange.withheld, into: first.name, isOther: false),
      NotTaken(exchange.withheldThere, into: second.name, isOther: true),
    ]
    let copies = [before, beforeThere]
    return SyncOutcomeReport(
      list: first.list, before: before,
      losses: losses(exchange.changes, of: first, with: second, calledAsIn: copies),
      lossesThere: (
        second.name, losses(exchange.changesThere, of: second, with: first, calledAsIn: copies)
      ),
      notTaken: notTaken.compactMap { $0 })
  }

  /// Which edits lost in a document when it was joined with another one.
  private func losses(
    _ changes: ListChanges, of document: borrowing Document, with other: borrowing Document,
    calledAsIn copies: [ReplicatedList]
  ) -> MergeReport {
    changes.losses(
      in: document.list, here: document.name, there: other.name, calledAsIn: copies)
  }

  /// Makes an empty document with an id, unless there is a file.
  mutating func makeDocument(_ name: String, of id: ListID) throws(ToolFailure) {
    let place = try DocumentPlace(name)
    guard !place.exists else { return }
    do throws(Document.Failure) {
      try Document.create(
        at: name, settings: documentSettings(.exclusive), startingWith: ReplicatedList(id: id)
      ).close()
    } catch {
      // Another program was quicker.
      if error.cause != .file(.exists) { throw ToolFailure(error) }
    }
  }
}

extension NotTaken {
  /// Writes that a document did not let in; `nil` if it let all in.
  fileprivate init?(_ withheld: [WithheldWrite], into name: String, isOther: Bool) {
    guard let first = withheld.first else { return nil }
    self.init(
      source: "not taken into \(name)", writes: withheld, isPostponed: first.isPostponed,
      isOther: isOther)
  }
}
