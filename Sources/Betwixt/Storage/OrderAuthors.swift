/// The authors whose names take one byte in the code of a place.
///
/// Keys begin with a short number and the eight bytes of an author, and most authors of a list are a
/// few: without this a prefix would tell neighbours by nothing but the author that they share. Which
/// authors are short is known to one list value only and never reaches state or bytes.
struct OrderAuthors: Equatable, Sendable {
  /// In rising order, at most ``limit``.
  let names: [UInt64]

  /// As many as a byte can tell apart, with those between any two of them: 2 x 127 + 1 codes.
  static let limit = 127

  init() { names = [] }

  /// Takes the first replicas, at most ``limit``.
  init(_ replicas: some Sequence<ReplicaID>) {
    names = replicas.prefix(OrderAuthors.limit).map { $0.rawValue }.sorted()
  }

  /// What stands for an author: an odd byte for one of the short names; else an even one for where
  /// among those it stands, and then the name.
  struct Code {
    let byte: UInt8
    let name: UInt64?
  }

  /// The code of an author; codes order as the names do.
  ///
  /// - Complexity: O(log *s*) for *s* short names
  @inline(__always)
  func code(of author: UInt64) -> Code {
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < author { low = middle + 1 } else { high = middle }
    }
    let isShort = low < names.count && names[low] == author
    let rank = UInt8(truncatingIfNeeded: low) &* 2
    return Code(byte: isShort ? rank + 1 : rank, name: isShort ? nil : author)
  }

  /// What stands for the author that was asked for last, which most keys have in common.
  struct Recent {
    private let authors: OrderAuthors
    private var author: UInt64
    private var code: Code

    init(_ authors: OrderAuthors) {
      self.authors = authors
      author = authors.names.first ?? 0
      code = Code(byte: authors.names.isEmpty ? 0 : 1, name: authors.names.isEmpty ? 0 : nil)
    }

    /// The code of an author.
    @inline(__always)
    mutating func code(of author: UInt64) -> Code {
      if author != self.author { (self.author, code) = (author, authors.code(of: author)) }
      return code
    }
  }
}
