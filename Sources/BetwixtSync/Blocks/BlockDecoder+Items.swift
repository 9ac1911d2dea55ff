import Betwixt

extension BlockDecoder {
  mutating func readItems(_ reader: inout Reader) throws(DecodeFailure) {
    let start = reader.offset
    let itemCount = try reader.count(ofAtLeast: LeastSize.item)
    guard itemCount <= limits.items else { throw reader.failure(.tooManyItems, at: start) }
    let offset = reader.offset
    let entryCount = try reader.count(ofAtLeast: LeastSize.entry)
    try reserve(itemCount, entryCount: entryCount, from: reader)
    for _ in 0..<itemCount {
      let item = try readID(&reader)
      sink.append(item)
      try readEntries(of: item, from: &reader)
    }
    guard self.entryCount == entryCount else { throw reader.failure(.badNumber, at: offset) }
  }

  /// Makes room for as much as is left to read can hold: at most 16 times its size.
  private mutating func reserve(
    _ itemCount: Int, entryCount: Int, from reader: Reader
  ) throws(DecodeFailure) {
    // Only a life takes three bytes, and an item has one; and each item has an id.
    let further = max(0, entryCount - itemCount)
    let least = itemCount + entryCount * LeastSize.entry + further
    guard least <= reader.remaining else { throw reader.failure(.truncated, at: reader.end) }
    // The sixteenfold of what a page may give is more than an integer of 32 bits holds.
    let remaining = Int64(reader.remaining)
    let rowByteCount = Int64(entryCount) * Int64(MemoryLayout<Delta.Row>.stride)
    let isDense = Int64(entryCount) * 8 > remaining
    let byteCount = isDense ? min(remaining * 6, remaining * 16 - rowByteCount) : remaining * 2
    sink.reserve(
      itemCount: itemCount, entryCount: entryCount, byteCount: Int(clamping: byteCount))
  }

  private mutating func readID(_ reader: inout Reader) throws(DecodeFailure) -> ItemID {
    let offset = reader.offset
    let code = try reader.varint()
    let item: ItemID
    switch code {
    case ItemForm.whole.code:
      item = ItemID(high: try reader.uint64(), low: try reader.uint64())
    case ItemForm.family.code:
      item = ItemID(high: try reader.uint64(), low: try reader.varint())
    case _ where code & 1 == 1:
      let item = try BlockDecoder.readNear(
        code >> 1, to: lastItem, from: reader, at: offset)
      // No form comes before this one.
      guard code > 1 else { throw reader.failure(.badOrder, at: offset) }
      lastItem = item
      return item
    default:
      let row = code >> 1 - 2
      guard row < UInt64(names.replicas.count) else { throw reader.failure(.badIndex, at: offset) }
      let replica = names.replicas[Int(truncatingIfNeeded: row)]
      item = ItemID(high: replica.rawValue, low: try reader.varint())
    }
    if let lastItem, item <= lastItem { throw reader.failure(.badOrder, at: offset) }
    guard ItemForm(item, after: lastItem, in: names).code == code else {
      throw reader.failure(.longID, at: offset)
    }
    lastItem = item
    return item
  }

  /// An item of the same family as the one before.
  private static func readNear(
    _ difference: UInt64, to lastItem: ItemID?, from reader: Reader, at offset: Int
  ) throws(DecodeFailure) -> ItemID {
    guard let lastItem else { throw reader.failure(.badIndex, at: offset) }
    let (low, overflow) = lastItem.low.addingReportingOverflow(difference)
    guard !overflow, difference < ItemForm.farAway else {
      throw reader.failure(.badNumber, at: offset)
    }
    return ItemID(high: lastItem.high, low: low)
  }

  // MARK: Entries

  private mutating func readEntries(
    of item: ItemID, from reader: inout Reader
  ) throws(DecodeFailure) {
    var last = -1
    var fields = 0
    birth = nil
    while true {
      let offset = reader.offset
      let head = EntryHead(rawValue: try reader.byte())
      guard !head.hasReservedBits else { throw reader.failure(.reserved, at: offset) }
      let code = try BlockDecoder.readCode(head, registerCount: registers.count, from: &reader)
      guard code > last else { throw reader.failure(.badOrder, at: offset) }
      last = code
      if code >= 2 { fields += 1 }
      guard fields <= limits.fieldsPerItem else {
        throw reader.failure(.tooManyFields, at: offset)
      }
      try readEntry(of: item, code: code, head: head, from: &reader)
      if head.isLast { return }
    }
  }

  // Static, because a call on the decoder would copy it.
  @inline(__always)
  private static func readCode(
    _ head: EntryHead, registerCount: Int, from reader: inout Reader
  ) throws(DecodeFailure) -> Int {
    let offset = reader.offset - 1
    guard head.code == EntryHead.longCode else {
      guard head.code < registerCount + 2 else { throw reader.failure(.badIndex, at: offset) }
      return head.code
    }
    return try reader.index(below: max(0, registerCount + 2 - EntryHead.longCode))
      + EntryHead.longCode
  }

  private mutating func readEntry(
    of item: ItemID, code: Int, head: EntryHead, from reader: inout Reader
  ) throws(DecodeFailure) {
    try readReplica(head, from: &reader)
    let entryTime = head.hasSameTime ? time : try BlockDecoder.readTime(after: time, from: &reader)
    let before =
      code == 0 ? item.number.map { $0 - 1 } : birth?.replica == replica ? birth?.sequence : nil
    let last = firstSequence + head.code
    let sequence = try BlockDecoder.readSequence(after: before ?? sequences[last], from: &reader)
    sequences[last] = sequence
    if code == 0 { birth = (replica, sequence) }
    if code == 0 || birth == nil { time = entryTime }
    entryCount += 1
    let stamp = EntryStamp(time: entryTime, sequence: sequence, replica: replica)
    switch code {
    case 0:
      try readLife(stamp, head: head, from: &reader)
    case 1:
      try readPosition(stamp, head: head, of: item, from: &reader)
    default:
      if !usesRegister[code - 2] { usesRegister[code - 2] = true }
      try readField(stamp, head: head, register: code - 2, from: &reader)
    }
  }

  private mutating func readReplica(
    _ head: EntryHead, from reader: inout Reader
  ) throws(DecodeFailure) {
    let offset = reader.offset
    if head.hasSameReplica {
      if hasReplica { return }
      guard replica < names.replicas.count else { throw reader.failure(.badIndex, at: offset) }
      start(with: replica)
    } else {
      let index = try reader.index(below: names.replicas.count)
      guard index != replica else { throw reader.failure(.badNumber, at: offset) }
      start(with: index)
    }
  }

  /// Goes on with the entries of a replica.
  ///
  /// Most replicas of a great table may have no entry, so each gets its places with its first.
  private mutating func start(with replica: Int) {
    if sequenceStarts[replica] < 0 {
      sequenceStarts[replica] = Int32(truncatingIfNeeded: sequences.count)
      sequences.append(contentsOf: repeatElement(0, count: 8))
    }
    firstSequence = Int(sequenceStarts[replica])
    usesReplica[replica] = true
    self.replica = replica
    hasReplica = true
  }

  private static func readTime(
    after time: UInt64, from reader: inout Reader
  ) throws(DecodeFailure) -> UInt64 {
    let offset = reader.offset
    guard let new = try EntryTime.read(after: time, from: &reader), new != time else {
      throw reader.failure(.badNumber, at: offset)
    }
    return new
  }

  /// A number that is written as a difference to the one that follows the last.
  @inline(__always)
  private static func readSequence(
    after last: Int64, from reader: inout Reader
  ) throws(DecodeFailure) -> Int64 {
    let offset = reader.offset
    let (sum, overflow) = last.addingReportingOverflow(try reader.zigzag())
    let (sequence, tooFar) = sum.addingReportingOverflow(1)
    guard !overflow, !tooFar, sequence > 0 else { throw reader.failure(.badNumber, at: offset) }
    return sequence
  }
}
