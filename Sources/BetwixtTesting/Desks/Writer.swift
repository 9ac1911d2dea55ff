import Betwixt
import BetwixtFiles

/// Who wrote in a document before something came from elsewhere, and what is there by that hand.
struct Writer {
  private let id: ReplicaID
  private let path: String
  private let content: NaiveList
  // The number of the last write.
  private let last: Int64

  /// `nil` if nobody wrote there.
  init?(_ document: borrowing OpenDocument) {
    guard let identity = document.file.identity else { return nil }
    id = identity.replica
    path = document.path
    content = document.content
    last = document.file.list.version[id]
  }

  /// Whether somebody else writes under the same id: a write came under a number that was not used
  /// here, or under one that was used here for another.
  ///
  /// - Parameters:
  ///   - other: What came.
  ///   - policy: What of it was let in.
  ///   - ofAll: Whether writes count that are less than what is here.
  /// - Returns: Whether the id must be given up.
  func isDoubted(
    by other: NaiveList, under policy: AdmissionPolicy, ofAll: Bool = true
  ) -> Bool {
    for item in other.items {
      for entry in item.entries where entry.dot.replica == id {
        guard policy.objection(to: entry) == nil else { continue }
        if entry.sequence > last { return true }
        guard ofAll, let mine = content[item.id, entry.register] else { continue }
        if mine.dot == entry.dot, mine != entry { return true }
      }
    }
    return false
  }

  func requireChange(to present: ReplicaID?) throws(Violation) {
    guard present == id else { return }
    throw Violation("\(path) goes on under \(id), under which somebody else writes")
  }
}
