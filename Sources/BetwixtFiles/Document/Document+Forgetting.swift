public import Betwixt
import BetwixtSync

extension Document {
  /// What letting go has brought.
  public struct Forgotten: Hashable, Sendable {
    /// How many fields and places of removed items went.
    public let registerCount: Int

    /// The size of the file before, in bytes.
    public let byteCountBefore: Int

    /// The size of the file now, in bytes.
    public let byteCount: Int
  }

  /// Lets go what removed items held, and writes the file anew without it.
  ///
  /// See `ReplicatedList.forget(below:)` for what is kept and what goes. The floor goes to others
  /// with the next sync. It makes the document small and is no way to erase anything: the generation
  /// before stays beside the file, and others may keep what they hold.
  ///
  ///     let month: Int64 = 30 * 86_400_000
  ///     let floor = trip.list.version(olderThan: Timestamp(milliseconds: now - month))
  ///     try trip.forget(below: floor)
  ///
  /// - Parameter floor: For each replica the number up to which; what is not known does not count.
  /// - Returns: What that has brought.
  /// - Throws: ``Failure``; the document is as it was, or has forgotten and is not written anew yet.
  /// - Complexity: O(*n* log *n*)
  @discardableResult
  public mutating func forget(below floor: VersionVector) throws(Failure) -> Forgotten {
    let size = file.size
    var count = 0
    for _ in 0..<2 {
      var copy = list
      count += copy.forget(below: floor)
      guard copy.floor != list.floor else { break }
      var builder = Delta.Builder()
      builder.forget(below: copy.floor)
      // What came from others meanwhile is looked at once more.
      try merge(builder.build())
    }
    if count > 0 {
      try lock()
      defer { unlock() }
      do throws(DocumentFileFailure) {
        try host.file.compact()
      } catch {
        throw Failure(name, .file(error))
      }
    }
    return Forgotten(registerCount: count, byteCountBefore: size, byteCount: file.size)
  }
}
