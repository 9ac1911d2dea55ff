/// A write that was made, and what it replaced: enough to take it back.
public struct Write: Hashable, Sendable {
  /// Whose register was written.
  public let item: ItemID

  /// Which register.
  public let register: Register

  /// The name of the write.
  public let dot: Dot

  /// What the register held before, or `nil` if it was never written.
  public let previous: RegisterValue?
}
