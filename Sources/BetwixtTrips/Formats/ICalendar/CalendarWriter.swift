import Betwixt

/// Appends the content lines of an iCalendar file.
struct CalendarWriter {
  private(set) var bytes: [UInt8] = []
  // How the zones of the list are written.
  var zones: WrittenZones
  // A line that is being folded.
  private var scratch: [UInt8] = []
  // What the fields of events are, as far as they were met.
  private var roles: [FieldName: KeptProperty.Role] = [:]

  /// - Parameter zones: How the zones of the list are written.
  init(zones: WrittenZones) { self.zones = zones }

  /// Makes room for a file of so many events, of which some are written already.
  ///
  /// Events are much alike; a buffer that doubles again and again takes as much time as they do.
  mutating func reserve(_ count: Int, after written: Int) {
    guard written > 0 else { return }
    let size = Int64(bytes.count / written) * Int64(count) / 8 * 9
    // The first events may be larger than all others, and memory is not without an end.
    bytes.reserveCapacity(Int(min(size, 1 << 26)))
  }

  /// Appends `name:value`, folded at 75 bytes and never within a character.
  mutating func line(_ name: String, _ value: String) { line(name, ":", value) }

  /// Appends a whole line, folded.
  mutating func line(_ text: String) { line(text, "", "") }

  /// Appends a name and what stands behind it: parameters, a colon and a value.
  mutating func line(_ name: String, remainder: String) { line(name, "", remainder) }

  private mutating func line(_ name: String, _ separator: String, _ value: String) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: separator.utf8)
    bytes.append(contentsOf: value.utf8)
    endLine(from: start)
  }

  /// Appends a text.
  mutating func text(_ name: String, _ value: String) { text(name, "", value.utf8) }

  /// Appends a text with the parameters that its property came with.
  mutating func text(_ property: KeptProperty.Written, _ value: String, of item: ListItem) {
    text(property.name, KeptProperty.parameters(property, of: item), value.utf8)
  }

  /// Appends the bytes of a text, with the parameters of its property.
  mutating func text(_ name: String, _ parameters: String, _ value: some Sequence<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: parameters.utf8)
    bytes.append(UInt8(ascii: ":"))
    CalendarText.append(value, to: &bytes)
    endLine(from: start)
  }

  // The line is where it belongs already; few are too long.
  private mutating func endLine(from start: Int) {
    if bytes.count - start > 75 { fold(from: start) }
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func fold(from lineStart: Int) {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: bytes[lineStart...])
    bytes.removeSubrange(lineStart...)
    var room = 75
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
  }

  /// Picks what is kept of an item's event out of its entries.
  mutating func kept(_ item: ListItem, _ entries: [Entry]) -> KeptEntries {
    KeptEntries(item.id, entries, &roles)
  }

  /// Appends what is kept of an item's event: its properties, or the components in it.
  ///
  /// - Parameters:
  ///   - kept: What is kept.
  ///   - components: Whether the components are wanted, which stand behind all properties.
  ///   - omissions: Takes what is no property, whoever wrote it there.
  mutating func write(_ kept: KeptEntries, components: Bool, _ omissions: inout [Omission]) {
    if components, !kept.hasComponents { return }
    for field in kept.fields {
      guard case .property(let property, let isWritten) = field.role,
        let text = field.value.string
      else {
        let isElsewhere = field.role == .time || field.role == .zone
        if !components, !isElsewhere {
          omissions.append(Omission(item: kept.item, field: field.name, reason: .badField))
        }
        continue
      }
      let isComponent = text.hasBytePrefix("BEGIN:")
      guard isComponent == components, !(isWritten && KeptProperty.isParameters(text, of: property))
      else { continue }
      if KeptProperty.isValue(text) {
        let isShown = kept.item == .root && field.name == ShownZone.field
        line(property, remainder: isShown ? zones.renamingShown(text) : text)
      } else if let lines = KeptProperty.lines(property, text) {
        for text in lines { line(zones.renaming(text)) }
      } else {
        omissions.append(Omission(item: kept.item, field: field.name, reason: .badField))
      }
    }
  }

  /// Appends what the calendar itself came with: its properties, then its zones.
  mutating func kept(ofRoot root: ListItem?, _ omissions: inout [Omission]) {
    guard let root else { return }
    let kept = kept(root, root.entries)
    write(kept, components: false, &omissions)
    for field in kept.fields where field.role == .zone {
      guard let kept = field.value.string, kept.hasBytePrefix("BEGIN:VTIMEZONE\n") else {
        omissions.append(Omission(item: .root, field: field.name, reason: .badField))
        continue
      }
      guard let text = zones.text(kept, of: KnownZones.zone(of: field.name)) else { continue }
      guard let lines = KeptProperty.components("VTIMEZONE", text, atMost: 1)
      else {
        omissions.append(Omission(item: .root, field: field.name, reason: .badField))
        continue
      }
      for text in lines { line(text) }
    }
  }
}

/// What is kept of an item's event, picked out of its fields once.
struct KeptEntries {
  /// One field.
  struct Field {
    let name: FieldName
    let role: KeptProperty.Role
    let value: FieldValue
  }

  let item: ItemID
  private(set) var fields: [Field] = []

  /// Whether one of them may be a component.
  private(set) var hasComponents = false

  /// Whether the event has categories of its own.
  private(set) var hasCategories = false

  /// Picks them out.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - entries: Its entries.
  ///   - roles: What is known of the names so far: events are much alike.
  init(_ item: ItemID, _ entries: [Entry], _ roles: inout [FieldName: KeptProperty.Role]) {
    self.item = item
    for entry in entries {
      guard case .field(let name) = entry.register, KeptProperty.isKept(name),
        case .field(let value?) = entry.value
      else { continue }
      let role = roles[name] ?? KeptProperty.role(of: name)
      roles[name] = role
      if case .property(let property, _) = role {
        hasCategories = hasCategories || property.hasSameBytes(as: "CATEGORIES")
        hasComponents = hasComponents || value.string?.hasBytePrefix("BEGIN:") ?? false
      }
      fields.append(Field(name: name, role: role, value: value))
    }
  }
}
