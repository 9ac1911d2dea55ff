/// How much a reader takes in all; writers know no limits but those of memory.
///
/// Single entries have ceilings of their own, equal for everyone, which are part of what a block is.
public struct FormatLimits: Hashable, Sendable {
  /// Items, removed ones included.
  public var items: Int

  /// Replica ids.
  public var replicas: Int

  /// Registers of one item other than its life and its position.
  public var fieldsPerItem: Int

  /// Bytes of one block.
  public var byteCount: Int

  /// Makes limits.
  public init(items: Int, replicas: Int, fieldsPerItem: Int, byteCount: Int) {
    self.items = items
    self.replicas = replicas
    self.fieldsPerItem = fieldsPerItem
    self.byteCount = byteCount
  }

  /// What memory sets: the numbers of items, replicas and fields have 32 bits there.
  ///
  /// What honest copies hold together is far below, so whatever was edited or merged can be
  /// written, sent and read.
  public static let ceiling = FormatLimits(
    items: .greatest, replicas: .greatest, fieldsPerItem: .greatest, byteCount: .greatest)

  /// What a host may start from that wants to take less than all.
  public static let suggested = FormatLimits(
    items: 100_000, replicas: 4096, fieldsPerItem: 64, byteCount: 64 << 20)
}

extension Int {
  fileprivate static let greatest = Int(Int32.max)
}

/// More than a reader takes, or a block of more bytes than there can be; nothing was written.
public struct LimitExceeded: Error, Hashable, Sendable {
  /// Which limit.
  public enum Limit: Hashable, Sendable {
    /// ``FormatLimits/items``.
    case items
    /// ``FormatLimits/replicas``.
    case replicas
    /// ``FormatLimits/fieldsPerItem``.
    case fieldsPerItem
    /// ``FormatLimits/byteCount``.
    case byteCount
  }

  /// Which limit.
  public let limit: Limit

  /// How much there is.
  public let count: Int

  init(_ limit: Limit, count: Int) {
    self.limit = limit
    self.count = count
  }
}

extension LimitExceeded: CustomStringConvertible {
  /// A phrase with the number.
  public var description: String {
    switch limit {
    case .items: "\(count) items are more than the limit"
    case .replicas: "\(count) replicas are more than the limit"
    case .fieldsPerItem: "\(count) fields of one item are more than the limit"
    case .byteCount: "\(count) bytes are more than the limit"
    }
  }
}
