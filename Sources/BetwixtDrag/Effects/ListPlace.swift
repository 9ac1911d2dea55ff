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
