/// What one step changed, folded: for each register the state before it and the one after it.
package struct UndoStep: Hashable, Sendable {
  /// What the step changed in one register.
  package struct Change: Hashable, Sendable {
    package let register: Register
    package var before: RegisterState
    package var after: RegisterState
    /// Whether the last undo of the step wrote it, and so a redo may.
    package var isTakenBack: Bool

    package init(
      register: Register, before: RegisterState, after: RegisterState, isTakenBack: Bool = false
    ) {
      self.register = register
      self.before = before
      self.after = after
      self.isTakenBack = isTakenBack
    }
  }

  /// What the step changed in one item.
  package struct ItemChange: Hashable, Sendable {
    package let item: ItemID
    /// Rising by register.
    package var changes: [Change]
    /// Whether the step made the item: then it goes and comes back by its life alone.
    package var isNew = false
    /// If its life changed, all that the item held then: it comes back with this, and only what
    /// looks like this is removed without asking.
    package var whole: [Entry] = []

    /// The place among what it held.
    var position: RegisterValue? { whole.first { $0.register == .position }?.value }

    package init(item: ItemID, changes: [Change]) {
      self.item = item
      self.changes = changes
    }
  }

  package var label: UndoHistory.Step
  /// Rising by item; empty while they are kept apart.
  package var items: [ItemChange]
  /// Where the items are kept, if they are not here.
  package private(set) var apart: Key?

  package init(label: UndoHistory.Step, items: [ItemChange]) {
    self.label = label
    self.items = items
  }
}

// MARK: - Apart

extension UndoStep {
  /// The name of what a step holds, by which it is found again.
  package struct Key: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }
  }

  /// Where the items of steps are kept apart.
  package struct Store: Hashable, Sendable {
    /// Brings what was kept under a name; `nil` if it is gone or damaged.
    package let items: @Sendable (Key) -> [ItemChange]?

    package init(items: @escaping @Sendable (Key) -> [ItemChange]?) { self.items = items }

    /// Histories are equal wherever their steps are kept.
    package static func == (one: Store, other: Store) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
  }

  /// Makes a step whose items are kept apart.
  package init(label: UndoHistory.Step, apart key: Key) {
    self.init(label: label, items: [])
    apart = key
  }

  // The name of no content.
  private static let nowhere = Key(high: 0, low: 0)

  /// Makes a step of which nothing was kept.
  ///
  /// Whoever takes it back is told so and takes back nothing, neither this nor another one in its place.
  ///
  /// - Parameter number: Its number in its history.
  package init(unknown number: Int) {
    self.init(label: UndoHistory.Step(number: number, name: ""), apart: UndoStep.nowhere)
  }

  /// Whether nothing of it was kept.
  package var isUnknown: Bool { apart == UndoStep.nowhere }

  /// Brings the items that are kept apart.
  ///
  /// - Returns: Whether they are here.
  mutating func bring(from store: Store) -> Bool {
    guard let key = apart else { return true }
    guard let items = store.items(key) else { return false }
    self.items = items
    apart = nil
    return true
  }
}

extension UndoStep {
  /// Which way a step is taken.
  typealias Direction = UndoResult.Direction

  /// The state that a change is taken to.
  static func target(_ change: Change, direction: Direction) -> RegisterState {
    direction == .undo ? change.before : change.after
  }

  /// The state that a change is taken from.
  static func source(_ change: Change, direction: Direction) -> RegisterState {
    direction == .undo ? change.after : change.before
  }
}
