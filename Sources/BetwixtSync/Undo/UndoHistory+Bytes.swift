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
    var whole = self
    whole.bringAll()
    return try whole.encodedAsKept(for: list)
  }

  /// The bytes of a history without what steps hold that are kept apart, see ``putApart(from:for:)``.
  package func encodedAsKept(for list: ListID) throws(LimitExceeded) -> [UInt8] {
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

// MARK: - Large steps

extension UndoHistory {
  /// Takes out what large steps hold, to be kept apart from what is written with every step.
  ///
  /// - Parameters:
  ///   - byteCount: From which size on a step is large, about.
  ///   - list: The list that the steps were made in.
  /// - Returns: What they hold, by the names that ``UndoStep/init(decoding:named:for:)`` checks.
  /// - Throws: ``LimitExceeded`` if a step holds more than a block can; then nothing was taken out.
  /// - Complexity: O(*b*) for *b* bytes of all steps that are not apart yet
  package mutating func putApart(
    from byteCount: Int, for list: ListID
  ) throws(LimitExceeded) -> [UndoStep.Key: [UInt8]] {
    var contents: [UndoStep.Key: [UInt8]] = [:]
    var stacks = stacks
    for (window, stack) in stacks {
      var stack = stack
      for index in stack.undos.indices {
        try stack.undos[index].putApart(from: byteCount, for: list, to: &contents)
      }
      for index in stack.redos.indices {
        try stack.redos[index].putApart(from: byteCount, for: list, to: &contents)
      }
      stacks[window] = stack
    }
    self.stacks = stacks
    return contents
  }
}

extension UndoStep {
  /// Reads what a step holds.
  ///
  /// - Parameters:
  ///   - bytes: What was kept.
  ///   - key: Its name.
  ///   - list: The list that the step must be of.
  /// - Returns: The items, rising.
  /// - Throws: Why the bytes are not those that were kept under this name.
  package static func items(
    decoding bytes: [UInt8], named key: Key, for list: ListID
  ) throws(DecodeFailure) -> [ItemChange] {
    guard UndoStep.key(of: bytes) == key else { throw DecodeFailure(.badChecksum, at: 0) }
    var reader = Reader(bytes, in: 0..<bytes.count)
    let items = try UndoCoding.items(&reader, of: list)
    try reader.finish()
    return items
  }

  fileprivate mutating func putApart(
    from byteCount: Int, for list: ListID, to contents: inout [Key: [UInt8]]
  ) throws(LimitExceeded) {
    guard apart == nil, isLarge(from: byteCount) else { return }
    var bytes: [UInt8] = []
    try UndoCoding.append(items, of: list, to: &bytes)
    let key = UndoStep.key(of: bytes)
    contents[key] = bytes
    self = UndoStep(label: label, apart: key)
  }

  private static func key(of bytes: [UInt8]) -> Key {
    let words = SHA256.hash(bytes).prefix(16).reduce(into: [UInt64](repeating: 0, count: 2)) {
      ($0[0], $0[1]) = ($0[0] << 8 | $0[1] >> 56, $0[1] << 8 | UInt64($1))
    }
    return Key(high: words[0], low: words[1])
  }

  /// Whether the items take about so many bytes or more.
  private func isLarge(from byteCount: Int) -> Bool {
    var count = 0
    for item in items {
      count += 17
      for change in item.changes {
        count += 32 + (change.before.value?.byteCount ?? 0) + (change.after.value?.byteCount ?? 0)
      }
      for entry in item.whole { count += 8 + entry.value.byteCount }
      if count >= byteCount { return true }
    }
    return false
  }
}

extension RegisterValue {
  /// About how many bytes it takes.
  fileprivate var byteCount: Int {
    if case .field(.some(let value)) = self { 8 + value.canonicalByteCount } else { 16 }
  }
}

/// The parts of a history as bytes.
private enum UndoCoding {
  // MARK: Steps

  private enum Place {
    static let here: UInt8 = 0
    static let apart: UInt8 = 1
  }

  static func append(
    _ step: UndoStep, of list: ListID, to bytes: inout [UInt8]
  ) throws(LimitExceeded) {
    bytes.appendVarint(step.label.number)
    bytes.appendVarint(step.label.name.utf8.count)
    bytes.append(contentsOf: step.label.name.utf8)
    guard let key = step.apart else {
      bytes.append(Place.here)
      return try append(step.items, of: list, to: &bytes)
    }
    bytes.append(Place.apart)
    bytes.appendBigEndian(key.high)
    bytes.appendBigEndian(key.low)
  }

  static func append(
    _ items: [UndoStep.ItemChange], of list: ListID, to bytes: inout [UInt8]
  ) throws(LimitExceeded) {
    bytes.appendVarint(items.count)
    // The values are written as blocks, which check what they read: those before, those after, and
    // what items held.
    var builders = [Delta.Builder](repeating: Delta.Builder(), count: 3)
    for item in items {
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
    let label = UndoHistory.Step(number: number, name: String(decoding: name, as: UTF8.self))
    switch try reader.byte() {
    case Place.here: return UndoStep(label: label, items: try items(&reader, of: list))
    case Place.apart:
      let key = try UndoStep.Key(high: reader.uint64(), low: reader.uint64())
      return UndoStep(label: label, apart: key)
    default: throw reader.failure(.reserved, at: reader.offset - 1)
    }
  }

  static func items(
    _ reader: inout Reader, of list: ListID
  ) throws(DecodeFailure) -> [UndoStep.ItemChange] {
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
    return items
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
