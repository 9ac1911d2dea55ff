import Betwixt
import Testing

@Suite("Edits at the limits of the format")
struct LimitTests {
  private func device() -> Device {
    Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
  }

  /// Why an edit fails; `nil` if it does not.
  private func failure(
    _ device: Device, _ edit: (Device) throws -> Void
  ) throws -> EditFailure.Code? {
    do {
      try edit(device)
      return nil
    } catch let error as EditFailure {
      return error.code
    }
  }

  /// A list with one item whose registers were written at the end of time.
  private func atEndOfTime(lifeLength: UInt64 = 1) throws -> (Device, ItemID) {
    let device = device()
    let replica = ReplicaID(rawValue: 9)
    let id = ItemID(family: replica.rawValue, sequence: 1)
    let key = try SortKey.between(nil, nil, replica: replica, counter: 2)
    let stamp = Stamp(time: .max, replica: replica)
    let values: [(Register, RegisterValue)] = [
      (.life, .life(lifeLength)), (.position, .position(section: 0, key: key)),
      (.field("n"), .field(1)),
    ]
    let entries = zip(values, Int64(1)...).map { value, sequence in
      Entry(item: id, register: value.0, value: value.1, stamp: stamp, sequence: sequence)
    }
    device.list.merge(try Delta(entries))
    return (device, id)
  }

  @Test("no write follows one at the end of time, except remove and restore")
  func endOfTime() throws {
    let (device, id) = try atEndOfTime()
    let before = device.list
    try device.list.append(by: &device.me)
    #expect(
      try failure(device) { device in try device.list.set("n", of: id, to: 2, by: &device.me) }
        == .stampExhausted)
    #expect(
      try failure(device) { device in try device.list.clear("n", of: id, by: &device.me) }
        == .stampExhausted)
    #expect(
      try failure(device) { device in try device.list.move(id, toOffset: 2, by: &device.me) }
        == .stampExhausted)
    #expect(device.list[id: id]?.entries == before[id: id]?.entries)
    try device.list.set("other", of: id, to: 2, by: &device.me)
    try device.list.remove(id, by: &device.me)
    #expect(!device.list.contains(id: id))
    try device.list.restore(id, by: &device.me)
    #expect(device.list[id: id]?.lifeLength == 3 && device.list.contains(id: id))
    // What is written already needs no write.
    try device.list.set("n", of: id, to: 1, by: &device.me)
    try device.list.move(id, toOffset: 0, by: &device.me)
  }

  @Test("the last causal length is the last")
  func endOfLife() throws {
    let (device, id) = try atEndOfTime(lifeLength: 1 << 63 - 2)
    #expect(device.list[id: id]?.isRemoved == true)
    try device.list.restore(id, by: &device.me)
    #expect(device.list.contains(id: id))
    #expect(
      try failure(device) { device in try device.list.remove(id, by: &device.me) }
        == .lifeExhausted)
    #expect(device.list.contains(id: id))
  }

  @Test("a replica without numbers left writes nothing")
  func endOfNumbers() throws {
    let device = device()
    device.become(ReplicaID(rawValue: 1), sequence: .max)
    #expect(
      try failure(device) { device in try device.list.append(by: &device.me) }
        == .sequenceExhausted)
    #expect(device.list.isEmpty && device.list.entryCount == 0 && device.me.sequence == .max)
  }

  @Test("an edit that has nothing to write needs no numbers, and leaves no trace of its writer")
  func nothingToWrite() throws {
    let device = device()
    let id = try device.list.append(["n": 1, "m": 2], by: &device.me)
    device.become(ReplicaID(rawValue: 2), sequence: .max)
    try device.list.set([("n", 1), ("m", 2), ("none", nil)], of: id, by: &device.me)
    try device.list.set([], of: id, by: &device.me)
    try device.list.set("n", of: id, to: 1, by: &device.me)
    try device.list.clear("none", of: id, by: &device.me)
    try device.list.restore(id, by: &device.me)
    try device.list.move(id, toOffset: 1, by: &device.me)
    try device.list.move([id], toOffset: 0, by: &device.me)
    #expect(device.list.knownReplicaCount == 1)
    let code = try failure(device) { device in
      try device.list.set([("n", 1), ("m", 3)], of: id, by: &device.me)
    }
    #expect(code == .sequenceExhausted && device.list[id: id]?["m"] == 2)
  }

  @Test("of several fields one at the end of time or beyond a limit keeps all from being written")
  func severalFields() throws {
    let (device, id) = try atEndOfTime()
    let before = device.list
    let long = FieldValue.string(String(repeating: "v", count: FieldValue.maximumByteCount))
    let cases: [([(name: FieldName, value: FieldValue?)], EditFailure.Code?)] = [
      ([("a", 1), ("n", 2)], .stampExhausted), ([("a", 1), ("n", nil)], .stampExhausted),
      ([("a", 1), ("b", long)], .valueTooLarge), ([("n", 2), ("n", 1)], nil),
    ]
    for (changes, code) in cases {
      let found = try failure(device) { device in
        try device.list.set(changes, of: id, by: &device.me)
      }
      #expect(found == code && device.list == before)
    }
    try device.list.set([("a", 1), ("n", 1), ("a", 2), ("b", nil)], of: id, by: &device.me)
    #expect(device.me.sequence == 1 && device.list[id: id]?["a"] == 2)
    // They are written in the order given.
    try device.list.set([("d", 1), ("a", 3), ("c", 1)], of: id, by: &device.me)
    let written = device.list.delta(since: [ReplicaID(rawValue: 1): 1, ReplicaID(rawValue: 9): 3])
    let rising = written.entries.sorted { $0.sequence < $1.sequence }
    #expect(rising.map(\.register) == [.field("d"), .field("a"), .field("c")])
  }

  @Test("of several items one at the end of time keeps all from being moved")
  func severalMoves() throws {
    let (device, id) = try atEndOfTime()
    let other = try device.list.append(by: &device.me)
    let third = try device.list.append(by: &device.me)
    let before = device.list
    let code = try failure(device) { device in
      try device.list.move([third, id], toOffset: 2, by: &device.me)
    }
    #expect(code == .stampExhausted && device.list == before)
    #expect(device.list.map(\.id) == [id, other, third])
    let placing = try failure(device) { device in
      try device.list.place(id, between: nil, and: nil, inSection: 0, by: &device.me)
    }
    let importing = try failure(device) { device in
      try device.list.place(id, atSortOrder: 4, inSection: 0, by: &device.me)
    }
    #expect(placing == .stampExhausted && importing == .stampExhausted && device.list == before)
  }

  @Test("names and values one below, at and one above the replica's limits")
  func fieldLimits() throws {
    let device = device()
    device.me.limits.nameByteCount = 10
    device.me.limits.valueByteCount = 20
    let id = try device.list.append(by: &device.me)
    for count in 9...11 {
      let name = try #require(FieldName(String(repeating: "n", count: count)))
      let found = try failure(device) { device in
        try device.list.set(name, of: id, to: 1, by: &device.me)
      }
      #expect(found == (count > 10 ? .nameTooLong : nil))
    }
    // The tag is one byte of the value.
    for count in 18...20 {
      let value = FieldValue.string(String(repeating: "v", count: count))
      let found = try failure(device) { device in
        try device.list.set("v", of: id, to: value, by: &device.me)
      }
      #expect(found == (count > 19 ? .valueTooLarge : nil))
    }
    let large = try failure(device) { device in
      try device.list.append(
        ["v": .string(String(repeating: "v", count: 20))], by: &device.me)
    }
    #expect(large == .valueTooLarge && device.list.count == 1)
    #expect(device.list[id: id]?.fields.count == 3)
    // Of many fields the one is named.
    do throws(EditFailure) {
      let long = FieldValue.string(String(repeating: "v", count: 20))
      try device.list.set([("n", 1), ("v", long)], of: id, by: &device.me)
      Issue.record("a value that is too large was taken")
    } catch {
      #expect(error.field == "v" && error.item == id)
      #expect("\(error)" == "item \(id): the value of “v” is too large")
    }
  }

  @Test("values with a tag that the format has no place for", arguments: [0, 6, 0x80, 0xff])
  func badTags(tag: UInt8) throws {
    let device = device()
    let id = try device.list.append(by: &device.me)
    let value = FieldValue.unknown(tag: tag, payload: [1])
    let found = try failure(device) { device in
      try device.list.set("v", of: id, to: value, by: &device.me)
    }
    #expect(found == .invalidValue && device.list[id: id]?.fields.isEmpty == true)
  }

  @Test("an item whose life has not come is not removed: it would be shown all the same")
  func lifelessItem() throws {
    let device = device()
    let id = ItemID(high: 1, low: 99)
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: id, register: .field("n"), value: .field(1),
        stamp: Stamp(time: .zero, replica: ReplicaID(rawValue: 9)), sequence: 2))
    device.list.merge(builder.build())
    let found = try failure(device) { device in try device.list.remove(id, by: &device.me) }
    #expect(found == .unknownItem)
    try device.list.create(id, by: &device.me)
    try device.list.remove(id, by: &device.me)
    #expect(device.list[id: id]?.isRemoved == true)
  }

  @Test("an item that nobody knows")
  func unknownItem() throws {
    let device = device()
    let id = ItemID(high: 1, low: 99)
    let edits: [(Device) throws -> Void] = [
      { device in try device.list.set("n", of: id, to: 1, by: &device.me) },
      { device in try device.list.clear("n", of: id, by: &device.me) },
      { device in try device.list.remove(id, by: &device.me) },
      { device in try device.list.restore(id, by: &device.me) },
      { device in try device.list.move(id, toOffset: 0, by: &device.me) },
      { device in try device.list.insert(before: id, by: &device.me) },
      { device in try device.list.insert(after: id, by: &device.me) },
      { device in try device.list.remove(.root, by: &device.me) },
      { device in try device.list.move([id], toOffset: 0, by: &device.me) },
      { device in try device.list.move(id, before: id, by: &device.me) },
      { device in try device.list.set([("n", 1)], of: id, by: &device.me) },
      { device in try device.list.set([], of: id, by: &device.me) },
    ]
    for edit in edits {
      #expect(try failure(device, edit) == .unknownItem)
    }
    #expect(device.list == ReplicatedList(id: World.listID) && device.me.sequence == 0)
  }
}
