public import Betwixt

extension ChoiceSource {
  /// A value of any kind, small ones and strange ones.
  public mutating func fieldValue() -> FieldValue {
    switch next(below: 8) {
    case 0: .int64(Int64(next(below: 4)))
    case 1: .string(text())
    case 2: .bool(chance(1, in: 2))
    case 3: .double(pick([0, -0.0, .nan, .infinity, 1e-7, 19.4326]))
    case 4: .bytes((0..<next(below: 5)).map { UInt8(truncatingIfNeeded: $0 &* 97) })
    case 5: .int64(pick([.min, .max, -1]))
    case 6: .unknown(tag: 9, payload: [UInt8(next(below: 256))])
    default: .string(String(repeating: "long ", count: next(below: 60)))
    }
  }

  /// A text with something that a format could stumble over.
  public mutating func text() -> String {
    pick([
      "", "Dinner", "caf\u{e9}", "cafe\u{301}", "a,b;c\\d", "line\nbreak", "cr\r\nlf", "tab\there",
      "漢字 🏟️", "<&>\"'", "=1+1", "\u{7f}\u{1}\u{fffe}", "  ", "Ελλάδα",
    ])
  }

  /// A list that a few replicas have edited without hearing of each other, and then merged.
  ///
  /// - Parameters:
  ///   - itemCount: About how many items.
  ///   - id: The id of the list.
  /// - Returns: The list, with removed items, sections, fields and metadata.
  /// - Complexity: O(*n* log *n*) for *n* items
  public mutating func list(
    itemCount: Int, id: ListID = ListID(high: 7, low: 7)
  ) -> ReplicatedList {
    let replicaCount = 1 + next(below: 3)
    var merged = ReplicatedList(id: id)
    for number in 0..<replicaCount {
      let time = 1_777_000_000_000 + Int64(next(below: 3))
      var list = merged
      var me = Replica(id: ReplicaID(rawValue: UInt64(number + 1))) { time }
      for _ in 0..<max(1, itemCount / replicaCount) { edit(&list, by: &me) }
      merged.merge(list)
    }
    return merged
  }

  /// Makes one edit of any kind; what cannot be done is left undone.
  ///
  /// - Complexity: O(log *n*) for *n* items
  public mutating func edit(_ list: inout ReplicatedList, by me: inout Replica) {
    let section = Int64(next(below: 3)) - 1
    let offset = next(below: list.indices(inSection: section).count + 1)
    let name = FieldName("field \(next(below: 3))") ?? "field"
    guard !list.isEmpty, chance(1, in: 2) else {
      _ = try? list.insert([name: fieldValue()], at: offset, inSection: section, by: &me)
      return
    }
    let item = list[next(below: list.count)].id
    switch next(below: 6) {
    case 0: try? list.set(name, of: item, to: fieldValue(), by: &me)
    case 1: try? list.move(item, toOffset: offset, inSection: section, by: &me)
    case 2: try? list.remove(item, by: &me)
    case 3: try? list.clear(name, of: item, by: &me)
    case 4: try? list.set(name, of: .root, to: fieldValue(), by: &me)
    default: try? list.restore(item, by: &me)
    }
  }
}
