import Betwixt
import BetwixtDrag
import BetwixtFiles
import BetwixtTrips

/// A document on which is done what an editor asks for, each step on the drive before it is shown.
struct EditDesk: ~Copyable {
  /// How often somebody else's edits are looked for.
  static let pollInterval: Int64 = 500

  /// How long an edit waits for another program that writes the file.
  static let patience = 10_000

  var document: Document
  private var history = CommitHistory()
  /// Why the last step could not be kept.
  private var keepingTrouble: String?
  /// What is told when the screen is given back.
  private var untold: [Document.Notice] = []
  private var lastPoll: Int64 = 0
  // What opening the document found was told then.
  private let toldCount: Int

  /// Takes an open document.
  init(_ document: consuming Document) {
    toldCount = document.report.findings.count
    self.document = document
  }

  /// Tells what happened to the document while the screen was taken.
  mutating func tellRest(_ session: inout Session) {
    session.tell(untold + document.takeNotices(), of: document.name)
    session.warn(of: Array(document.report.findings.dropFirst(toldCount)), in: document.name)
    untold = []
  }

  /// Reads what other programs have written since.
  mutating func poll(for host: inout EditHost, now: Int64) {
    guard now - lastPoll >= EditDesk.pollInterval else { return }
    lastPoll = now
    // Looking for news must not stop the editor while another program writes.
    document.patience = 0
    defer { document.patience = EditDesk.patience }
    if let changes = try? document.refresh() { showNews(changes, in: &host, now: now) }
  }

  /// Shows what came from elsewhere, and says which edits lost by that.
  func showNews(_ changes: ListChanges, in host: inout EditHost, now: Int64) {
    let before = host.trip.list
    host.showNews(document.list, changes: changes, now: now)
    host.sayLosses(changes.losses(in: document.list, calledAsIn: [before]).lossLines)
  }

  /// Does what the engine has asked for.
  mutating func perform(for host: inout EditHost) {
    while !host.requests.isEmpty {
      let now = TerminalDevice.now
      switch host.requests.removeFirst() {
      case .commit(let id, let edits):
        let added = write(shownIn: &host) {
          (document, history, me) throws(TripFailure) -> ItemID? in
          try history.commit(
            id, edits: edits, in: &document, by: &me, at: .nowInSeconds)
        }
        if let added {
          host.send(.committed(id, added, at: now), now: now)
          sayTrouble(to: &host)
        } else {
          let reason = host.message
          host.send(.commitFailed(id, at: now), now: now)
          host.say("\(host.message) \(reason)")
        }
      case .set(let id, let name, let value): set(name, of: id, to: value, for: &host, now: now)
      case .turn(let turn):
        let report = write(shownIn: &host) {
          (document, history, me) throws(EditFailure) -> TurnReport in
          try history.turn(turn, in: &document, by: &me)
        }
        if let report {
          host.send(.turned(report, at: now), now: now)
          sayTrouble(to: &host)
        }
      }
    }
  }

  /// Writes a field, as a step that can be taken back.
  private mutating func set(
    _ name: FieldName, of id: ItemID, to value: FieldValue?, for host: inout EditHost,
    now: Int64
  ) {
    let title = document.list[id: id]?.summary ?? ""
    do throws(Document.EditFailed<EditFailure>) {
      let (_, changes) = try document.edit("Change \(title)") { (list, me) throws(EditFailure) in
        try list.set([(name, value)], of: id, by: &me)
      }
      keepingTrouble = takeTrouble()
      host.show(document.list, changes: changes, now: now)
      host.say("Changed the \(name.text) of \(title).")
      sayTrouble(to: &host)
    } catch {
      switch error {
      case .refused(let failure):
        host.say("Not written: \(ToolFailure(failure, of: document.name).sentence)")
      case .failed(let failure): host.say("Not written: \(ToolFailure(failure).sentence)")
      }
    }
  }

  /// Why steps of earlier or the one just made cannot be taken back, if that happened; what else
  /// there is to tell waits until the screen is given back.
  private mutating func takeTrouble() -> String? {
    let notices = document.takeNotices()
    untold += notices
    return notices.compactMap(\.trouble).last
  }

  /// Says why a step could not be kept, behind what was said of the step.
  private func sayTrouble(to host: inout EditHost) {
    if let keepingTrouble { host.say("\(host.message) \(keepingTrouble)") }
  }

  /// Edits the document under its lock; `nil` if that failed, with the reason on the screen.
  private mutating func write<Value, Failure: Error & CustomStringConvertible>(
    shownIn host: inout EditHost,
    _ body: (inout DragDocument, inout CommitHistory, inout Replica) throws(Failure) -> Value
  ) -> Value? {
    // What was not written is no step either. Steps are shared with the commands, which may have
    // made some and taken others since.
    var turned = history
    do throws(Document.EditFailed<Failure>) {
      let (value, changes) = try document.editWithSteps { (list, me, steps) throws(Failure) in
        var changed = DragDocument(list)
        turned = history
        turned.steps = steps
        let value = try body(&changed, &turned, &me)
        (list, steps) = (changed.list, turned.steps)
        return value
      }
      history = turned
      keepingTrouble = takeTrouble()
      host.show(document.list, changes: changes, now: TerminalDevice.now)
      return value
    } catch {
      switch error {
      case .refused(let failure): host.say("Not written: \(failure)")
      case .failed(let failure): host.say("Not written: \(ToolFailure(failure).sentence)")
      }
      return nil
    }
  }
}
