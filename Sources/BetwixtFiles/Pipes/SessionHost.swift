public import Betwixt
public import BetwixtSync

/// What a session works on: the list, and where merged and own writes become durable.
public protocol SessionHost: ~Copyable {
  /// The list as it is now; `nil` if it is not known which one the peer means, or there is none.
  var list: ReplicatedList? { get }

  /// Why there is no list after `greeted`, for the peer; `nil` if it is simply not known here.
  var refusal: SyncFailure? { get }

  /// Merges what the peer sent; returns when it is durable.
  ///
  /// - Parameter delta: What the peer sent.
  /// - Returns: What was taken, and what was not.
  mutating func merge(_ delta: Delta) -> SyncOutcome

  /// Makes own writes durable, and notes that they leave the device.
  ///
  /// - Parameter sequence: The highest number among them.
  /// - Returns: Whether it was done.
  mutating func makeDurable(upTo sequence: Int64) -> SyncOutcome

  /// Takes note of what happened.
  ///
  /// A server that has no list yet opens the one that the peer names in `greeted`; if it then still
  /// has none, the peer is told that it is unknown.
  mutating func note(_ event: SyncEvent)

  /// Takes note of how the session ended.
  mutating func note(_ end: SyncEnd)
}

extension SessionHost where Self: ~Copyable {
  /// Hosts that need not know how a session ended do nothing.
  public mutating func note(_ end: SyncEnd) {}
}

extension SessionHost where Self: ~Copyable {
  /// A list that is not there is not known.
  public var refusal: SyncFailure? { nil }
}

/// How a session over two descriptors ended.
public struct PipeEnding: Hashable, Sendable {
  /// How the session ended.
  public let end: SyncEnd

  /// What the other program wrote before the protocol began, as far as it can be shown.
  public let strayText: String

  /// How many bytes went out.
  public let sentByteCount: Int

  /// How many bytes came in.
  public let receivedByteCount: Int
}
