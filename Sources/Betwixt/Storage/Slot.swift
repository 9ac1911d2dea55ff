/// Where this list keeps an item: a number given in order of arrival.
///
/// Slots are local to one list value and never reach state or bytes.
struct Slot: Hashable, Sendable {
  let rawValue: UInt32

  init(_ number: Int) { rawValue = UInt32(truncatingIfNeeded: number) }

  init(rawValue: UInt32) { self.rawValue = rawValue }

  var branch: Int { Int(rawValue >> 12) }
  var page: Int { Int(rawValue >> 6) & 63 }
  var place: Int { Int(rawValue) & 63 }

  /// Items per page, and pages per branch.
  static let fanOut = 64
}
