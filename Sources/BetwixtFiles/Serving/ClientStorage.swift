public import Betwixt

/// Where a ``LiveClient`` keeps its document.
public protocol ClientStorage: Sendable {
  /// Brings writes to the drive, the own ones and those of others: all of them, or an error.
  ///
  /// While it works others gather, and come with the next call. What it could not store of the own
  /// writes comes again.
  func store(_ writes: [Delta]) async throws
}
