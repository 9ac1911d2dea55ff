/// The number of a commit, from 1.
public struct CommitID: Hashable, Sendable {
  /// The number.
  public let number: Int

  /// Names a commit.
  public init(_ number: Int) { self.number = number }
}
