/// What a register shows, and the write that this state goes by.
///
/// The value alone does not tell whether somebody has written since: two people tick the same box.
package struct RegisterState: Hashable, Sendable {
  /// What it shows; `nil` if it was never written.
  package let value: RegisterValue?

  /// The write that brought this state about first, whatever undo and redo wrote since to bring it
  /// back; `nil` for that of a register that was never written.
  package let root: Dot?

  static let unwritten = RegisterState(value: nil, root: nil)

  package init(value: RegisterValue?, root: Dot?) {
    self.value = value
    self.root = root
  }

  /// Whether a reader sees no difference.
  func looks(like other: RegisterState) -> Bool {
    switch (value, other.value) {
    case (.position, _), (_, .position), (.other, _), (_, .other): value == other.value
    default: isAlive == other.isAlive && field == other.field
    }
  }

  /// Whether this is the state that the other is: by the write, or by its key.
  ///
  /// A key belongs to one write, so it is its own name, on every device.
  func isSame(as other: RegisterState) -> Bool {
    if root == other.root { return true }
    guard case .position = value else { return false }
    return value == other.value
  }

  /// Of a life, whether the item is there.
  var isAlive: Bool {
    if case .life(let length) = value { length & 1 == 1 } else { false }
  }

  private var field: FieldValue? {
    if case .field(let value) = value { value } else { nil }
  }
}

/// Which writes stand for an older state: those that undo and redo made, and those that changed
/// nothing.
///
/// It is only ever asked about the write that a register shows, so an entry that was overwritten
/// does no harm.
package struct StandIns: Hashable, Sendable {
  private struct StandIn: Hashable, Sendable {
    let dot: Dot
    let root: Dot?
  }

  private var standIns: [RegisterAddress: StandIn] = [:]

  var count: Int { standIns.count }

  package mutating func note(_ dot: Dot, of address: RegisterAddress, standsFor root: Dot?) {
    standIns[address] = StandIn(dot: dot, root: root)
  }

  /// All of them, rising by item and register.
  package var rows: [(address: RegisterAddress, dot: Dot, root: Dot?)] {
    standIns.map { ($0.key, $0.value.dot, $0.value.root) }.sorted { left, right in
      left.0.item != right.0.item
        ? left.0.item < right.0.item : left.0.register < right.0.register
    }
  }

  /// The state of a register that shows a write.
  func state(of entry: Entry?) -> RegisterState {
    guard let entry else { return .unwritten }
    let address = RegisterAddress(entry.item, register: entry.register)
    guard let standIn = standIns[address], standIn.dot == entry.dot else {
      return RegisterState(value: entry.value, root: entry.dot)
    }
    return RegisterState(value: entry.value, root: standIn.root)
  }

  /// Takes what others have about a register.
  mutating func take(_ address: RegisterAddress, from others: StandIns) {
    if let standIn = others.standIns[address] { standIns[address] = standIn }
  }
}
