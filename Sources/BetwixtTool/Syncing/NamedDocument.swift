import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// Works on the document that the other side names in its greeting: opened then, or made.
struct NamedDocument: ~Copyable, SessionHost {
  /// The document, once the other side has named it; nobody writes in it here.
  private(set) var document: Document?

  /// Why there is none.
  private(set) var refusal: SyncFailure?

  /// What opening the document found.
  private(set) var messages: [String] = []

  private var lost = MergeLosses()
  private(set) var notTaken: [NotTaken] = []
  private let isMade: Bool
  private let settings: Document.Settings
  private let path: (ListID) -> String

  /// Takes the place of each document, and whether one that is missing is made.
  init(isMade: Bool, settings: Document.Settings, path: @escaping (ListID) -> String) {
    self.isMade = isMade
    self.settings = settings
    self.path = path
  }

  /// The list of the document, if it is open.
  var list: ReplicatedList? {
    switch document {
    case .some(let document): document.list
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
      if let changes = try document?.merge(delta) { lost.note(changes) }
      try document?.makeDurable()
      // What was acknowledged before is not there any more: the next session sees what is.
      return hasGoneBack ? .failed("\(DocumentFileFailure.surprise)") : .done()
    } catch {
      return .failed("\(error)")
    }
  }

  private var hasGoneBack: Bool {
    switch document {
    // It was opened for this session.
    case .some(let document): document.goneBackCount > 0
    case .none: false
    }
  }

  mutating func makeDurable(upTo sequence: Int64) -> SyncOutcome {
    do {
      try document?.makeDurable()
      return .done()
    } catch {
      return .failed("\(error)")
    }
  }

  mutating func note(_ event: SyncEvent) {
    notTaken += NotTaken.all(in: [event])
    guard case .greeted(let peer) = event else { return }
    let path = path(peer.list)
    do throws(Document.Failure) {
      let opened = try open(path, of: peer.list)
      for finding in opened.report.findings { messages.append("\(path): \(finding)\n") }
      guard !opened.report.hasDamage else {
        refusal = SyncFailure(
          .storage, "the document here was damaged and is repaired as far as it goes; run it again")
        return
      }
      guard opened.id != peer.list else {
        document = consume opened
        return
      }
      refusal = SyncFailure(.documentUnknown, "another document has its name")
      messages.append(
        "\(path): this is document \(opened.id), and \(peer.list) was asked for; move it away, or"
          + " give it its own name, \(opened.id).trip\n")
    } catch {
      // That it is not here is all there is to say; anything else is the affair of this side.
      guard error.cause != .file(.notFound) else { return }
      refusal = SyncFailure(.storage, error.word)
      messages.append("\(ToolFailure(error).text)\n")
    }
  }

  private func open(_ path: String, of id: ListID) throws(Document.Failure) -> Document {
    if isMade {
      return try Document.openOrCreate(
        at: path, settings: settings, startingWith: ReplicatedList(id: id))
    }
    // Opening makes a lock file, which is not for strangers to do.
    guard SystemCall.isThere(path) else { throw Document.Failure(path, cause: .file(.notFound)) }
    return try Document.open(at: path, settings: settings)
  }
}

extension Document.Failure {
  /// What went wrong in as few words as a peer needs.
  fileprivate var word: String {
    if case .file(let failure) = cause { "\(failure)" } else { "\(self)" }
  }
}
