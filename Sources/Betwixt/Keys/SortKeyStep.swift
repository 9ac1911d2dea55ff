// key    = number replica counter (AFTER number counter | BEFORE number author counter)* END
// author = 00 (the author of the step above) | 01 replica

/// The byte after a step: the zone before its node, the node itself, the zone after it.
package enum SortKeyLink {
  package static let before: UInt8 = 0
  package static let end: UInt8 = 1
  package static let after: UInt8 = 2
}

/// The byte that begins the author of a step before a node.
package enum SortKeyAuthor {
  package static let same: UInt8 = 0
  package static let other: UInt8 = 1
}

/// Where a step stands.
package enum SortKeyZone {
  /// At the top of the path, open to everyone.
  case top

  /// Before the node of the step above, open to everyone.
  case before

  /// After the node of the step above, private to the author of that step.
  case after
}

/// One step of a key: a number, its author and a counter of that author.
package struct SortKeyStep {
  package let zone: SortKeyZone
  package let author: UInt64

  /// The offset of the number in the key.
  package let start: Int

  /// The offset behind the number.
  package let numberEnd: Int

  /// The offset of the counter.
  package let counterStart: Int

  /// The offset behind the counter, where the next link is.
  package let end: Int
}

/// A place behind a step of a valid key, or at its start, from which the next step is read.
struct SortKeyCursor {
  /// How many bytes are read.
  private(set) var offset = 0

  /// The author of the step read last.
  private(set) var author: UInt64 = 0

  /// Reads the next step with the link before it; `nil` where the key ends.
  @inline(__always)
  mutating func next(in bytes: SortKeyBytes) -> SortKeyStep? {
    // Bytes that are no key end here at the latest, because each step takes some.
    guard offset < bytes.count else { return nil }
    var zone = SortKeyZone.top
    if offset > 0 {
      let link = bytes[offset]
      if link == SortKeyLink.end { return nil }
      zone = link == SortKeyLink.after ? .after : .before
      offset += 1
    }
    let start = offset
    while bytes[offset] & 1 == 1 { offset += 1 }
    offset += 1
    let numberEnd = offset
    if zone == .before {
      offset += 1
      if bytes[numberEnd] == SortKeyAuthor.other { readReplica(bytes) }
    } else if zone == .top {
      readReplica(bytes)
    }
    let counterStart = offset
    offset += SortKeyCounter.length(at: offset, in: bytes)
    return SortKeyStep(
      zone: zone, author: author, start: start, numberEnd: numberEnd, counterStart: counterStart,
      end: offset)
  }

  private mutating func readReplica(_ bytes: SortKeyBytes) {
    author = bytes.bigEndian(at: offset)
    offset += 8
  }
}
