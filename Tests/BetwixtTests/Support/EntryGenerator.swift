import Betwixt

/// Makes entries that no sane history would.
///
/// Numbers are used twice, one stamp stands on two contents, keys belong to several items; merging
/// must converge on them all the same.
struct EntryGenerator {
  private var keys: [SortKey] = []
  private let items: [ItemID]

  init(items count: Int = 6) {
    items =
      [.root, ItemID(high: 0xffee_0000, low: 3)]
      + (1...max(1, count - 2)).map { ItemID(family: 1, sequence: Int64($0)) }
  }

  mutating func entries(_ count: Int, from source: inout ChoiceSource) -> [Entry] {
    (0..<count).map { _ in entry(from: &source) }
  }

  mutating func entry(from source: inout ChoiceSource) -> Entry {
    let item = source.pick(items)
    let replica = ReplicaID(rawValue: UInt64(1 + source.next(below: 3)))
    let sequence = Int64(1 + source.next(below: 8))
    let milliseconds = Int64(source.next(below: 3))
    let stamp = Stamp(time: Timestamp(milliseconds: milliseconds), replica: replica)
    let (register, value) = content(of: item, replica, sequence, from: &source)
    return Entry(item: item, register: register, value: value, stamp: stamp, sequence: sequence)
  }

  private mutating func content(
    of item: ItemID, _ replica: ReplicaID, _ sequence: Int64, from source: inout ChoiceSource
  ) -> (Register, RegisterValue) {
    switch source.next(below: 10) {
    case 0..<3: return (.life, .life(UInt64(1 + source.next(below: 4))))
    case 3..<6:
      let key = key(of: item, replica, sequence, from: &source)
      return (.position, .position(section: Int64(source.next(below: 3)) - 1, key: key))
    case 6: return (.other(kind: 0x03, name: [0x41]), .other([UInt8(source.next(below: 3))]))
    default:
      let value = source.chance(1, in: 4) ? nil : Device.value(source.next(below: 16))
      return (.field(Device.field(source.next(below: 3))), .field(value))
    }
  }

  private mutating func key(
    of item: ItemID, _ replica: ReplicaID, _ sequence: Int64, from source: inout ChoiceSource
  ) -> SortKey {
    if source.chance(1, in: 4), let key = try? SortKey(importing: 1.5, of: item) { return key }
    let left = keys.isEmpty || source.chance(1, in: 4) ? nil : source.pick(keys)
    let right = keys.filter { key in left.map { $0 < key } ?? true }.min()
    let key = try? SortKey.between(left, right, replica: replica, counter: sequence)
    guard let key else { preconditionFailure("no key between two keys of a small set") }
    keys.append(key)
    return key
  }
}

extension Delta {
  /// A delta of valid entries that claims nothing.
  init(_ entries: some Sequence<Entry>) throws {
    var builder = Builder()
    for entry in entries { try builder.add(entry) }
    self = builder.build()
  }
}

extension ReplicatedList {
  /// All winning entries, rising by item and register.
  var entries: [Entry] { allItems().flatMap(\.entries) }
}
