/// The byte that an entry begins with: its register, and what it shares with entries before it.
///
/// Each bit that can be set must be, so there is one head for an entry.
struct EntryHead {
  private(set) var rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The head of an entry of a register, all bits clear.
  init(register code: Int) { rawValue = UInt8(Swift.min(code, EntryHead.longCode)) }

  /// From this register on the code is written behind the head, as a difference to this.
  static let longCode = 7

  /// How many numbers of entries of one replica are kept to write the next as a difference to: one
  /// for each code that a head can have.
  static let codeCount = 8

  /// The register's code, or ``longCode``.
  var code: Int { Int(rawValue & 0x07) }

  /// No entry of the same item follows.
  var isLast: Bool {
    get { rawValue & 0x08 != 0 }
    set { set(0x08, isSet: newValue) }
  }

  /// The replica is that of the entry before.
  var hasSameReplica: Bool {
    get { rawValue & 0x10 != 0 }
    set { set(0x10, isSet: newValue) }
  }

  /// The time is that of the entry before.
  var hasSameTime: Bool {
    get { rawValue & 0x20 != 0 }
    set { set(0x20, isSet: newValue) }
  }

  /// A position's section is that of the position before; a field's value is text that is not empty.
  var isPlain: Bool {
    get { rawValue & 0x40 != 0 }
    set { set(0x40, isSet: newValue) }
  }

  var hasReservedBits: Bool { rawValue & 0x80 != 0 }

  private mutating func set(_ bit: UInt8, isSet: Bool) {
    if isSet { rawValue |= bit } else { rawValue &= ~bit }
  }
}
