import Betwixt

/// Reads one register of a `.trip.json` file: who wrote it when, and what.
struct RegisterReader {
  let item: ItemID
  let register: Register

  mutating func read(_ value: JSONValue, noting problems: inout FirstProblem) -> Entry? {
    guard let members = value.members("a register", noting: &problems) else { return nil }
    var object = ObjectReader(members, at: value.offset)
    let mark = object.require("at", noting: &problems).flatMap { at($0, noting: &problems) }
    let content: RegisterValue?
    switch register {
    case .life: content = life(&object, noting: &problems)
    case .position: content = position(&object, noting: &problems)
    case .field: content = field(&object, at: value.offset, noting: &problems)
    case .other:
      content = object.require("raw", noting: &problems)
        .flatMap { $0.hex("raw", noting: &problems) }.map { .other($0) }
    }
    object.finish(&problems)
    guard let mark, let content else { return nil }
    guard content.canonicalBytes.count <= FieldValue.maximumByteCount else {
      problems.note(.tooLarge, at: value.offset, "a value has at most 512 KiB")
      return nil
    }
    return Entry(
      item: item, register: register, value: content, stamp: mark.stamp, sequence: mark.sequence)
  }

  private func at(
    _ value: JSONValue, noting problems: inout FirstProblem
  ) -> (stamp: Stamp, sequence: Int64)? {
    guard let parts = value.elements("at", noting: &problems) else { return nil }
    guard parts.count == 3 else {
      problems.note(.badValue, at: value.offset, "“at” has a time, a replica and a number")
      return nil
    }
    let timeText = parts[0].text("time", noting: &problems)
    let replicaText = parts[1].text("replica", noting: &problems)
    let sequence = parts[2].positive("a sequence number", noting: &problems)
    guard let timeText, let replicaText, let sequence else { return nil }
    guard let time = Hex.decodeUInt64(timeText.utf8).flatMap({ Timestamp(rawValue: $0) }) else {
      problems.note(.badValue, at: parts[0].offset, "a time has 16 hex digits, below 2^63")
      return nil
    }
    guard let replica = ReplicaID(replicaText) else {
      problems.note(.badValue, at: parts[1].offset, "a replica has 16 lower-case hex digits")
      return nil
    }
    return (Stamp(time: time, replica: replica), sequence)
  }

  private func life(
    _ object: inout ObjectReader, noting problems: inout FirstProblem
  ) -> RegisterValue? {
    guard let value = object.require("length", noting: &problems),
      let number = value.positive("“length”", noting: &problems)
    else { return nil }
    return .life(UInt64(bitPattern: number))
  }

  private func position(
    _ object: inout ObjectReader,
    noting problems: inout FirstProblem
  ) -> RegisterValue? {
    let section = object.require("section", noting: &problems)
      .flatMap { $0.whole("“section”", noting: &problems) }
    guard let value = object.require("key", noting: &problems),
      let bytes = value.hex("key", noting: &problems)
    else { return nil }
    let key: SortKey
    do {
      key = try SortKey(bytes: bytes)
    } catch {
      let isTooLong = bytes.count > SortKey.maximumByteCount
      problems.note(
        isTooLong ? .tooLarge : .badValue, at: value.offset, "this is no sort key: \(error)")
      return nil
    }
    return section.map { .position(section: $0, key: key) }
  }
}

extension RegisterReader {
  private func field(
    _ object: inout ObjectReader, at offset: Int, noting problems: inout FirstProblem
  ) -> RegisterValue? {
    var found: JSONMember?
    for member in object.takeAll() {
      guard RegisterReader.valueNames.contains(where: { $0.hasSameBytes(as: member.name) }) else {
        problems.note(
          .unknownMember, at: member.nameOffset,
          "“\(member.name.excerpt)” is no part of the format")
        continue
      }
      if found != nil {
        problems.note(.badValue, at: member.nameOffset, "a register has one value")
      }
      found = found ?? member
    }
    guard let found else {
      problems.note(.missing, at: offset, "a register has a value")
      return nil
    }
    if found.name.hasSameBytes(as: "none") {
      guard case .bool(true) = found.value.content else {
        let isBool = if case .bool = found.value.content { true } else { false }
        problems.note(
          isBool ? .badValue : .wrongType, at: found.value.offset, "“none” is true")
        return nil
      }
      return .field(nil)
    }
    return FieldValue(tag: found.name, json: found.value, noting: &problems).map { .field($0) }
  }

  private static let valueNames = FieldValue.tags + ["none"]
}
