import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// Works on the document that the other side names in its greeting: opened then, or made.
struct NamedDocument: ~Copyable, SessionHost {
  /// The document, once the other side has named it.
  private(set) var file: DocumentFile?

  /// Why there is none.
  private(set) var refusal: SyncFailure?

  /// What opening the document found.
  private(set) var messages: [String] = []

  private var lost = MergeLosses()
  private(set) var notTaken: [NotTaken] = []
  private let isMade: Bool
  private let path: (ListID) -> String

  /// Takes the place of each document, and whether one that is missing is made.
  init(isMade: Bool, path: @escaping (ListID) -> String) {
    self.isMade = isMade
    self.path = path
  }

  /// The list of the document, if it is open.
  var list: ReplicatedList? {
    switch file {
    case .some(let file): file.list
    case .none: nil
    }
  }

  /// Which writes lost when those of the other side were merged.
  var losses: MergeReport {
    MergeReport(
      lost, in: list ?? ReplicatedList(id: ListID(high: 0, low: 0)), here: "this copy",
      there: "the other copy")
  }

  mutating func merge(_ delta: Delta) -> SyncOutcome {
    do {
      if let changes = try file?.commit(delta) { lost.note(changes) }
      try file?.makeDurable()
      // What was acknowledged before is not there any more: the next session sees what is.
      return hasGoneBack ? .failed("\(DocumentFileFailure.surprise)") : .done()
    } catch {
      return .failed("\(error)")
    }
  }

  private var hasGoneBack: Bool {
    switch file {
    case .some(let file): file.hasGoneBack
    case .none: false
    }
  }

  mutating func makeDurable(upTo sequence: Int64) -> SyncOutcome {
    do {
      try file?.makeDurable()
      return .done()
    } catch {
      return .failed("\(error)")
    }
  }

  mutating func note(_ event: SyncEvent) {
    notTaken += NotTaken.all(in: [event])
    guard case .greeted(let peer) = event else { return }
    let path = path(peer.list)
    do throws(DocumentFileFailure) {
      let opened = try open(path, peer.list)
      for finding in opened.report.findings { messages.append("\(path): \(finding)\n") }
      guard !opened.report.hasDamage else {
        refusal = SyncFailure(
          .storage, "the document here was damaged and is repaired as far as it goes; run it again")
        return
      }
      guard opened.list.id != peer.list else {
        file = consume opened
        return
      }
      refusal = SyncFailure(.documentUnknown, "another document has its name")
    } catch {
      // That it is not here is all there is to say; anything else is the affair of this side.
      guard error != .notFound else { return }
      refusal = SyncFailure(.storage, "\(error)")
      messages.append("\(ToolFailure(path, error).text)\n")
    }
  }

  private func open(
    _ path: String, _ id: ListID
  ) throws(DocumentFileFailure) -> DocumentFile {
    // Opening makes a lock file, which is not for strangers to do.
    guard isMade || SystemCall.isThere(path) else { throw .notFound }
    do {
      return try DocumentFile.open(path, .ofTool(.shared))
    } catch {
      guard error == .notFound, isMade else { throw error }
    }
    do {
      return try DocumentFile.create(path, ReplicatedList(id: id), .ofTool(.shared))
    } catch {
      // Another process was quicker.
      guard error == .exists else { throw error }
      return try DocumentFile.open(path, .ofTool(.shared))
    }
  }
}
