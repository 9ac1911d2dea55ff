/// A packed stem of at most eight bytes behind its head, as nearly all keys of a list have it.
///
/// It is found by a few looks at whole words, where a walk from step to step takes as long as all
/// else that is written of a move.
package struct ShortStem {
  /// What stands in front of the bytes.
  package let head: PackedStemHead

  /// Whether the count of the bytes stands between both.
  package let saysCount: Bool

  /// The bytes, the first one in the most significant byte; what is behind them means nothing.
  package let bytes: UInt64

  /// How many bytes there are.
  package let byteCount: Int

  /// The author of a node and its row: the next key of a list mostly begins with the same node.
  package struct Node {
    fileprivate let author: UInt64
    fileprivate let row: Int
  }
}

extension SortKey {
  /// The packed stem of a valid key if it is short: a number of one author, or one beside a node with
  /// the opening number.
  ///
  /// - Parameters:
  ///   - key: A valid key.
  ///   - names: The rows, which rise.
  ///   - node: The node that was found last among these rows, and then the one that the key has.
  ///   - dot: The dot of the entry.
  ///   - item: The item of the entry.
  /// - Returns: What ``withPackedStem(of:names:dot:item:_:)`` tells; `nil` if that is longer, if the
  ///   tie has to be said, or if an author has no row.
  /// - Complexity: O(1), and O(log *n*) among *n* names for another node
  package static func shortStem(
    of key: Span<UInt8>, names: [ReplicaID], node: inout ShortStem.Node?, dot: Dot, item: ItemID
  ) -> ShortStem? {
    SortKeyBytes.with(key) { key in
      let numberEnd = key.numberEnd(from: 0)
      let first = Tie(of: key, authorAt: numberEnd)
      if first.end == key.count - 1 {
        guard numberEnd <= 8, let form = first.form(in: key, dot, item) else { return nil }
        return ShortStem(
          head: PackedStemHead(form, byteCount: numberEnd), saysCount: false,
          bytes: key.word(at: 0), byteCount: numberEnd)
      }
      guard numberEnd == 1, key[0] == PackedStemHead.openingNumber,
        let row = row(of: first.author, among: names, node: &node)
      else { return nil }
      return nodeStem(of: key, behind: first, row: row, dot, item)
    }
  }

  /// The stem of a key of two steps: the counter of the node, and the number of the second step.
  @inline(__always)
  private static func nodeStem(
    of key: SortKeyBytes, behind node: Tie, row: Int, _ dot: Dot, _ item: ItemID
  ) -> ShortStem? {
    let start = node.end + 1
    let numberEnd = key.numberEnd(from: start)
    let counterCount = node.end - node.counterStart
    let count = counterCount + numberEnd - start
    guard count <= 8 else { return nil }
    let isAfter = key[node.end] == SortKeyLink.after
    let place = isAfter ? numberEnd : numberEnd + 1
    let isSame = isAfter || key[numberEnd] == SortKeyAuthor.same
    let last =
      isSame ? Tie(of: key, author: node.author, counterAt: place) : Tie(of: key, authorAt: place)
    // A key that goes on behind the second step is longer.
    guard last.end == key.count - 1, let form = last.form(in: key, dot, item) else { return nil }
    let isShort = PackedStemHead.isShort(
      counterCount: counterCount, restCount: numberEnd - start, first: key[start])
    let counterBits = UInt64(8 * counterCount)
    let counter = node.counterBytes & ~(UInt64.max &>> counterBits)
    return ShortStem(
      head: PackedStemHead(form, nodeOf: row, isAfter: isAfter, isShort: isShort),
      saysCount: !isShort, bytes: counter | key.word(at: start) &>> counterBits,
      byteCount: isShort ? counterCount : count)
  }

  @inline(__always)
  private static func row(
    of author: UInt64, among names: [ReplicaID], node: inout ShortStem.Node?
  ) -> Int? {
    if let node, node.author == author { return node.row }
    guard let row = names.row(of: author) else { return nil }
    node = ShortStem.Node(author: author, row: row)
    return row
  }
}

/// The author and the counter of a step of a valid key, by words.
private struct Tie {
  let author: UInt64
  let counterStart: Int
  /// The counter's bytes, and what is behind them.
  let counterBytes: UInt64
  /// The offset behind the counter.
  let end: Int

  @inline(__always)
  init(of key: SortKeyBytes, author: UInt64, counterAt start: Int) {
    self.author = author
    counterStart = start
    counterBytes = key.word(at: start)
    let first = UInt8(truncatingIfNeeded: counterBytes &>> 56)
    let second = UInt8(truncatingIfNeeded: counterBytes &>> 48)
    end = start + SortKeyCounter.length(first, second)
  }

  @inline(__always)
  init(of key: SortKeyBytes, authorAt start: Int) {
    self.init(of: key, author: key.bigEndian(at: start), counterAt: start + 8)
  }

  /// How the tie is derived; `nil` if it has to be said.
  @inline(__always)
  func form(in key: SortKeyBytes, _ dot: Dot, _ item: ItemID) -> SortKeyTie.Form? {
    let length = end - counterStart
    let inversion: UInt64 = counterBytes >> 63 == 0 ? .max : 0
    let bitCount = UInt64(length == 9 ? 63 : 7 * length - 1)
    let magnitude = (key.bigEndian(at: end - 8) ^ inversion) & (1 &<< bitCount - 1)
    let counter = Int64(bitPattern: magnitude ^ inversion)
    let form = SortKeyTie.Form.least(
      (author: ReplicaID(rawValue: author), counter: counter), dot: dot, item: item)
    return form.rawValue == SortKeyTie.Form.written.rawValue ? nil : form
  }
}

extension SortKeyBytes {
  /// The offset behind the number at an offset, if that has at most eight bytes; else one behind
  /// those.
  @inline(__always)
  fileprivate func numberEnd(from start: Int) -> Int {
    // All bytes of a number but the last are odd.
    let ends = ~word(at: start) & 0x0101_0101_0101_0101
    return start + ends.leadingZeroBitCount / 8 + 1
  }
}
