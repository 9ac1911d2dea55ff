/// Why an edit was not made.
///
/// The list is as it was.
public struct EditFailure: Error, Hashable, Sendable {
  /// What stood in the way.
  public enum Code: Hashable, Sendable {
    /// The list has no such item, or nothing of it that the edit needs has arrived yet.
    case unknownItem
    /// The register holds the greatest time there is, so no write can follow it.
    case stampExhausted
    /// The item was removed and restored 2^63 times.
    case lifeExhausted
    /// The replica has made 2^63 writes.
    case sequenceExhausted
    /// The field's name is longer than the replica's limits allow.
    case nameTooLong
    /// The value is larger than the replica's limits allow.
    case valueTooLarge
    /// A value that the format has no place for, such as a reserved tag.
    case invalidValue
    /// No key fits between the two neighbours that were named.
    case noRoom
    /// The section has no such offset: somebody has removed items since it was looked at.
    case unknownOffset
  }

  /// What stood in the way.
  public let code: Code

  /// The item that was to be edited, if it had an id.
  public let item: ItemID?

  /// The field whose name or value is refused.
  public let field: FieldName?

  init(_ code: Code, of item: ItemID? = nil, field: FieldName? = nil) {
    self.code = code
    self.item = item
    self.field = field
  }
}

extension EditFailure: CustomStringConvertible {
  /// A sentence.
  public var description: String {
    let subject = item.map { "item \($0)" } ?? "a new item"
    let name = field.map { " of “\($0.text)”" } ?? ""
    return switch code {
    case .unknownItem: "\(subject) is not in the list"
    case .stampExhausted: "\(subject): the register holds the greatest time there is"
    case .lifeExhausted: "\(subject) was removed and restored too often"
    case .sequenceExhausted: "\(subject): the replica has used up its sequence"
    case .nameTooLong: "\(subject): the field's name\(name.dropFirst(3)) is too long"
    case .valueTooLarge: "\(subject): the value\(name) is too large"
    case .invalidValue: "\(subject): the value\(name) cannot be stored"
    case .noRoom: "\(subject): there is no room between the two neighbours"
    case .unknownOffset: "\(subject): the section has no such offset any more"
    }
  }
}
