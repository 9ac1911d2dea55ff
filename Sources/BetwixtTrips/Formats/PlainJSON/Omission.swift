public import Betwixt

/// Something of a list that a plain file has no room for.
public struct Omission: Hashable, Sendable {
  /// Why it was left out.
  public enum Reason: String, CaseIterable, Sendable {
    /// A value of bytes.
    case bytes = "bytes"
    /// A value of a newer version.
    case unknownValue = "unknown value"
    /// An infinity, or what is no number.
    case nonFinite = "non-finite number"
    /// A known field whose value has another type or form.
    case badField = "bad field"
    /// A field with a name that the file needs for its structure.
    case structuralName = "structural name"
    /// A field `json:NAME` that holds no JSON, or JSON nested too deep.
    case noJSON = "no JSON"
    /// A field that another field of the same member hides.
    case hidden = "hidden by another field"
  }

  /// Whose field; `ItemID.root` for the trip's own.
  public let item: ItemID

  /// Which field.
  public let field: FieldName

  /// Why it was left out.
  public let reason: Reason
}
