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
  }

  private var acts: [Act] = []

  /// Notes what an act wrote, over what was there before.
  mutating func note(_ label: String?, at path: String, writes: [Entry]) {
    if !writes.isEmpty { acts.append(Act(path: path, label: label, writes: writes)) }
  }

  /// The act whose step is called so.
  func act(called label: String) -> Act? { acts.last { $0.label == label } }

  /// An act that was done at a path behind another one, and shows in what a document holds there.
  func act(behind label: String, at path: String, showingIn content: NaiveList) -> Act? {
    guard let place = acts.lastIndex(where: { $0.label == label }) else { return nil }
    return acts[(place + 1)...].last { act in
      act.path == path && !act.isTakenBack
        && act.writes.contains { write in
          // What is written in an item that somebody has removed since is nothing to take back.
          content[write.item, write.register] == write
            && (write.register == .life || content[write.item]?.isAlive == true)
        }
    }
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

  /// Notes that whoever works at a path was told that acts cannot be taken back, or has no steps left.
  mutating func tell(at path: String) { acts.removeAll { $0.path == path } }

  /// Notes that what is kept about who writes was damaged: what no step names may be anybody's now.
  mutating func forgetActsWithoutSteps() { acts.removeAll { $0.label == nil } }

  /// Notes that what is kept beside the documents is as it was once: of ids that were unknown then
  /// nobody can tell whose they are.
  mutating func goBack(to earlier: ActShadow) {
    let known = Set(earlier.acts.flatMap(\.writes).map(\.dot.replica))
    acts.removeAll { act in !act.writes.contains { known.contains($0.dot.replica) } }
  }
}
