import Betwixt

/// What the events of a calendar say of the items of a list, and what they have no line for.
struct CalendarView {
  // Whether an event carries its item whole.
  private var isWhole: [ItemID: Bool] = [:]

  init(_ calendar: CalendarFile) {
    for event in calendar.events { isWhole[event.id] = event.own != nil }
  }

  /// Whether an event was exported from a trip, and carries all of its item.
  func isOwn(_ item: ItemID) -> Bool { isWhole[item] ?? false }

  /// Whether an entry of an item can have been there when the calendar was written, though its event
  /// does not say so.
  func leavesOpen(_ entry: Entry, of item: ListItem) -> Bool {
    guard let isWhole = isWhole[item.id], case .field(let name) = entry.register else {
      return true
    }
    // An event that carries its item leaves out what no plain file has room for.
    if isWhole {
      // Its version stands beside its fields.
      if name == .calendarSequence || name == .calendarModified { return true }
      let shown = PlainViewItem(item, in: .trip)
      return shown.omissions.contains { $0.field == name }
    }
    // A program that dropped what is ours keeps what each calendar has.
    return item[.calendarUID] == nil
  }
}
