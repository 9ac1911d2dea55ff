import Betwixt

/// What somebody did in the documents of a desk, in order.
///
/// It answers one question: does taking back ever reach behind a later act that still shows, without a
/// word? It knows nothing of how steps are kept, only which writes an act made.
struct ActShadow {
  struct Act {
    let path: String
    /// What its step is called; `nil` if the program that did it keeps none.
    let label: String?
    var writes: [Entry]
    var isTakenBack = false
    /// Whether its step is surely kept: nothing has happened since that could take it away.
    var isSure = true

    /// Whether there is something to take back in what a document holds.
    func shows(in content: NaiveList) -> Bool {
      guard !isTakenBack else { return false }
      return writes.contains { write in
        // What is written in an item that somebody has removed since is nothing to take back.
        content[write.item, write.register] == write
          && (write.register == .life || content[write.item]?.isAlive == true)
      }
    }
  }

  private var acts: [Act] = []

  /// How often something was done at a path that leaves no step, and was not told of yet.
  private var untoldCounts: [String: Int] = [:]

  /// The same of what may be anywhere by now.
  private var untoldCount = 0

  /// Whether anything has happened that could take steps away.
  private(set) var hasDoubts = false

  /// Notes what an act wrote, over what was there before.
  mutating func note(_ label: String?, at path: String, writes: [Entry]) {
    guard !writes.isEmpty else { return }
    acts.append(Act(path: path, label: label, writes: writes))
    if label == nil { untoldCounts[path, default: 0] += 1 }
  }

  /// The act whose step is called so.
  func act(called label: String) -> Act? { acts.last { $0.label == label } }

  /// An act that was done at a path behind another one, and shows in what a document holds there.
  func act(behind label: String, at path: String, showingIn content: NaiveList) -> Act? {
    guard let place = acts.lastIndex(where: { $0.label == label }) else { return nil }
    return acts[(place + 1)...].last { $0.path == path && $0.shows(in: content) }
  }

  mutating func takeBack(_ label: String) {
    guard let place = acts.lastIndex(where: { $0.label == label }) else { return }
    acts[place].isTakenBack = true
  }

  /// Notes that an act was done again, behind all others.
  mutating func makeAgain(_ label: String, writes: [Entry]) {
    guard let place = acts.lastIndex(where: { $0.label == label }) else { return }
    var act = acts.remove(at: place)
    act.isTakenBack = false
    act.writes = writes
    acts.append(act)
  }

  /// An act at a path whose step is surely kept, and that shows.
  func sureAct(at path: String, showingIn content: NaiveList) -> Act? {
    acts.last { $0.path == path && $0.label != nil && $0.isSure && $0.shows(in: content) }
  }

  // MARK: What takes steps away

  /// Notes that something has happened after which steps may be gone, or others there; what was done at
  /// a path may have another one.
  mutating func doubt() {
    untoldCount += 1 + untoldCounts.values.reduce(0, +)
    untoldCounts = [:]
    hasDoubts = true
    for place in acts.indices { acts[place].isSure = false }
  }

  /// Notes that whoever works at a path was told that nothing is known of the last act.
  ///
  /// Those before it come next.
  ///
  /// - Returns: Whether there was a reason.
  mutating func tell(at path: String) -> Bool {
    while let place = acts.lastIndex(where: { $0.path == path && !$0.isTakenBack }),
      acts[place].label == nil || !acts[place].isSure
    { acts.remove(at: place) }
    if let count = untoldCounts[path], count > 0 {
      untoldCounts[path] = count - 1
      return true
    }
    guard untoldCount > 0 else { return false }
    untoldCount -= 1
    return true
  }

  /// Notes that there are no steps left at a path.
  mutating func forgetActs(at path: String) {
    acts.removeAll { $0.path == path }
    untoldCounts[path] = nil
  }

  /// Notes that what is kept about who writes was damaged: what no step names may be anybody's now.
  mutating func forgetActsWithoutSteps() { acts.removeAll { $0.label == nil } }

  /// Notes that what is kept beside the documents is as it was once: of ids that were unknown then
  /// nobody can tell whose they are.
  mutating func goBack(to earlier: ActShadow) {
    let known = Set(earlier.acts.flatMap(\.writes).map(\.dot.replica))
    acts.removeAll { act in !act.writes.contains { known.contains($0.dot.replica) } }
  }

  /// Notes that the documents are as they were once, and so is what is kept beside them.
  ///
  /// Nobody knows any more what was done since: wherever it comes from, it is somebody else's.
  mutating func forgetActs(since earlier: ActShadow) {
    acts.removeAll { act in !earlier.acts.contains { $0.writes == act.writes } }
  }
}
