/// Fields by name, rising by the names' bytes.
///
///     var fields: Fields = ["title": "Lunch", "durationMin": 90]
///     fields["title"]?.string  // "Lunch"
///     fields["note"]           // nil
public struct Fields: Hashable, Sendable {
  /// One field.
  public struct Element: Hashable, Sendable {
    /// Its name.
    public let name: FieldName

    /// What it holds.
    public let value: FieldValue
  }

  private var elements: [Element] = []

  /// Makes no fields.
  public init() {}

  package init(sorted elements: [Element]) { self.elements = elements }

  /// The value of a field; assigning `nil` leaves the field out.
  ///
  /// - Complexity: O(log *f*) to read, O(*f*) to write
  public subscript(name: FieldName) -> FieldValue? {
    get {
      let place = lowerBound(name)
      guard place < elements.count, elements[place].name == name else { return nil }
      return elements[place].value
    }
    set {
      let place = lowerBound(name)
      if place < elements.count, elements[place].name == name { elements.remove(at: place) }
      guard let newValue else { return }
      let element = Element(name: name, value: newValue)
      // Inserting at the end is several times slower than appending.
      if place == elements.count {
        elements.append(element)
      } else {
        elements.insert(element, at: place)
      }
    }
  }

  private func lowerBound(_ name: FieldName) -> Int {
    // Most callers add in order.
    guard let last = elements.last, !(last.name < name) else { return elements.count }
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Fields: RandomAccessCollection {
  /// The first field.
  public var startIndex: Int { 0 }

  /// The place behind the last field.
  public var endIndex: Int { elements.count }

  /// The field at a place.
  public subscript(position: Int) -> Element { elements[position] }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Makes fields from a literal; of a name given twice the last value counts.
  public init(dictionaryLiteral elements: (FieldName, FieldValue)...) {
    self.elements.reserveCapacity(elements.count)
    for (name, value) in elements { self[name] = value }
  }
}
