/// How much a document may hold in all.
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

  /// What no document may pass.
  public static let ceiling = FormatLimits(
    items: 1 << 24, replicas: 65_536, fieldsPerItem: 1024, byteCount: 1 << 30)

  /// What hosts start from when they say how much they take.
  public static let suggested = FormatLimits(
    items: 100_000, replicas: 4096, fieldsPerItem: 64, byteCount: 64 << 20)
}

/// A list that holds more than a block may; nothing was written.
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

  init(_ limit: Limit, _ count: Int) {
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
