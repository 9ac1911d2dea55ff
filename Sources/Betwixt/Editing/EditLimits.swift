/// How large what a local edit writes may be.
///
/// The defaults are those of the format's recommendations; its ceilings cannot be exceeded.
public struct EditLimits: Hashable, Sendable {
  /// Most bytes of a field's name, at most 255.
  public var nameByteCount = 64

  /// Most canonical bytes of a field's value, at most 512 KiB.
  public var valueByteCount = 64 * 1024

  /// A key that would get longer than this makes the list spread neighbours; at most 1,024.
  public var keyByteCount = 512

  /// Makes the default limits.
  public init() {}

  /// The same with names and values as large as the format allows, for writes that take over what
  /// was in a document.
  package var takingOver: EditLimits {
    var limits = self
    limits.nameByteCount = FieldName.maximumByteCount
    limits.valueByteCount = FieldValue.maximumByteCount
    return limits
  }
}
