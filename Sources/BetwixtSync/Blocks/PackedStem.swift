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

  /// Appends the stem of a valid key, whose steps these are, or the whole key.
  static func append(
    _ steps: [SortKeyStep], of key: Span<UInt8>, in names: inout BlockNames, isWhole: Bool,
    to output: inout [UInt8]
  ) {
    for index in steps.indices {
      if index > 0 {
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

  /// Reads a stem, or a whole key, that ends with the input; whether it is one is left to who makes
  /// a key of it.
  static func read(
    from reader: inout Reader, in names: inout BlockNames, isWhole: Bool, into stem: inout [UInt8]
  ) throws(DecodeFailure) {
    var zone = SortKeyZone.top
    while true {
      var digit: UInt8
      repeat {
        digit = try reader.byte()
        stem.append(digit)
      } while digit & 1 == 1
      if !isWhole, reader.remaining == 0 { return }
      if zone != .after { try readAuthor(zone, from: &reader, in: &names, into: &stem) }
      try readCounter(from: &reader, into: &stem)
      if isWhole, reader.remaining == 0 { return }
      let origin = reader.offset
      let link = try reader.byte()
      guard link == SortKeyLink.before || link == SortKeyLink.after else {
        throw reader.failure(.badKey, at: origin)
      }
      stem.append(link)
      zone = link == SortKeyLink.before ? .before : .after
      guard stem.count <= SortKey.maximumByteCount else {
        throw reader.failure(.tooLong, at: origin)
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
      let author = ReplicaID(rawValue: try reader.uint64())
      guard names.row(of: author) == nil else { throw reader.failure(.longID, at: origin) }
      names.learn(author)
      if zone == .before { stem.append(SortKeyAuthor.other) }
      stem.appendBigEndian(author.rawValue)
    default:
      guard code - firstRow < UInt64(names.count) else {
        throw reader.failure(.badIndex, at: origin)
      }
      if zone == .before { stem.append(SortKeyAuthor.other) }
      stem.appendBigEndian(names[Int(truncatingIfNeeded: code - firstRow)].rawValue)
    }
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
