package import Betwixt
package import BetwixtFiles
import BetwixtSync

/// Keeps an editor in step with a shared folder without ever waiting for it.
///
/// Reading and writing the folder go on beside the editor. What they bring is asked for with
/// ``take(at:)``, and the document is the editor's own affair: it commits what was read, and has
/// what it wrote written.
package struct FolderFollower {
  /// What reading or writing came to.
  package enum Step: Sendable {
    /// The list with all that was read, and what there is to tell.
    case read(ReplicatedList, SharedFolder.Reading)
    /// What was written, of which list.
    case written(FolderExchange.Written, ReplicatedList)
    /// Another program wrote here under the same id; all is to be read first.
    case overtaken
    /// In words.
    case failed(String)
  }

  private struct Work: Sendable {
    var exchange: FolderExchange
    var step: Step
  }

  /// How long until a folder is looked at again in which nothing was new.
  private static let interval: Int64 = 1_000
  private static let shortestPause: Int64 = 2_000
  private static let longestPause: Int64 = 60_000
  /// When a folder counts as slow.
  private static let patience: Int64 = 3_000

  private var exchange: FolderExchange
  private var work: BackgroundWork<Work>?
  private var begun: Int64 = 0
  /// When to look at the folder, whether there is anything for it or not.
  private var next: Int64 = 0
  /// When to look at it at all.
  private var earliest: Int64 = 0
  private var pause = FolderFollower.shortestPause
  private var failure: String?
  /// Which files were not taken in, in words; `nil` if there are none.
  package private(set) var waiting: String?
  // What the folder holds all of.
  private var settled: ReplicatedList?

  /// Begins with nothing read.
  package init(_ exchange: FolderExchange) { self.exchange = exchange }

  package var root: String { exchange.root }

  /// Under whose id this writes.
  var writer: ReplicaID { exchange.replica }

  /// How often the document had gone back when this was begun.
  var goneBackCount: Int { exchange.goneBackCount }

  /// Whether it was begun before a document went back for the last time: what it has read may be in
  /// that no longer.
  func isBehind(_ document: borrowing Document) -> Bool {
    goneBackCount != document.goneBackCount
  }

  /// Whether something is being read or written.
  package var isBusy: Bool { work != nil }

  /// Whether the folder holds all that a list does.
  ///
  /// - Complexity: O(the pages that the two do not have in common), if the versions are equal
  package func holds(_ list: ReplicatedList) -> Bool {
    guard let settled else { return false }
    return settled.version == list.version && settled.floor == list.floor
      && settled.holdsSameEntries(as: list)
  }

  /// Why the folder and the list may differ; `nil` if nothing keeps them apart.
  package func trouble(at now: Int64) -> String? {
    if isBusy, now - begun >= FolderFollower.patience { return "\(root) is slow" }
    return failure
  }

  /// Whether nothing is under way, and no failure is to be waited for.
  func mayBegin(at now: Int64) -> Bool { !isBusy && now >= earliest }

  /// Whether it is time to read.
  package func isDue(_ list: ReplicatedList, at now: Int64) -> Bool {
    guard mayBegin(at: now) else { return false }
    return now >= next || settled?.version != list.version || settled?.floor != list.floor
  }

  /// What was done meanwhile, once.
  package mutating func take(at now: Int64) -> Step? {
    guard let done = work?.result else { return nil }
    work = nil
    exchange = done.exchange
    next = now + FolderFollower.interval
    switch done.step {
    case .failed(let text):
      failure = text
      earliest = now + pause
      pause = min(pause * 2, FolderFollower.longestPause)
    case .written(let written, let list):
      recover()
      if written.evidence == nil { settled = list }
    case .overtaken:
      next = now
    case .read(_, let reading):
      recover()
      let count = reading.withheld.count + reading.needsUpgrade.count + reading.stalled.count
      let files = ItineraryText.count(Int64(count), "file")
      let verb = count == 1 ? "waits" : "wait"
      waiting = count == 0 ? nil : "\(files) of \(root) \(verb); 'betwixt sync --folder' says why"
    }
    return done.step
  }

  private mutating func recover() {
    failure = nil
    pause = FolderFollower.shortestPause
  }

  /// Notes that what was read could not be taken in now.
  mutating func retry(at time: Int64) {
    settled = nil
    earliest = time
  }

  /// Begins anew in the directory of another writer.
  mutating func begin(with exchange: FolderExchange, at now: Int64) {
    self.exchange = exchange
    settled = nil
    next = now
  }

  /// Begins to read.
  package mutating func read(into list: ReplicatedList, at now: Int64) {
    start(now) { (exchange) throws(Document.Failure) in
      _ = try exchange.catchUp()
      var list = list
      let reading = try exchange.read(
        into: &list, admission: AdmissionPolicy(now: SystemCall.wallClockMilliseconds))
      return .read(list, reading)
    }
  }

  /// Begins to write a list that is on the drive.
  package mutating func write(_ list: ReplicatedList, at now: Int64) {
    start(now) { (exchange) throws(Document.Failure) in
      try exchange.catchUp() ? .overtaken : .written(try exchange.write(list), list)
    }
  }

  private mutating func start(
    _ now: Int64,
    _ body: @escaping @Sendable (inout FolderExchange) throws(Document.Failure) -> Step
  ) {
    begun = now
    let exchange = exchange
    work = BackgroundWork {
      var exchange = exchange
      let step: Step
      do throws(Document.Failure) {
        step = try exchange.locked(patience: 2_000, body)
      } catch {
        step = .failed(ToolFailure(error).sentence)
      }
      return Work(exchange: exchange, step: step)
    }
  }
}
