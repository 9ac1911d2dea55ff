// Canonical bytes that come from elsewhere: each is checked, and none has two forms.

extension Entry {
  /// Reads ``canonicalBytes``.
  ///
  /// - Parameter bytes: The bytes of one entry and nothing else.
  /// - Throws: Why they are none.
  /// - Complexity: O(*b*) for *b* bytes
  public init(canonicalBytes bytes: [UInt8]) throws(EntryFailure) {
    // Item, kind and the length of the name; then time, replica, sequence and the value's length.
    guard bytes.count >= 18 + 28 else { throw EntryFailure(.notCanonical) }
    let tail = 18 + Int(bytes[17])
    guard bytes.count >= tail + 28, let item = ItemID(bytes: bytes[0..<16]),
      let time = Timestamp(rawValue: UInt64(bigEndianBytes: bytes[tail..<tail + 8])),
      UInt64(bigEndianBytes: bytes[tail + 24..<tail + 28]) == UInt64(bytes.count - tail - 28)
    else { throw EntryFailure(.notCanonical) }
    let register = try Register(kind: bytes[16], name: Array(bytes[18..<tail]))
    let replica = ReplicaID(rawValue: UInt64(bigEndianBytes: bytes[tail + 8..<tail + 16]))
    self.init(
      item: item, register: register,
      value: try RegisterValue(canonicalBytes: Array(bytes[(tail + 28)...]), of: register),
      stamp: Stamp(time: time, replica: replica),
      sequence: Int64(bitPattern: UInt64(bigEndianBytes: bytes[tail + 16..<tail + 24])))
    try Delta.Builder.check(self)
  }
}

extension Register {
  /// Makes the register of a kind byte and the bytes of a name, which ``kind`` and ``nameBytes`` were.
  ///
  /// - Parameters:
  ///   - kind: Which kind.
  ///   - name: Its name; none for a life and a position.
  /// - Throws: ``EntryFailure`` if there is no such register.
  /// - Complexity: O(the bytes of the name)
  public init(kind: UInt8, name: [UInt8]) throws(EntryFailure) {
    guard kind < Kind.firstCritical else { throw EntryFailure(.needsUpgrade) }
    guard name.count <= FieldName.maximumByteCount, Delta.Builder.isUTF8(name) else {
      throw EntryFailure(.badName)
    }
    switch kind {
    case Kind.life where name.isEmpty: self = .life
    case Kind.position where name.isEmpty: self = .position
    case Kind.field:
      guard let field = FieldName(String(decoding: name, as: UTF8.self)) else {
        throw EntryFailure(.badName)
      }
      self = .field(field)
    case Kind.firstOther...: self = .other(kind: kind, name: name)
    default: throw EntryFailure(.badName)
    }
  }
}

extension RegisterValue {
  /// Reads ``canonicalBytes`` of a register's value.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of one value and nothing else.
  ///   - register: Whose value it is.
  /// - Throws: Why they are none.
  /// - Complexity: O(*b*) for *b* bytes
  public init(canonicalBytes bytes: [UInt8], of register: Register) throws(EntryFailure) {
    switch register {
    case .life:
      guard bytes.count == 8 else { throw EntryFailure(.notCanonical) }
      let length = UInt64(bigEndianBytes: bytes[...])
      guard length > 0, length <= RegisterValue.longestLife else { throw EntryFailure(.badLength) }
    case .position:
      guard bytes.count > 8 else { throw EntryFailure(.notCanonical) }
      do throws(MalformedSortKey) {
        try SortKey.validate(bytes[8...])
      } catch {
        throw EntryFailure(.notCanonical)
      }
    case .field: try FieldValue.check(canonicalBytes: bytes)
    case .other: break
    }
    guard bytes.count <= FieldValue.maximumByteCount else { throw EntryFailure(.badValue) }
    self.init(register, canonicalBytes: bytes[...])
  }
}

extension FieldValue {
  fileprivate static func check(canonicalBytes bytes: [UInt8]) throws(EntryFailure) {
    guard let tag = bytes.first else { throw EntryFailure(.notCanonical) }
    guard tag < Tag.firstCritical else { throw EntryFailure(.needsUpgrade) }
    let isWhole: Bool
    switch tag {
    case Tag.cleared, Tag.false, Tag.true: isWhole = bytes.count == 1
    case Tag.int64: isWhole = bytes.count == 9
    case Tag.double:
      let number = Double(bitPattern: UInt64(bigEndianBytes: bytes[1...]))
      isWhole =
        bytes.count == 9 && FieldValue.double(number).canonicalBytes.elementsEqual(bytes)
    case Tag.string: isWhole = Delta.Builder.isUTF8(Array(bytes[1...]))
    default: isWhole = true
    }
    guard isWhole else { throw EntryFailure(.notCanonical) }
  }
}
