extension ListItem: CustomStringConvertible {
  /// The id, where it stands and what it holds, for people: the form may change.
  public var description: String {
    var words = ["\(id)"]
    if id != .root {
      if isVisible, let section {
        words.append("in section \(section)")
      } else if isRemoved {
        words.append(isForgotten ? "removed and forgotten" : "removed")
      } else {
        words.append("not complete")
      }
    }
    let fields = self.fields
    if !fields.isEmpty {
      let texts = fields.map { "\($0.name): \(ListItem.text($0.value))" }
      words.append("{\(texts.joined(separator: ", "))}")
    }
    return words.joined(separator: " ")
  }

  private static func text(_ value: FieldValue) -> String {
    switch value {
    case .bool(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\u{201c}\(value)\u{201d}"
    case .bytes(let value): "\(value.count) bytes"
    case .unknown(let tag, let payload): "\(payload.count) bytes of the unknown kind \(tag)"
    }
  }
}
