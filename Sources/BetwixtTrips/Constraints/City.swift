package import Betwixt

/// One side of a comparison of cities: an id, or else a name.
package struct City {
  let id: String?
  /// Trimmed, with single spaces, in lower case; `nil` if nothing is left.
  let name: String?

  package init(id: FieldValue?, name: FieldValue?) {
    self.id = id?.string.flatMap { $0.isEmpty ? nil : $0 }
    self.name = name?.string.flatMap { City.normalized($0) }
  }

  /// Whether the two are one city: ids decide if both have one, else names do.
  package func matches(_ other: City) -> Bool {
    if let id, let otherID = other.id { return id.hasSameBytes(as: otherID) }
    guard let name, let otherName = other.name else { return false }
    // Equality of `String`s is canonical equivalence, which is what is wanted for names.
    return name == otherName
  }

  static func normalized(_ text: String) -> String? {
    var result = String.UnicodeScalarView()
    var isPendingSpace = false
    for scalar in text.lowercased().unicodeScalars {
      if scalar.isWhiteSpace {
        isPendingSpace = !result.isEmpty
      } else {
        if isPendingSpace { result.append(" ") }
        isPendingSpace = false
        result.append(scalar)
      }
    }
    return result.isEmpty ? nil : String(result)
  }
}

/// The games of each city, by place in the list.
package struct CityIndex {
  package init() {}

  private var byID: [[UInt8]: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private var byNameWithoutID: [String: [Int]] = [:]

  /// Adds a game; games come by rising place.
  package mutating func add(_ city: City, at place: Int) {
    if let id = city.id { byID[Array(id.utf8), default: []].append(place) }
    guard let name = city.name else { return }
    byName[name, default: []].append(place)
    if city.id == nil { byNameWithoutID[name, default: []].append(place) }
  }

  /// The places of all games in a city, as lists that rise each.
  func places(of city: City) -> [[Int]] {
    guard let id = city.id else { return [city.name.flatMap { byName[$0] } ?? []] }
    return [byID[Array(id.utf8)] ?? [], city.name.flatMap { byNameWithoutID[$0] } ?? []]
  }
}
