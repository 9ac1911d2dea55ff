import Betwixt

/// The properties that events lack although their items were exported with them.
///
/// What they say stays: nobody can tell a line that a person took out from one that a program dropped
/// because it does not know it. So a person is told.
struct MissingProperties {
  private var events: [String: (count: Int, line: Int)] = [:]

  /// Notes what one event lacks.
  ///
  /// - Parameters:
  ///   - names: The properties, each once.
  ///   - line: Where the event begins.
  mutating func note(_ names: [String], line: Int) {
    for name in names {
      let known = events[name]
      events[name] = ((known?.count ?? 0) + 1, min(known?.line ?? line, line))
    }
  }

  /// A note for each property, rising by its name, with the line of the first event.
  var notes: [(line: Int, text: String)] {
    events.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, found in
      let rest =
        switch name {
        case "DESCRIPTION", "LOCATION", "SUMMARY":
          "which stays as it is: an empty \(name) clears it"
        case "DTEND", "DURATION": "and takes as long as before"
        default: "which stays as it is"
        }
      return (found.line, "\(found.count) × an event lacks \(name.excerpt), \(rest)")
    }
  }
}

extension CalendarContent {
  /// The properties that an item was exported with and this event lacks.
  ///
  /// - Parameters:
  ///   - exported: What export said of the item.
  ///   - item: The item, whose other properties are kept in fields.
  /// - Returns: Their names, each once.
  func missing(of exported: CalendarContent, _ item: ListItem) -> [String] {
    var names: [String] = []
    if summary == nil, exported.summary != nil { names.append("SUMMARY") }
    if location == nil, exported.location != nil { names.append("LOCATION") }
    if note == nil, exported.note != nil { names.append("DESCRIPTION") }
    if point == nil, exported.point != nil { names.append("GEO") }
    // A whole day says no more with its end than without.
    if end == nil, let line = exported.end, minutes != exported.minutes {
      names.append(line.isDuration ? "DURATION" : "DTEND")
    }
    let present = Set(kept.fields.map { KeptProperty.family($0.name) })
    for entry in item.entries {
      guard case .field(let name) = entry.register, item[name] != nil,
        case .property(let property, isWritten: false) = KeptProperty.role(of: name),
        !present.contains(KeptProperty.family(name)), names.last != property
      else { continue }
      names.append(property)
    }
    return names
  }
}
