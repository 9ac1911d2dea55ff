/// Where an item stands and why: which write won each of its registers.
public struct Explanation: Hashable, Sendable {
  /// Which item.
  public let id: ItemID

  /// Its place among the visible items; `nil` if it is not shown.
  public let index: Int?

  /// Its section, if it ever had a position.
  public let section: Int64?

  /// The winning write of each register, rising by register.
  public let entries: [Entry]

  /// Whether it was removed, and is not shown for that reason.
  public let isRemoved: Bool

  /// Whether what it held was forgotten, but for what was written later: see
  /// ``ReplicatedList/forget(below:)``.
  public let isForgotten: Bool
}

extension Explanation: CustomStringConvertible {
  /// A line on where the item stands, then one for each register.
  public var description: String {
    var lines: [String] = []
    if let index, let section {
      lines.append("\(id) stands at place \(index), in section \(section)")
    } else if id == .root {
      lines.append("\(id) is the list itself, which stands nowhere")
    } else if isRemoved {
      lines.append("\(id) is removed" + (isForgotten ? ", and what it held is forgotten" : ""))
    } else {
      lines.append("\(id) is not complete: some of its registers have not arrived")
    }
    for entry in entries {
      let time = entry.stamp.time
      lines.append(
        "  \(entry.register): \(Explanation.text(entry.value)), written by "
          + "\(entry.stamp.replica) as its number \(entry.sequence) at \(time.milliseconds) ms"
          + (time.counter == 0 ? "" : " + \(time.counter)"))
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ value: RegisterValue) -> String {
    switch value {
    case .life(let length):
      length & 1 == 1 ? "alive (length \(length))" : "removed (length \(length))"
    case .position(let section, let key):
      "section \(section), sort order \(key.approximateSortOrder)"
    case .field(nil): "no value"
    case .field(.bool(let value)?): "\(value)"
    case .field(.int64(let value)?): "\(value)"
    case .field(.double(let value)?): "\(value)"
    case .field(.string(let value)?): "\u{201c}\(value)\u{201d}"
    case .field(.bytes(let value)?): "\(value.count) bytes"
    case .field(.unknown(let tag, let payload)?):
      "\(payload.count) bytes of the unknown kind \(tag)"
    case .other(let raw): "\(raw.count) bytes"
    }
  }
}

extension ReplicatedList {
  /// Where an item stands and why; `nil` if nothing of it is known.
  ///
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public func explain(_ item: ItemID) -> Explanation? {
    guard let found = self[id: item] else { return nil }
    return Explanation(
      id: item, index: index(id: item), section: found.section, entries: found.entries,
      isRemoved: found.isRemoved, isForgotten: found.isForgotten)
  }
}
