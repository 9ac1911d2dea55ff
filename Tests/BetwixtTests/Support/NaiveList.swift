import Betwixt

/// The register model written down as plainly as it can be.
///
/// A dictionary of registers, each holding the greatest entry: slow, and simple enough to be believed.
struct NaiveList: Equatable {
  struct Address: Hashable {
    let item: ItemID
    let register: Register
  }

  private(set) var registers: [Address: Entry] = [:]

  /// What is claimed of each replica; no claim is 0.
  private(set) var version: [ReplicaID: Int64] = [:]

  private var highest: [ReplicaID: Int64] = [:]

  // MARK: Joining

  /// Takes an entry; returns whether it is the greatest of its register now and was not before.
  @discardableResult
  mutating func join(_ entry: Entry) -> Bool {
    let address = Address(item: entry.item, register: entry.register)
    if let present = registers[address], !NaiveList.wins(entry, over: present) { return false }
    registers[address] = entry
    see(entry.dot.replica, entry.sequence)
    return true
  }

  mutating func join(_ other: NaiveList) {
    for entry in other.registers.values { join(entry) }
    for (replica, sequence) in other.version { cover(replica, after: 0, through: sequence) }
  }

  /// Claims the writes up to `through` if all up to `after` are claimed.
  mutating func cover(_ replica: ReplicaID, after: Int64, through: Int64) {
    guard version[replica] ?? 0 >= after, version[replica] ?? 0 < through else { return }
    version[replica] = through
    see(replica, through)
  }

  private mutating func see(_ replica: ReplicaID, _ sequence: Int64) {
    highest[replica] = max(highest[replica] ?? 0, sequence)
  }

  /// Shows an item as if its life had another length.
  mutating func pretend(_ item: ItemID, lifeLength: UInt64) {
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 0))
    registers[Address(item: item, register: .life)] = Entry(
      item: item, register: .life, value: .life(lifeLength), stamp: stamp, sequence: 1)
  }

  /// The total order on content: life by its length first, then time, replica, value, number.
  static func wins(_ left: Entry, over right: Entry) -> Bool {
    if case .life(let leftLength) = left.value, case .life(let rightLength) = right.value,
      leftLength != rightLength
    {
      return leftLength > rightLength
    }
    if left.stamp != right.stamp { return left.stamp > right.stamp }
    let leftBytes = left.value.canonicalBytes
    let rightBytes = right.value.canonicalBytes
    if leftBytes != rightBytes { return rightBytes.lexicographicallyPrecedes(leftBytes) }
    return left.sequence > right.sequence
  }

  /// Whether a register shows the same: a field that is cleared is as one that was never written.
  static func look(alike before: Entry?, _ entry: Entry) -> Bool {
    (before?.value ?? .field(nil)) == entry.value
  }

  /// Whether two entries put the same value into the same register.
  static func isSame(_ left: Entry, _ right: Entry) -> Bool {
    left.item == right.item && left.register == right.register && left.value == right.value
  }

  // MARK: Reading

  /// The greatest number of a replica that was ever taken in or claimed.
  func highestSequence(of replica: ReplicaID) -> Int64 { highest[replica] ?? 0 }

  subscript(item: ItemID, register: Register) -> Entry? {
    registers[Address(item: item, register: register)]
  }

  /// All entries, rising by item, then register.
  var entries: [Entry] {
    registers.values.sorted { ($0.item, $0.register) < ($1.item, $1.register) }
  }

  func entries(of item: ItemID) -> [Entry] {
    registers.values.filter { $0.item == item }.sorted { $0.register < $1.register }
  }

  /// Every item that has a register, rising by id.
  var items: [ItemID] { Set(registers.keys.map(\.item)).sorted() }

  func lifeLength(_ item: ItemID) -> UInt64 {
    if case .life(let length)? = self[item, .life]?.value { length } else { 0 }
  }

  func position(_ item: ItemID) -> (section: Int64, key: SortKey)? {
    if case .position(let section, let key)? = self[item, .position]?.value {
      (section, key)
    } else {
      nil
    }
  }

  func field(_ name: FieldName, of item: ItemID) -> FieldValue? {
    if case .field(let value)? = self[item, .field(name)]?.value { value } else { nil }
  }

  func isVisible(_ item: ItemID) -> Bool {
    item != .root && !lifeLength(item).isMultiple(of: 2) && position(item) != nil
  }

  /// The items on show: by section, then key bytes, then id.
  var visible: [ItemID] {
    let places = items.compactMap { item in
      isVisible(item) ? position(item).map { ($0.section, $0.key.bytes, item) } : nil
    }
    let rising = places.sorted { left, right in
      if left.0 != right.0 { return left.0 < right.0 }
      return left.1 != right.1 ? left.1.lexicographicallyPrecedes(right.1) : left.2 < right.2
    }
    return rising.map(\.2)
  }

  func visible(in section: Int64) -> [ItemID] {
    visible.filter { position($0)?.section == section }
  }

  /// SHA-256 over a domain, the count of entries, and the sum of their own hashes mod 2^256.
  var digest: [UInt8] {
    var sum = [UInt8](repeating: 0, count: 32)
    for entry in registers.values {
      var carry = 0
      for (place, byte) in SHA256.hash(entry.canonicalBytes).enumerated().reversed() {
        carry += Int(sum[place]) + Int(byte)
        sum[place] = UInt8(carry & 0xff)
        carry >>= 8
      }
    }
    var message = Array("betwixt list 1".utf8) + [0]
    message.appendBigEndian(UInt64(registers.count))
    return SHA256.hash(message + sum)
  }
}
