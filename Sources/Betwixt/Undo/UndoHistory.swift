/// The steps of one person in one document, to be taken back and made again.
///
/// A step is what a closure writes. Undo takes back one's own steps only, the newest first, and
/// respects what others have written since: of an item that somebody else has changed nothing is
/// taken back, the other items of the step are, and the result says who was in the way.
///
///     var history = UndoHistory()
///     try history.record("Move Lunch", in: &list, by: &me) { list, me in
///       try list.move(lunch, toOffset: 0, by: &me)
///     }
///     if let result = try history.undo(in: &list, by: &me) {
///       print("Undone:", result.step.name, result.kept)
///     }
///     try history.redo(in: &list, by: &me)
///
/// # One history for a document and a device
/// A write of undo stands for the state that it brought back. All windows of a document on one
/// device share this knowledge, so they share the history; each has steps of its own, by number.
///
/// # What it asks of its user
/// Whatever this device writes in the document belongs into a step; what is written beside the
/// history counts as somebody else's. Nothing is merged within a step. If the replica's id changes
/// or the document is put back to an older copy, earlier steps find that others wrote, and are kept.
///
/// See <doc:UndoRules> for the rules.
public struct UndoHistory: Hashable, Sendable {
  /// Which step: its number in this history, which never comes again, and what it is called.
  public struct Step: Hashable, Sendable {
    /// Its number, rising.
    public let number: Int

    /// What the person would call it, such as "Move Lunch".
    public let name: String

    package init(number: Int, name: String) {
      self.number = number
      self.name = name
    }
  }

  /// The steps of one window.
  package struct Stack: Hashable, Sendable {
    /// Steps to take back, the newest last.
    package var undos: [UndoStep] = []
    /// Steps to make again, the next one last.
    package var redos: [UndoStep] = []
    /// What the last undo or redo kept, while it can be insisted on.
    package var kept: Pending?

    package init() {}
  }

  /// What was kept, and which registers of it were to be written.
  package struct Pending: Hashable, Sendable {
    package let direction: UndoResult.Direction
    package let changes: [ItemID: [Register]]

    package init(direction: UndoResult.Direction, changes: [ItemID: [Register]]) {
      self.direction = direction
      self.changes = changes
    }
  }

  /// How many steps are kept for each window.
  public let levels: Int

  package var stacks: [Int: Stack] = [:]
  package var standIns = StandIns()
  package var stepCount = 0
  /// Where large steps are kept apart, so that nobody pays for them who does not take them.
  package var store = UndoStep.Store { _ in nil }
  /// The newest step that could not be brought from there; it is gone, and so are those before it,
  /// unless nothing of it was ever kept.
  package var lostStep: UndoStep?
  var isRecording = false
  // From so many stand-ins on it is worth looking for those that no step needs.
  var sweepCount = UndoHistory.leastSweep

  static let leastSweep = 256

  /// Makes a history without steps.
  ///
  /// - Parameter levels: How many steps each window keeps, at least 1; the oldest goes.
  public init(levels: Int = 100) {
    self.levels = Swift.max(levels, 1)
  }

  /// The step that an undo would take back, unless nothing is left of it to take back.
  ///
  /// A message that offers to undo a step does so while this is that step.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: The newest step; `nil` if there is none.
  public func nextUndo(window: Int = 0) -> Step? { stacks[window]?.undos.last?.label }

  /// The step that a redo would make again, unless nothing is left of it to make.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: The step that was taken back last; `nil` if there is none.
  public func nextRedo(window: Int = 0) -> Step? { stacks[window]?.redos.last?.label }

  /// Which way the step was taken that kept what ``insist(in:by:window:)`` would take.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: The direction, right after an undo or redo that kept something; `nil` otherwise.
  public func keptDirection(window: Int = 0) -> UndoResult.Direction? {
    stacks[window]?.kept?.direction
  }

  /// The names of all steps that are kept apart.
  package var stepsApart: Set<UndoStep.Key> {
    var keys: Set<UndoStep.Key> = []
    for stack in stacks.values {
      for step in stack.undos + stack.redos {
        if let key = step.apart, !step.isUnknown { keys.insert(key) }
      }
    }
    return keys
  }

  /// Brings what all steps hold; a step that cannot be brought is lost with those before it.
  package mutating func bringAll() {
    for (window, stack) in stacks {
      var stack = stack
      stack.undos = bring(stack.undos)
      stack.redos = bring(stack.redos)
      stacks[window] = stack
    }
  }

  private mutating func bring(_ steps: [UndoStep]) -> [UndoStep] {
    var steps = steps
    for index in steps.indices.reversed()
    where !steps[index].isUnknown && !steps[index].bring(from: store) {
      // The newest of all windows, in whatever order they come.
      if lostStep?.label.number ?? .min < steps[index].label.number { lostStep = steps[index] }
      return Array(steps[(index + 1)...])
    }
    return steps
  }

  /// Forgets the steps of a window that was closed.
  public mutating func close(window: Int) {
    stacks[window] = nil
    sweep()
  }

  /// Forgets the stand-ins of registers that no step names, once there are many.
  ///
  /// What a step names that is kept apart is not known; while there is one, all stay.
  mutating func sweep() {
    guard standIns.count >= sweepCount, stepsApart.isEmpty else { return }
    var kept = StandIns()
    for stack in stacks.values {
      for step in stack.undos + stack.redos {
        for item in step.items {
          for change in item.changes {
            kept.take(RegisterAddress(item.item, register: change.register), from: standIns)
          }
        }
      }
    }
    standIns = kept
    sweepCount = Swift.max(UndoHistory.leastSweep, standIns.count * 2)
  }
}
