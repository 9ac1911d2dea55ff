/// What a packed stem begins with: see "Byte format".
///
/// Most keys of a list that people edit begin with the number that a writer takes where nothing is
/// yet, and then a node of one of a few authors. That takes a few bits here instead of three bytes.
package struct PackedStemHead {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The head of a stem that follows in so many bytes.
  package init(_ form: SortKeyTie.Form, byteCount: Int) {
    rawValue = UInt64(byteCount) << 3 | UInt64(form.rawValue)
  }

  /// The head of a stem whose first step is a node with the ``openingNumber``.
  ///
  /// - Parameters:
  ///   - form: How the tie is derived.
  ///   - row: The row of the node's author; `nil` if its eight bytes follow.
  ///   - isAfter: Whether the next step stands after the node, and not before it.
  ///   - isShort: Whether the next step is left out, see ``isShort(counterCount:restCount:first:)``.
  package init(_ form: SortKeyTie.Form, nodeOf row: Int?, isAfter: Bool, isShort: Bool) {
    let bits: UInt64 = (isAfter ? 8 : 0) | (isShort ? 16 : 0)
    rawValue = UInt64((row ?? -1) + 1) << 5 | bits | 4 | UInt64(form.rawValue)
  }

  /// The number of the first key of a list, and of the first one before or after a node.
  package static let openingNumber: UInt8 = 0xc0

  /// Whether what follows the counter of a node is left out, in a stem that is no whole key.
  ///
  /// A counter of one byte makes it stay, so that no few bytes become a long key: memory is bounded
  /// by what was read.
  ///
  /// - Parameters:
  ///   - counterCount: How many bytes the counter of the node has.
  ///   - restCount: How many bytes there are behind the link.
  ///   - first: The first of those.
  /// - Returns: Whether the head alone tells the rest.
  package static func isShort(counterCount: Int, restCount: Int, first: UInt8) -> Bool {
    counterCount > 1 && restCount == 1 && first == openingNumber
  }

  /// How the tie of the key is derived.
  package var form: SortKeyTie.Form {
    switch rawValue & 3 {
    case 0: .dot
    case 1: .negativeDot
    case 2: .item
    default: .written
    }
  }

  /// The first step is a node that the head names: its counter follows, and then all behind the link.
  ///
  /// So it is for each key of two or more steps whose first one has the ``openingNumber``.
  package var isNode: Bool { rawValue & 4 != 0 }

  /// How many bytes the stem has, if it is no node's.
  package var byteCount: UInt64 { rawValue >> 3 }

  /// The link behind the node.
  package var link: UInt8 { rawValue & 8 == 0 ? SortKeyLink.before : SortKeyLink.after }

  /// Only the counter of the node follows.
  package var isShort: Bool { rawValue & 16 != 0 }

  /// Whether the node's author has a row; else its eight bytes follow.
  package var hasRow: Bool { rawValue >> 5 != 0 }

  /// The row of the node's author, if it has one.
  package var row: UInt64 { rawValue >> 5 - 1 }
}
