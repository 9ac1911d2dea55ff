/// Whose write a key is: the author and the counter of its last step.
///
/// They are the dot of the write that made the key, perhaps with a negative counter, or the id of
/// an imported item. A write that takes a move back has the key of an older one. Whoever stores a key beside that dot and id can leave them out: the *stem* of
/// a key is what stands before them, up to the last number. It needs no more than a form to become
/// the key again, because the bytes that name an author follow from the author and the steps above.
package struct SortKeyTie: Equatable, Sendable {
  /// The author of the last step.
  package let author: ReplicaID

  /// The counter of the last step.
  package let counter: Int64

  /// How many bytes the stem has.
  package let stemCount: Int

  init(_ step: SortKeyStep, in bytes: SortKeyBytes) {
    author = ReplicaID(rawValue: step.author)
    counter = SortKeyCounter.read(start: step.counterStart, end: step.end, in: bytes) ?? 0
    stemCount = step.numberEnd
  }

  /// How a tie is derived from the entry that the key belongs to.
  package enum Form: UInt8, Sendable {
    /// The dot of the entry.
    case dot = 0

    /// The dot of the entry with a negative counter.
    case negativeDot = 1

    /// The halves of the item's id.
    case item = 2

    /// Something else, which has to be said: the dot of an older write, whose key is there again.
    case written = 3

    /// The author and counter that the form stands for; `nil` if they have to be said.
    package func tie(dot: Dot, item: ItemID) -> (author: ReplicaID, counter: Int64)? {
      switch self {
      case .dot: (dot.replica, dot.sequence)
      case .negativeDot: (dot.replica, 0 &- dot.sequence)
      case .item: (ReplicaID(rawValue: item.high), Int64(bitPattern: item.low))
      case .written: nil
      }
    }

    /// The first form that stands for an author and a counter.
    package static func least(
      _ tie: (author: ReplicaID, counter: Int64), dot: Dot, item: ItemID
    ) -> Form {
      if tie.author == dot.replica {
        if tie.counter == dot.sequence { return .dot }
        if tie.counter == 0 &- dot.sequence { return .negativeDot }
      }
      if tie.author.rawValue == item.high, tie.counter == Int64(bitPattern: item.low) {
        return .item
      }
      return .written
    }
  }

  /// The first form that stands for this tie.
  package func form(dot: Dot, item: ItemID) -> Form {
    Form.least((author, counter), dot: dot, item: item)
  }
}

extension SortKey {
  /// Replaces `steps` by those of a valid key, and returns its tie.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  package static func readSteps(
    of key: Span<UInt8>, into steps: inout [SortKeyStep]
  ) -> SortKeyTie? {
    steps.removeAll(keepingCapacity: true)
    return SortKeyBytes.with(key) { bytes in
      var cursor = SortKeyCursor()
      while let step = cursor.next(in: bytes) { steps.append(step) }
      return steps.last.map { SortKeyTie($0, in: bytes) }
    }
  }

  /// Appends the key whose stem and tie are given; if there is none, `output` is left as it was.
  ///
  /// A stem makes a key with any tie unless its last step stands after a node: that one belongs to
  /// the node's author, and any other is refused as ``MalformedSortKey/Reason/badAuthor``.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  package static func append(
    stem: ArraySlice<UInt8>, author: ReplicaID, counter: Int64, to output: inout [UInt8]
  ) throws(MalformedSortKey) {
    let failure = SortKeyBytes.with(stem) { stem in
      SortKeyWriter.append(to: &output) { writer in
        write(stem, author: author.rawValue, counter: counter, to: &writer)
      }
    }
    if let failure { throw failure }
  }

  private static func write(
    _ stem: SortKeyBytes, author: UInt64, counter: Int64, to writer: inout SortKeyWriter
  ) -> MalformedSortKey? {
    var parser = SortKeyParser(stem)
    do throws(MalformedSortKey) {
      let zone = try parser.readStem()
      guard zone != .after || parser.author == author else {
        return MalformedSortKey(reason: .badAuthor, offset: stem.count)
      }
      writer.append(stem, prefix: stem.count)
      writer.appendAuthor(author, in: zone, of: parser.author)
      writer.appendCounter(counter)
      writer.append(SortKeyLink.end)
    } catch {
      return error
    }
    return writer.isTooLong ? MalformedSortKey(reason: .tooLong, offset: maximumByteCount) : nil
  }

  /// How many bytes the code of a counter has in a key, by its first two bytes.
  ///
  /// Of a code of one byte the second is any.
  package static func counterByteCount(_ first: UInt8, _ second: UInt8) -> Int {
    SortKeyCounter.length(first, second)
  }
}
