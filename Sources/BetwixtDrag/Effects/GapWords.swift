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
