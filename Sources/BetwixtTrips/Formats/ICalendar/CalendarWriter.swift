import Betwixt

/// Appends the content lines of an iCalendar file.
struct CalendarWriter {
  private(set) var bytes: [UInt8] = []
  // A line that is being folded.
  private var scratch: [UInt8] = []

  /// Makes room for a file of so many events, of which some are written already.
  ///
  /// Events are much alike; a buffer that doubles again and again takes as much time as they do.
  mutating func reserve(_ count: Int, after written: Int) {
    guard written > 0 else { return }
    bytes.reserveCapacity(bytes.count / written * count / 8 * 9)
  }

  /// Appends `name:value`, folded at 75 bytes and never within a character.
  mutating func line(_ name: String, _ value: String) { line("\(name):\(value)") }

  /// Appends a whole line, folded.
  mutating func line(_ text: String) {
    var room = 75
    guard text.utf8.count > room else {
      bytes.append(contentsOf: text.utf8)
      return bytes.append(contentsOf: "\r\n".utf8)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: text.utf8)
    var start = 0
    while scratch.count - start > room {
      var end = start + room
      while scratch[end] & 0xc0 == 0x80 { end -= 1 }
      bytes.append(contentsOf: scratch[start..<end])
      bytes.append(contentsOf: "\r\n ".utf8)
      start = end
      // The space that starts a continuation counts.
      room = 74
    }
    bytes.append(contentsOf: scratch[start...])
    bytes.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a text.
  mutating func text(_ name: String, _ value: String) {
    line(name, CalendarText.escaped(value))
  }

  /// Appends a text with the parameters that its property came with.
  mutating func text(_ name: String, _ value: String, of item: ListItem) {
    text(name + KeptProperty.parameters(name, of: item), value)
  }

  /// Appends what is kept of an item's event: its properties, or the components in it.
  ///
  /// - Parameters:
  ///   - kept: What is kept.
  ///   - components: Whether the components are wanted, which stand behind all properties.
  ///   - omissions: Takes what is no property, whoever wrote it there.
  mutating func write(_ kept: KeptEntries, components: Bool, _ omissions: inout [Omission]) {
    for (name, value) in kept.fields {
      guard !KeptProperty.isTime(name), !KeptProperty.isFamily("ics:VTIMEZONE", of: name)
      else { continue }
      guard let property = KeptProperty.property(name), let text = value.string else {
        if !components {
          omissions.append(Omission(item: kept.item, field: name, reason: .badField))
        }
        continue
      }
      let isComponent = text.utf8.starts(with: "BEGIN:".utf8)
      guard isComponent == components, !isParameters(text, of: property) else { continue }
      guard let lines = KeptProperty.lines(property, text) else {
        omissions.append(Omission(item: kept.item, field: name, reason: .badField))
        continue
      }
      for text in lines { line(text) }
    }
  }

  // Parameters alone belong to a property that is written from another field.
  private func isParameters(_ text: String, of property: String) -> Bool {
    KeptProperty.isWritten(property)
      && KeptProperty.lines(property, text) == nil
      && KeptProperty.lines(property, text + ":") != nil
  }

  /// Appends what the calendar itself came with: its properties, then its zones.
  mutating func kept(ofRoot root: ListItem?, _ omissions: inout [Omission]) {
    guard let root else { return }
    let kept = KeptEntries(root)
    write(kept, components: false, &omissions)
    for (name, value) in kept.fields where KeptProperty.isFamily("ics:VTIMEZONE", of: name) {
      guard let text = value.string, text.utf8.starts(with: "BEGIN:VTIMEZONE\n".utf8),
        let lines = KeptProperty.lines("VTIMEZONE", text)
      else {
        omissions.append(Omission(item: .root, field: name, reason: .badField))
        continue
      }
      for text in lines { line(text) }
    }
  }
}

/// What is kept of an item's event, picked out of its fields once.
struct KeptEntries {
  let item: ItemID
  private(set) var fields: [(name: FieldName, value: FieldValue)] = []

  init(_ item: ListItem, entries known: [Entry]? = nil) {
    self.item = item.id
    for entry in known ?? item.entries {
      guard case .field(let name) = entry.register, KeptProperty.isKept(name),
        case .field(let value?) = entry.value
      else { continue }
      fields.append((name, value))
    }
  }

  /// Whether the event has categories of its own.
  var hasCategories: Bool {
    fields.contains { KeptProperty.isFamily("ics:CATEGORIES", of: $0.name) }
  }
}
