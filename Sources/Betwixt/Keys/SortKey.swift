/// Where an item stands in its section: an immutable byte string, compared byte by byte.
///
/// There is room between any two keys, for everyone, for ever; no neighbour is ever renumbered. A
/// new key is a pure function of its two neighbours, the replica and a counter that the replica
/// uses only once. So a key belongs to one item and one write, or to one that takes a move of that
/// item back, and what one replica inserts at one place stays together when lists are merged.
///
///     let alice = ReplicaID(rawValue: 0xa11ce)
///     let first = try SortKey.between(nil, nil, replica: alice, counter: 1)
///     let second = try SortKey.between(first, nil, replica: alice, counter: 2)
///     let middle = try SortKey.between(first, second, replica: alice, counter: 3)
///     first < middle && middle < second  // true
///
/// # Numbers
///
/// A key begins with a number, so lists that were ordered by a floating-point column keep their
/// order, and a key always has a number to show to such a column again:
///
///     let low = try SortKey(importing: 1, of: a)
///     let high = try SortKey(importing: 2, of: b)
///     try SortKey.between(low, high, replica: alice, counter: 1).approximateSortOrder  // 1.5
///
/// # Text
///
/// The hexadecimal text of keys orders like the keys, so a database can `ORDER BY` either.
public struct SortKey: Hashable, Sendable {
  /// The bytes, never more than ``maximumByteCount``.
  public let bytes: [UInt8]

  /// Longer keys are malformed for everyone.
  public static let maximumByteCount = 1024

  /// Takes bytes that are known to be a key.
  package init(validBytes bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Takes the bytes of a key.
  ///
  /// - Parameter bytes: What ``bytes`` of some key was.
  /// - Throws: Why the bytes are no key, and where.
  /// - Complexity: O(*b*) for *b* bytes
  public init(bytes: [UInt8]) throws(MalformedSortKey) {
    try Self.validate(bytes[...])
    self.bytes = bytes
  }

  /// Makes the key of an imported item, which stands where its number says.
  ///
  /// Items with the same number are ordered by their ids. -0 counts as 0.
  ///
  /// - Parameters:
  ///   - sortOrder: The number the item had.
  ///   - id: The item's id, which makes the key unique.
  /// - Throws: ``SortKeyRefusal/notFinite`` for infinities and what is not a number.
  public init(importing sortOrder: Double, of id: ItemID) throws(SortKeyRefusal) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(28)
    try Self.appendImported(sortOrder, of: id, to: &bytes)
    self.bytes = bytes
  }

  /// Makes a new key strictly between two neighbours; `nil` is an end of the list.
  ///
  /// - Parameters:
  ///   - left: The key before the new one.
  ///   - right: The key after the new one.
  ///   - replica: Whose key it is.
  ///   - counter: At least 1; a number that the replica gives to no other key, and greater than
  ///     those it gave before.
  /// - Returns: The new key.
  /// - Throws: ``SortKeyRefusal/order`` if `left` is not below `right`, and
  ///   ``SortKeyRefusal/exhausted`` if the key would be too long.
  /// - Complexity: O(*b*) for *b* bytes of both neighbours
  public static func between(
    _ left: SortKey?, _ right: SortKey?, replica: ReplicaID, counter: Int64
  ) throws(SortKeyRefusal) -> SortKey {
    precondition(counter > 0, "A sort key's counter is at least 1, not \(counter)")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    try append(
      between: left?.bytes[...], and: right?.bytes[...], replica: replica, counter: counter,
      to: &bytes)
    return SortKey(validBytes: bytes)
  }

  /// The number that the key begins with, or the next lower `Double`.
  ///
  /// Along a list it never falls, and of an imported key it is the number that was imported. Keys
  /// beside each other may share it, so nothing can be ordered by it alone: whoever stores a number
  /// for each item takes `Trip.sortOrders(ofDay:)` of BetwixtTrips, or stores the key.
  public var approximateSortOrder: Double { Self.sortOrder(of: bytes[...]) }
}

extension SortKey: Comparable {
  /// The order of the bytes.
  public static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension SortKey: CustomStringConvertible {
  /// The bytes as lower-case hexadecimal digits.
  public var description: String { Hex.encode(bytes) }

  /// Reads the text that ``description`` writes; `nil` for any other text.
  public init?(hex text: String) {
    guard let bytes = Hex.decode(text.utf8) else { return nil }
    try? self.init(bytes: bytes)
  }
}
