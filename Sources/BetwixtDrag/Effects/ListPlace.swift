/// Where an item stands, in words.
public struct ListPlace: Hashable, Sendable {
  /// Its number within its day, from 1.
  public let position: Int
  /// How many items the day shows.
  public let count: Int
  /// The day.
  public let section: SectionName

  /// Names a place.
  public init(position: Int, count: Int, section: SectionName) {
    self.position = position
    self.count = count
    self.section = section
  }

  var text: String { "position \(position) of \(count) on \(section.text)." }

  var sentence: String { "P" + text.dropFirst() }
}

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

/// One of the views of a list of tasks, in the order of the strip.
public enum TaskTab: String, Hashable, Sendable, CaseIterable {
  /// Tasks without a date.
  case inbox
  /// Tasks of today.
  case today
  /// Tasks of later days.
  case upcoming
  /// Numbers, no tasks.
  case analytics

  /// What the tab says.
  public var title: String {
    switch self {
    case .inbox: "Inbox"
    case .today: "Today"
    case .upcoming: "Upcoming"
    case .analytics: "Analytics"
    }
  }
}

/// What is next to a gap, in words.
public struct GapWords: Hashable, Sendable {
  /// The title of the item above.
  public let above: String?
  /// The title of the item below.
  public let below: String?
  /// The day.
  public let section: SectionName

  /// Names a gap.
  public init(above: String?, below: String?, section: SectionName) {
    self.above = above
    self.below = below
    self.section = section
  }

  var text: String {
    switch (above, below) {
    case (let above?, let below?): "Between \(above) and \(below), \(section.text)."
    case (nil, let below?): "Start of \(section.text), above \(below)."
    case (let above?, nil): "End of \(section.text), below \(above)."
    case (nil, nil): "\(section.title), empty."
    }
  }
}
