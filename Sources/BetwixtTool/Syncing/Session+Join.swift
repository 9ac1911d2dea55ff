import Betwixt
import BetwixtSync

extension Session {
  /// Brings two documents of this machine to one state.
  mutating func join(
    _ name: String, _ other: String, isMade: Bool
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
    // Other programs may write meanwhile; what they wrote is taken along if it comes early enough.
    for _ in 0..<3 {
      try take(from: &second, into: &first)
      try take(from: &first, into: &second)
      if first.file.list.digest == second.file.list.digest { break }
    }
    return SyncOutcomeReport(list: first.file.list)
  }

  private mutating func take(
    from giver: inout OpenDocument, into taker: inout OpenDocument
  ) throws(ToolFailure) {
    try giver.publish()
    let list = giver.file.list
    try rotate(&taker, onEvidenceIn: list)
    try taker.commit(list)
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
    if let evidence = identity.evidence(in: delta, against: document.file.list) {
      try rotate(&document, evidence)
    }
  }

  /// Takes a new identity and says so.
  mutating func rotate(
    _ document: inout OpenDocument, _ evidence: IdentityEvidence
  ) throws(ToolFailure) {
    do throws(IdentityStoreFailure) {
      let rotation = try document.identity?.rotate(evidence)
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
