public import Betwixt

extension UndoHistory {
  private static let magic: [UInt8] = [0x89, 0x42, 0x54, 0x55, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let checksumByteCount = 32

  /// The bytes of a history, to be kept from one run of a program to the next.
  ///
  /// Keep them beside the identity of the writer, not in the document: steps are of one device.
  /// Nothing depends on them; without them earlier steps cannot be taken back.
  ///
  ///     try store.write(try history.encoded(for: list.id))
  ///     let again = try UndoHistory(decoding: bytes, for: list.id)  // again == history
  ///
  /// - Parameter list: The list that the steps were made in.
  /// - Returns: The bytes, which say nothing about windows that have no steps.
  /// - Throws: ``LimitExceeded`` if a step holds more than a block can.
  /// - Complexity: O(*b*) for *b* bytes of all steps
  public func encoded(for list: ListID) throws(LimitExceeded) -> [UInt8] {
    var bytes = UndoHistory.magic
    bytes.append(1)
    bytes.appendBigEndian(list.high)
    bytes.appendBigEndian(list.low)
    bytes.appendVarint(levels)
    bytes.appendVarint(stepCount)
    let windows = stacks.keys.sorted()
    bytes.appendVarint(windows.count)
    for window in windows {
      guard let stack = stacks[window] else { continue }
      bytes.appendZigzag(Int64(window))
      for steps in [stack.undos, stack.redos] {
        bytes.appendVarint(steps.count)
        for step in steps { try UndoCoding.append(step, of: list, to: &bytes) }
      }
      UndoCoding.append(stack.kept, to: &bytes)
    }
    let rows = standIns.rows
    bytes.appendVarint(rows.count)
    for row in rows {
      UndoCoding.append(row.address.item, to: &bytes)
      UndoCoding.append(row.address.register, to: &bytes)
      UndoCoding.append(row.dot, to: &bytes)
      UndoCoding.append(row.root, to: &bytes)
    }
    return bytes + SHA256.hash(bytes)
  }

  /// Reads the bytes of a history.
  ///
  /// - Parameters:
  ///   - bytes: What ``encoded(for:)`` made.
  ///   - list: The list that the steps must be of.
  /// - Throws: Why the bytes are none, and where; `otherList` if they are of another list.
  /// - Complexity: O(*b*) for *b* bytes
  public init(decoding bytes: [UInt8], for list: ListID) throws(DecodeFailure) {
    let end = max(bytes.count - UndoHistory.checksumByteCount, 0)
    guard bytes.count >= UndoHistory.checksumByteCount,
      SHA256.hash(Array(bytes[..<end])).elementsEqual(bytes[end...])
    else { throw DecodeFailure(.badChecksum, at: end) }
    var reader = Reader(bytes, in: 0..<end)
    try reader.expect(UndoHistory.magic, because: .badMagic)
    guard try reader.byte() == 1 else { throw reader.failure(.newerVersion) }
    let start = reader.offset
    guard try ListID(high: reader.uint64(), low: reader.uint64()) == list else {
      throw reader.failure(.otherList, at: start)
    }
    try self.init(levels: UndoCoding.int(&reader))
    stepCount = try UndoCoding.int(&reader)
    // Steps go on to be counted from there.
    guard stepCount < Int.max / 2 else { throw reader.failure(.badNumber) }
    for _ in 0..<(try reader.count(ofAtLeast: 4)) {
      let offset = reader.offset
      guard let window = Int(exactly: try reader.zigzag()) else {
        throw reader.failure(.badNumber, at: offset)
      }
      var stack = Stack()
      stack.undos = try UndoCoding.steps(&reader, of: list)
      stack.redos = try UndoCoding.steps(&reader, of: list)
      stack.kept = try UndoCoding.pending(&reader)
      stacks[window] = stack
    }
    for _ in 0..<(try reader.count(ofAtLeast: 27)) {
      let address = try RegisterAddress(
        UndoCoding.item(&reader), register: UndoCoding.register(&reader))
      let dot = try UndoCoding.dot(&reader)
      standIns.note(dot, of: address, standsFor: try UndoCoding.root(&reader))
    }
    try reader.finish()
  }
}

/// The parts of a history as bytes.
private enum UndoCoding {
  // MARK: Steps

  static func append(
    _ step: UndoStep, of list: ListID, to bytes: inout [UInt8]
  ) throws(LimitExceeded) {
    bytes.appendVarint(step.label.number)
    bytes.appendVarint(step.label.name.utf8.count)
    bytes.append(contentsOf: step.label.name.utf8)
    bytes.appendVarint(step.items.count)
    // The values are written as blocks, which check what they read: those before, those after, and
    // what items held.
    var builders = [Delta.Builder](repeating: Delta.Builder(), count: 3)
    for item in step.items {
      append(item.item, to: &bytes)
      bytes.append(item.isNew ? 1 : 0)
      bytes.appendVarint(item.changes.count)
      for change in item.changes {
        append(change.register, to: &bytes)
        bytes.append(change.isTakenBack ? 1 : 0)
        append(change.before.root, to: &bytes)
        append(change.after.root, to: &bytes)
        for (index, state) in [change.before, change.after].enumerated() {
          guard let value = state.value else { continue }
          // The register held it, so the format has it.
          try? builders[index].add(entry(item.item, register: change.register, value: value))
        }
      }
      for entry in item.whole { try? builders[2].add(entry) }
    }
    for builder in builders {
      let block = try Block(.snapshot, of: list, holding: builder.build()).encoded()
      bytes.appendVarint(block.count)
      bytes.append(contentsOf: block)
    }
  }

  private static func entry(
    _ item: ItemID, register: Register, value: RegisterValue
  ) -> Entry {
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 0))
    return Entry(item: item, register: register, value: value, stamp: stamp, sequence: 1)
  }

  static func steps(
    _ reader: inout Reader, of list: ListID
  ) throws(DecodeFailure) -> [UndoStep] {
    var steps: [UndoStep] = []
    for _ in 0..<(try reader.count(ofAtLeast: 6)) {
      steps.append(try step(&reader, of: list))
    }
    return steps
  }

  /// A number from 0 that an `Int` of this machine holds.
  static func int(_ reader: inout Reader) throws(DecodeFailure) -> Int {
    let offset = reader.offset
    guard let number = Int(exactly: try reader.positive()) else {
      throw reader.failure(.badNumber, at: offset)
    }
    return number
  }

  private static func step(
    _ reader: inout Reader, of list: ListID
  ) throws(DecodeFailure) -> UndoStep {
    let number = try int(&reader)
    let offset = reader.offset
    let name = try reader.take(reader.count(ofAtLeast: 1))
    guard isUTF8(name) else { throw reader.failure(.badText, at: offset) }
    var items: [UndoStep.ItemChange] = []
    for _ in 0..<(try reader.count(ofAtLeast: 18)) {
      var item = UndoStep.ItemChange(item: try self.item(&reader), changes: [])
      item.isNew = try flag(&reader)
      for _ in 0..<(try reader.count(ofAtLeast: 4)) {
        let register = try register(&reader)
        let isTakenBack = try flag(&reader)
        let (before, after) = (try root(&reader), try root(&reader))
        item.changes.append(
          UndoStep.Change(
            register: register, before: RegisterState(value: nil, root: before),
            after: RegisterState(value: nil, root: after), isTakenBack: isTakenBack))
      }
      items.append(item)
    }
    let before = try values(&reader, of: list)
    let after = try values(&reader, of: list)
    var whole: [ItemID: [Entry]] = [:]
    for entry in try entries(&reader, of: list) { whole[entry.item, default: []].append(entry) }
    for number in items.indices {
      items[number].whole = whole[items[number].item] ?? []
      for index in items[number].changes.indices {
        let change = items[number].changes[index]
        let address = RegisterAddress(items[number].item, register: change.register)
        items[number].changes[index].before = RegisterState(
          value: before[address], root: change.before.root)
        items[number].changes[index].after = RegisterState(
          value: after[address], root: change.after.root)
      }
    }
    let label = UndoHistory.Step(number: number, name: String(decoding: name, as: UTF8.self))
    return UndoStep(label: label, items: items)
  }

  private static func values(
    _ reader: inout Reader, of list: ListID
  ) throws(DecodeFailure) -> [RegisterAddress: RegisterValue] {
    var values: [RegisterAddress: RegisterValue] = [:]
    for entry in try entries(&reader, of: list) {
      values[RegisterAddress(entry.item, register: entry.register)] = entry.value
    }
    return values
  }

  private static func entries(
    _ reader: inout Reader, of list: ListID
  ) throws(DecodeFailure) -> [Entry] {
    let offset = reader.offset
    let block = try Block(decoding: Array(reader.take(reader.count(ofAtLeast: 1))))
    guard block.list == list else { throw reader.failure(.otherList, at: offset) }
    return block.delta.entries
  }

  // MARK: What was kept

  static func append(_ kept: UndoHistory.Pending?, to bytes: inout [UInt8]) {
    guard let kept else { return bytes.append(0) }
    bytes.append(kept.direction == .undo ? 1 : 2)
    let items = kept.changes.sorted { $0.key < $1.key }
    bytes.appendVarint(items.count)
    for (item, registers) in items {
      append(item, to: &bytes)
      bytes.appendVarint(registers.count)
      for register in registers { append(register, to: &bytes) }
    }
  }

  static func pending(_ reader: inout Reader) throws(DecodeFailure) -> UndoHistory.Pending? {
    let kind = try reader.byte()
    guard kind > 0 else { return nil }
    guard kind < 3 else { throw reader.failure(.reserved, at: reader.offset - 1) }
    var changes: [ItemID: [Register]] = [:]
    for _ in 0..<(try reader.count(ofAtLeast: 17)) {
      let item = try item(&reader)
      var registers: [Register] = []
      for _ in 0..<(try reader.count(ofAtLeast: 1)) { registers.append(try register(&reader)) }
      changes[item] = registers
    }
    return UndoHistory.Pending(direction: kind == 1 ? .undo : .redo, changes: changes)
  }

  // MARK: Small parts

  static func append(_ item: ItemID, to bytes: inout [UInt8]) {
    bytes.appendBigEndian(item.high)
    bytes.appendBigEndian(item.low)
  }

  static func item(_ reader: inout Reader) throws(DecodeFailure) -> ItemID {
    try ItemID(high: reader.uint64(), low: reader.uint64())
  }

  /// A step writes life, position and fields, nothing else.
  static func append(_ register: Register, to bytes: inout [UInt8]) {
    bytes.append(register.kind)
    guard case .field(let name) = register else { return }
    bytes.append(UInt8(truncatingIfNeeded: name.text.utf8.count))
    bytes.append(contentsOf: name.text.utf8)
  }

  static func register(_ reader: inout Reader) throws(DecodeFailure) -> Register {
    let offset = reader.offset
    switch try reader.byte() {
    case Register.Kind.life: return .life
    case Register.Kind.position: return .position
    case Register.Kind.field:
      let text = try reader.take(Int(reader.byte()))
      guard isUTF8(text), let name = FieldName(String(decoding: text, as: UTF8.self)) else {
        throw reader.failure(.badName, at: offset)
      }
      return .field(name)
    default: throw reader.failure(.reserved, at: offset)
    }
  }

  static func append(_ dot: Dot, to bytes: inout [UInt8]) {
    bytes.appendBigEndian(dot.replica.rawValue)
    bytes.appendVarint(UInt64(bitPattern: dot.sequence))
  }

  static func dot(_ reader: inout Reader) throws(DecodeFailure) -> Dot {
    try Dot(replica: ReplicaID(rawValue: reader.uint64()), sequence: reader.positive())
  }

  static func append(_ root: Dot?, to bytes: inout [UInt8]) {
    bytes.append(root == nil ? 0 : 1)
    if let root { append(root, to: &bytes) }
  }

  static func root(_ reader: inout Reader) throws(DecodeFailure) -> Dot? {
    try flag(&reader) ? try dot(&reader) : nil
  }

  static func flag(_ reader: inout Reader) throws(DecodeFailure) -> Bool {
    let offset = reader.offset
    switch try reader.byte() {
    case 0: return false
    case 1: return true
    default: throw reader.failure(.reserved, at: offset)
    }
  }
}
