import Betwixt

/// Items by what they say: where hundreds have one text, the others that a row may mean are found by
/// its rarest value.
struct TextValueIndex {
  private var items: [FieldName: [FieldValue: [Int]]] = [:]

  init(_ all: [TextItem]) {
    for (place, item) in all.enumerated() {
      for (name, held) in item.values {
        guard let value = held.value else { continue }
        items[name, default: [:]][value, default: []].append(place)
      }
    }
  }

  /// The items that have one of a row's values, that which fewest have; none if too many have each.
  func items(sharingAValueOf row: TextRow, atMost limit: Int) -> [Int] {
    var best: [Int] = []
    for (name, value) in row.values.sorted(by: { $0.key < $1.key }) {
      guard let found = items[name]?[value], found.count <= limit else { continue }
      if best.isEmpty || found.count < best.count { best = found }
    }
    return best
  }
}
