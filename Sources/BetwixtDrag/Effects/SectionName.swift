/// A day or a group by its name.
public enum SectionName: Hashable, Sendable {
  /// A day of a trip.
  case day(Int64)
  /// A group of tasks.
  case group(String)

  /// The name within a sentence.
  public var text: String {
    switch self {
    case .day(let day): "day \(day)"
    case .group(let title): title
    }
  }

  /// The name at the start of a sentence.
  public var title: String {
    switch self {
    case .day(let day): "Day \(day)"
    case .group(let title): title
    }
  }
}
