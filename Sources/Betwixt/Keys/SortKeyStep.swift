// key    = number replica counter (AFTER number counter | BEFORE number author counter)* END
// author = 00 (the author of the step above) | 01 replica

/// The byte after a step: the zone before its node, the node itself, the zone after it.
enum SortKeyLink {
  static let before: UInt8 = 0
  static let end: UInt8 = 1
  static let after: UInt8 = 2
}

/// The byte that begins the author of a step before a node.
enum SortKeyAuthor {
  static let same: UInt8 = 0
  static let other: UInt8 = 1
}

/// One step of a key: a number, its author and a counter of that author.
///
/// Offsets count from the first byte of the key.
struct SortKeyStep {
  /// The link that leads to the step; `nil` at the top.
  let zone: UInt8?

  let number: SortKeyNumber
  let author: UInt64
  let counter: Int64

  /// The offset of the counter.
  let counterStart: Int

  /// The offset behind the counter, where the next link is.
  let end: Int
}
