import Betwixt

/// The stem of a sort key with rows of the block's names in place of the replicas' eight bytes.
///
/// A key between two others names the author of one of them, so in a list that one replica began
/// nearly every key names that replica.
///
/// Of a key whose last author and counter its entry does not tell, all but the end is packed: it is
/// *whole*.
enum PackedStem {
  // What stands for an author: 0 the one above, 1 eight bytes that follow, 2 and up a row.
  private static let sameCode: UInt64 = 0
  private static let longCode: UInt64 = 1
  private static let firstRow: UInt64 = 2

  /// Appends the stem of a valid key, whose steps these are, or the whole key, behind its head.
  static func append(
    _ steps: [SortKeyStep], of key: Span<UInt8>, form: SortKeyTie.Form, in names: inout BlockNames,
    to output: inout [UInt8]
  ) {
    let isWhole = form == .written
    var packed: [UInt8] = []
    guard steps.count > 1, steps[0].numberEnd == 1, key[0] == PackedStemHead.openingNumber else {
      append(steps[...], of: key, isWhole: isWhole, in: &names, to: &packed)
      output.appendVarint(PackedStemHead(form, byteCount: packed.count).rawValue)
      output.append(contentsOf: packed)
      return
    }
    let author = ReplicaID(rawValue: steps[0].author)
    let row = names.row(of: author)
    if row == nil {
      packed.appendBigEndian(author.rawValue)
      names.learn(author)
    }
    packed.append(key.extracting(steps[0].counterStart..<steps[0].end))
    let restStart = packed.count
    append(steps[1...], of: key, isWhole: isWhole, in: &names, to: &packed)
    let isShort =
      !isWhole
      && PackedStemHead.isShort(
        counterCount: steps[0].end - steps[0].counterStart, restCount: packed.count - restStart,
        first: packed[restStart])
    if isShort { packed.removeLast() }
    let head = PackedStemHead(
      form, nodeOf: row, isAfter: steps[1].zone == .after, isShort: isShort)
    output.appendVarint(head.rawValue)
    if !isShort { output.appendVarint(packed.count) }
    output.append(contentsOf: packed)
  }

  private static func append(
    _ steps: ArraySlice<SortKeyStep>, of key: Span<UInt8>, isWhole: Bool,
    in names: inout BlockNames, to output: inout [UInt8]
  ) {
    for index in steps.indices {
      if index > steps.startIndex {
        append(authorOf: steps[index - 1], of: key, in: &names, to: &output)
        // The counter and the link behind it.
        output.append(key.extracting(steps[index - 1].counterStart..<steps[index].start))
      }
      output.append(key.extracting(steps[index].start..<steps[index].numberEnd))
    }
    guard isWhole, let last = steps.last else { return }
    append(authorOf: last, of: key, in: &names, to: &output)
    output.append(key.extracting(last.counterStart..<last.end))
  }

  private static func append(
    authorOf step: SortKeyStep, of key: Span<UInt8>, in names: inout BlockNames,
    to output: inout [UInt8]
  ) {
    if step.zone == .after { return }
    if step.zone == .before, key[step.numberEnd] == SortKeyAuthor.same {
      output.appendVarint(sameCode)
      return
    }
    let author = ReplicaID(rawValue: step.author)
    if let row = names.row(of: author) {
      output.appendVarint(UInt64(row) + firstRow)
    } else {
      output.appendVarint(longCode)
      output.appendBigEndian(step.author)
      names.learn(author)
    }
  }

  /// Passes over what belongs to a head, and returns how many bytes that is.
  static func skip(
    _ head: PackedStemHead, from reader: inout Reader
  ) throws(DecodeFailure) -> Int {
    let offset = reader.offset
    if head.isNode, head.isShort {
      guard head.form != .written else { throw reader.failure(.badKey, at: offset) }
      let start = head.hasRow ? 0 : 8
      let count = start + SortKey.counterByteCount(reader.peek(start), reader.peek(start + 1))
      try reader.skip(count)
      return count
    }
    let count = head.isNode ? try reader.varint() : head.byteCount
    guard count <= UInt64(SortKey.maximumByteCount) else {
      throw reader.failure(.tooLong, at: offset)
    }
    try reader.skip(Int(truncatingIfNeeded: count))
    return Int(truncatingIfNeeded: count)
  }

  /// Reads a stem, or a whole key, that ends with the input; whether it is one is left to who makes
  /// a key of it.
  static func read(
    _ head: PackedStemHead, from reader: inout Reader, in names: inout BlockNames,
    into stem: inout [UInt8]
  ) throws(DecodeFailure) {
    let zone = head.isNode ? try readNode(head, from: &reader, in: &names, into: &stem) : .top
    if head.isNode, head.isShort {
      stem.append(PackedStemHead.openingNumber)
      return try reader.finish()
    }
    try readSteps(
      from: zone, isWhole: head.form == .written, from: &reader, in: &names, into: &stem)
  }

  /// Reads the node that a head names, and returns the zone that the next step stands in.
  private static func readNode(
    _ head: PackedStemHead, from reader: inout Reader, in names: inout BlockNames,
    into stem: inout [UInt8]
  ) throws(DecodeFailure) -> SortKeyZone {
    let origin = reader.offset
    stem.append(PackedStemHead.openingNumber)
    if !head.hasRow {
      stem.appendBigEndian(try readNewName(from: &reader, in: &names))
    } else if head.row < UInt64(names.count) {
      stem.appendBigEndian(names[Int(truncatingIfNeeded: head.row)].rawValue)
    } else {
      throw reader.failure(.badIndex, at: origin)
    }
    let start = reader.offset
    try readCounter(from: &reader, into: &stem)
    let counterCount = reader.offset - start
    let couldBeShort =
      head.form != .written
      && PackedStemHead.isShort(
        counterCount: counterCount, restCount: reader.remaining, first: reader.peek(0))
    guard head.isShort ? counterCount > 1 : !couldBeShort else {
      throw reader.failure(.badKey, at: origin)
    }
    stem.append(head.link)
    return head.link == SortKeyLink.before ? .before : .after
  }

  private static func readSteps(
    from start: SortKeyZone, isWhole: Bool, from reader: inout Reader, in names: inout BlockNames,
    into stem: inout [UInt8]
  ) throws(DecodeFailure) {
    var zone = start
    while true {
      var digit: UInt8
      repeat {
        digit = try reader.byte()
        stem.append(digit)
      } while digit & 1 == 1
      if !isWhole, reader.remaining == 0 { return }
      let isOpening =
        zone == .top && stem.count == 1 && digit == PackedStemHead.openingNumber
      if zone != .after { try readAuthor(zone, from: &reader, in: &names, into: &stem) }
      try readCounter(from: &reader, into: &stem)
      if isWhole, reader.remaining == 0 { return }
      let place = reader.offset
      // There is a head for such a node.
      if isOpening { throw reader.failure(.badKey, at: place) }
      let link = try reader.byte()
      guard link == SortKeyLink.before || link == SortKeyLink.after else {
        throw reader.failure(.badKey, at: place)
      }
      stem.append(link)
      zone = link == SortKeyLink.before ? .before : .after
      guard stem.count <= SortKey.maximumByteCount else {
        throw reader.failure(.tooLong, at: place)
      }
    }
  }

  private static func readAuthor(
    _ zone: SortKeyZone, from reader: inout Reader, in names: inout BlockNames,
    into stem: inout [UInt8]
  ) throws(DecodeFailure) {
    let origin = reader.offset
    let code = try reader.varint()
    switch code {
    case sameCode:
      guard zone == .before else { throw reader.failure(.badKey, at: origin) }
      stem.append(SortKeyAuthor.same)
      return
    case longCode:
      let author = try readNewName(from: &reader, in: &names)
      if zone == .before { stem.append(SortKeyAuthor.other) }
      stem.appendBigEndian(author)
    default:
      guard code - firstRow < UInt64(names.count) else {
        throw reader.failure(.badIndex, at: origin)
      }
      if zone == .before { stem.append(SortKeyAuthor.other) }
      stem.appendBigEndian(names[Int(truncatingIfNeeded: code - firstRow)].rawValue)
    }
  }

  /// Reads the eight bytes of a name that has no row yet.
  private static func readNewName(
    from reader: inout Reader, in names: inout BlockNames
  ) throws(DecodeFailure) -> UInt64 {
    let origin = reader.offset
    let name = ReplicaID(rawValue: try reader.uint64())
    guard names.row(of: name) == nil else { throw reader.failure(.longID, at: origin) }
    names.learn(name)
    return name.rawValue
  }

  private static func readCounter(
    from reader: inout Reader, into stem: inout [UInt8]
  ) throws(DecodeFailure) {
    let first = try reader.byte()
    stem.append(first)
    var taken = 1
    var second: UInt8 = 0
    if first == 0 || first == 0xff {
      second = try reader.byte()
      stem.append(second)
      taken = 2
    }
    let count = SortKey.counterByteCount(first, second)
    stem.append(contentsOf: try reader.take(count - taken))
  }
}
