import Betwixt

/// Gives a number to the items that came without one.
enum PlainPlacer {
  /// The items rising by id, each with its place.
  ///
  /// A game without a number gets its anchor. All others are appended to their day, in the order
  /// of the file and below everything that has a number.
  ///
  /// - Complexity: O(*n* log *n*)
  static func place(_ drafts: [PlainDraft]) -> [PlainItem] {
    var last: [Int64: Double] = [:]
    for draft in drafts {
      guard let number = draft.number ?? draft.anchor else { continue }
      last[draft.section] = max(last[draft.section] ?? number, number)
    }
    var items: [PlainItem] = []
    items.reserveCapacity(drafts.count)
    for draft in drafts {
      let number: Double
      let origin: PlainPlace.Origin
      if let given = draft.number {
        (number, origin) = (given, .given)
      } else if let anchor = draft.anchor {
        (number, origin) = (anchor, .anchored)
      } else {
        (number, origin) = (PlainPlacer.number(below: last[draft.section]), .appended)
        last[draft.section] = number
      }
      let place = PlainPlace(
        section: draft.section, number: number, origin: origin, fileIndex: draft.fileIndex)
      items.append(
        PlainItem(id: draft.id, time: draft.time, place: place, fields: draft.fields))
    }
    return items.sorted { $0.id < $1.id }
  }

  /// The number of an item that is appended below the last one of its day.
  ///
  /// Appended items stand at 0 and above, whatever stands before them.
  static func number(below last: Double?) -> Double {
    guard let last, last > 0 else { return 1 }
    // Beyond 2^52 a double is whole; `rounded(_:)` would need the C library's mathematics.
    let whole = last < 0x1p52 ? Double(Int64(last)) : last
    let next = whole + 1
    return next > last ? next : Double.minimum(last.nextUp, .greatestFiniteMagnitude)
  }
}
