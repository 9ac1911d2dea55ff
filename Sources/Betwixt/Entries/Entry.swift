/// One write of one register: the atom that merges, syncs and is hashed.
public struct Entry: Hashable, Sendable {
  /// Whose register.
  public let item: ItemID

  /// Which register.
  public let register: Register

  /// What was written.
  public let value: RegisterValue

  /// What decides against another write: time, then replica.
  public let stamp: Stamp

  /// The number of the write among its replica's writes, from 1.
  public let sequence: Int64

  /// The name of the write.
  public var dot: Dot { Dot(replica: stamp.replica, sequence: sequence) }

  /// Makes an entry without looking at it; ``Delta/Builder`` checks what it takes.
  public init(
    item: ItemID, register: Register, value: RegisterValue, stamp: Stamp, sequence: Int64
  ) {
    self.item = item
    self.register = register
    self.value = value
    self.stamp = stamp
    self.sequence = sequence
  }

  /// The bytes that are hashed, fixed for ever:
  /// `item 16 · kind 1 · name length 1 · name · time 8 · replica 8 · sequence 8 · value length 4 ·
  /// value`, all big endian.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonicalBytes(to: &bytes)
    return bytes
  }

  /// Appends ``canonicalBytes``.
  package func appendCanonicalBytes(to bytes: inout [UInt8]) {
    item.appendCanonicalHead(
      register, at: stamp.time.rawValue, by: stamp.replica, sequence: sequence,
      valueByteCount: value.canonicalByteCount, to: &bytes)
    value.appendCanonicalBytes(to: &bytes)
  }
}

extension Entry {
  /// The total order of two writes of one register: a list keeps the greatest.
  package func isLess(than other: Entry) -> Bool {
    writeOrder(
      (stamp.time.rawValue, stamp.replica, sequence),
      (other.stamp.time.rawValue, other.stamp.replica, other.sequence), isLife: register == .life
    ) {
      compareBytes(value.canonicalBytes[...], other.value.canonicalBytes[...])
    } < 0
  }
}
