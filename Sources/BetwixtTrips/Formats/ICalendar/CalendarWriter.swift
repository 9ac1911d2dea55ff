import Betwixt

/// Appends the content lines of an iCalendar file.
struct CalendarWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends `name:value`, folded at 75 bytes and never within a character.
  mutating func line(_ name: String, _ value: String) { line("\(name):\(value)") }

  /// Appends a whole line, folded.
  mutating func line(_ text: String) {
    let line = Array(text.utf8)
    var start = 0
    var room = 75
    while line.count - start > room {
      var end = start + room
      while line[end] & 0xc0 == 0x80 { end -= 1 }
      bytes.append(contentsOf: line[start..<end])
      bytes.append(contentsOf: "\r\n ".utf8)
      start = end
      // The space that starts a continuation counts.
      room = 74
    }
    bytes.append(contentsOf: line[start...])
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
  ///   - item: The item.
  ///   - components: Whether the components are wanted, which stand behind all properties.
  ///   - omissions: Takes what is no property, whoever wrote it there.
  mutating func kept(of item: ListItem, components: Bool, _ omissions: inout [Omission]) {
    for entry in item.entries {
      guard case .field(let name) = entry.register, case .field(let value?) = entry.value,
        KeptProperty.isKept(name), !KeptProperty.isTime(name),
        !KeptProperty.family(name).hasSameBytes(as: "ics:VTIMEZONE")
      else { continue }
      guard let property = KeptProperty.property(name), let text = value.string else {
        if !components { omissions.append(Omission(item: item.id, field: name, reason: .badField)) }
        continue
      }
      let isComponent = text.utf8.starts(with: "BEGIN:".utf8)
      guard isComponent == components, !isParameters(text, of: property) else { continue }
      guard let lines = KeptProperty.lines(property, text) else {
        omissions.append(Omission(item: item.id, field: name, reason: .badField))
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
    kept(of: root, components: false, &omissions)
    for entry in root.entries {
      guard case .field(let name) = entry.register, case .field(let value?) = entry.value,
        KeptProperty.family(name).hasSameBytes(as: "ics:VTIMEZONE")
      else { continue }
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
