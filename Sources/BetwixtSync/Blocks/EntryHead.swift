/// The byte that an entry begins with: its register, and what it shares with entries before it.
///
/// Each bit that can be set must be, so there is one head for an entry.
struct EntryHead {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The head of an entry of a register.
  @inline(__always)
  init(
    register code: Int, isLast: Bool, hasSameReplica: Bool, hasSameTime: Bool, isPlain: Bool
  ) {
    let code = UInt8(truncatingIfNeeded: Swift.min(code, EntryHead.longCode))
    let bits = (isLast ? 0x08 : 0) | (hasSameReplica ? 0x10 : 0) as UInt8
    rawValue = code | bits | (hasSameTime ? 0x20 : 0) | (isPlain ? 0x40 : 0)
  }

  /// From this register on the code is written behind the head, as a difference to this.
  static let longCode = 7

  /// The register's code, or ``longCode``.
  var code: Int { Int(rawValue & 0x07) }

  /// No entry of the same item follows.
  var isLast: Bool { rawValue & 0x08 != 0 }

  /// The replica is that of the entry before.
  var hasSameReplica: Bool { rawValue & 0x10 != 0 }

  /// The time is that of the entry before.
  var hasSameTime: Bool { rawValue & 0x20 != 0 }

  /// A position's section is that of the position before; a field's value is text that is not empty.
  var isPlain: Bool { rawValue & 0x40 != 0 }

  var hasReservedBits: Bool { rawValue & 0x80 != 0 }
}
