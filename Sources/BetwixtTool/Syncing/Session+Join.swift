import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Session {
  /// Brings two documents of this machine to one state.
  mutating func join(
    _ name: String, _ other: String, isMade: Bool, _ admission: AdmissionPolicy
  ) throws(ToolFailure) -> SyncOutcomeReport {
    var second = try openDocument(other, .shared, isWriting: false)
    if isMade { try makeDocument(name, second.file.list.id) }
    var first = try openDocument(name, .shared, isWriting: false)
    guard first.place.path != second.place.path else {
      throw ToolFailure(.badData, "Error: \(name) and \(other) are one and the same file")
    }
    guard first.file.list.id == second.file.list.id else {
      throw ToolFailure(.badData, "Error: \(name) and \(other) are different documents")
    }
    let losses = try losses(of: first, second)
    // Other programs may write meanwhile; what they wrote is taken along if it comes early enough.
    var notTaken: [NotTaken] = []
    for round in 0..<3 {
      let withheld = try [
        take(from: &second, into: &first, admission), take(from: &first, into: &second, admission),
      ]
      if round == 0 { notTaken = withheld.compactMap { $0 } }
      if first.file.list.digest == second.file.list.digest { break }
    }
    return SyncOutcomeReport(list: first.file.list, losses: losses, notTaken: notTaken)
  }

  /// Which edits of two documents lose when they are joined.
  private func losses(
    of first: borrowing OpenDocument, _ second: borrowing OpenDocument
  ) throws(ToolFailure) -> MergeReport {
    let copies = [
      TripFile(list: first.file.list, name: first.place.name),
      TripFile(list: second.file.list, name: second.place.name),
    ]
    do { return try TripMerge(copies).report } catch { throw ToolFailure(error) }
  }

  /// Takes one document's writes into another; what is not let in is told.
  private mutating func take(
    from giver: inout OpenDocument, into taker: inout OpenDocument, _ admission: AdmissionPolicy
  ) throws(ToolFailure) -> NotTaken? {
    try giver.makeDurable()
    let list = giver.file.list
    try rotate(&taker, onEvidenceIn: list)
    let admitted = admission.admit(list.delta(since: VersionVector()), to: taker.file.list)
    guard let first = admitted.withheld.first else {
      try taker.commit(list)
      return nil
    }
    do throws(DocumentFileFailure) {
      try taker.file.commit(admitted.delta)
    } catch {
      throw ToolFailure(taker.place.name, error)
    }
    return NotTaken(
      source: "not taken into \(taker.place.name)", writes: Array(admitted.withheld),
      isPostponed: first.isPostponed)
  }

  /// Takes a new identity if a list holds writes under the present one that are not from here.
  mutating func rotate(
    _ document: inout OpenDocument, onEvidenceIn list: ReplicatedList
  ) throws(ToolFailure) {
    guard let identity = document.identity else { return }
    let delta = list.delta(since: VersionVector())
    guard identity.evidence(in: delta, against: document.file.list) != nil else { return }
    do throws(DocumentFileFailure) {
      // Another program may have written it here meanwhile.
      try document.file.refresh()
    } catch {
      throw ToolFailure(document.place.name, error)
    }
    if let evidence = document.identity?.evidence(in: delta, against: document.file.list) {
      try rotate(&document, evidence)
    }
  }

  /// Takes a new identity and says so.
  mutating func rotate(
    _ document: inout OpenDocument, _ evidence: IdentityEvidence
  ) throws(ToolFailure) {
    do throws(IdentityStoreFailure) {
      let rotation = try document.file.identity?.rotate(evidence)
      if let rotation { report(rotation, of: document.place) }
    } catch {
      throw ToolFailure(document.place.name, error)
    }
  }

  /// Makes an empty document with an id, unless there is a file.
  mutating func makeDocument(_ name: String, _ id: ListID) throws(ToolFailure) {
    let place = try DocumentPlace(name)
    guard !place.exists else { return }
    do throws(DocumentFileFailure) {
      try DocumentFile.create(place.path, ReplicatedList(id: id), .ofTool(.exclusive)).close()
    } catch {
      // Another program was quicker.
      if error != .exists { throw ToolFailure(name, error) }
    }
  }
}
