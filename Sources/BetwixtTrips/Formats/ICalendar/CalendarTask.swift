import Betwixt

/// Tasks as `VTODO` components.
enum CalendarTask {
  /// When the task is due as its line says it, see ``KeptTime``.
  static let due: FieldName = "ics:DUE"
}

extension ForeignFile {
  /// The tasks of a calendar.
  ///
  /// - Parameters:
  ///   - calendar: The file.
  ///   - utcOffset: The minutes that the clock for UTC times is ahead of UTC.
  init(tasksOf calendar: CalendarFile, utcOffset: Int?) {
    self.init(.iCalendar, in: .tasks)
    name = calendar.name
    ownID = calendar.tripID
    for field in calendar.kept.fields { rootFields.append((field.name, .string(field.text))) }
    zones = calendar.zones
    zoneNames = calendar.zoneNames
    rootFields += zones.fields
    notes += calendar.lostNotes
    var clock = CalendarClock(
      startDate: nil, utcOffset: utcOffset, zoneName: calendar.zoneName, zones: calendar.zones)
    var read: [ForeignItem] = []
    var versions: [(id: ItemID, pair: CalendarPair, line: Int)] = []
    for component in calendar.todos {
      do throws(CalendarSkip) {
        let item = try ForeignItem(
          component, names: zoneNames, clock: &clock, noting: &notes)
        versions.append((item.id, try CalendarEvent.pair(component.lines), item.line))
        read.append(item)
      } catch {
        notes.append((component.line, "skipped: \(error.text)"))
        skippedIDs.insert(component.itemID)
        // What is in a task without a UID makes its identity.
        if component.lines.text("UID")?.isEmpty ?? true { hasUnknownSkips = true }
      }
    }
    var skips: [(line: Int, text: String)] = []
    let losers = CalendarPair.older(of: versions, into: &skips)
    for (index, item) in read.enumerated() where !losers.contains(index) { items.append(item) }
    for skip in skips { notes.append((skip.line, "skipped: \(skip.text)")) }
    var others = calendar.otherComponents
    if !calendar.events.isEmpty { others.insert(("VEVENT", calendar.events.count), at: 0) }
    if !others.isEmpty {
      let words = others.map { "\($0.count) \($0.name.excerpt)" }.joined(separator: ", ")
      notes.append((1, "not taken: \(words) (a list of tasks takes VTODO)"))
    }
    if clock.unresolvedCount > 0 {
      notes.append(
        (
          1,
          "\(clock.unresolvedCount) × a time of UTC gives its date as it stands: "
            + "--utc-offset ±HH:MM says which clock to show"
        ))
    }
  }
}

extension ForeignFile {
  /// The wall clocks of zones that it speaks of.
  private var clocks: WallClocks {
    var clocks = WallClocks()
    for item in items { item.add(to: &clocks) }
    for field in rootFields where field.name == ShownZone.field {
      if let zone = ShownZone.name(in: field.value.string) { clocks.add(zone) }
    }
    return clocks
  }

  /// A note for each zone whose name means another clock in a list.
  func zoneNotes(in known: KnownZones) -> [(line: Int, text: String)] {
    zoneNames.notes(in: known, zones: zones) { clocks }
  }

  /// The file with the zones that its items have in a list already; `nil` if that is the same.
  ///
  /// - Parameters:
  ///   - list: What may hold its items.
  ///   - known: The zones of the list that takes it in.
  /// - Returns: The file.
  func holdingZones(of list: ReplicatedList?, besides known: KnownZones) -> ForeignFile? {
    guard let list, format == .iCalendar,
      !zones.blocks.isEmpty || items.contains(where: { $0.hasZone })
    else { return nil }
    var held = HeldZones(zones, in: [list], ofTasks: true)
    var file = self
    var isSame = true
    for index in items.indices {
      let item = items[index]
      let names = held.names(of: item.id) {
        var clocks = WallClocks()
        item.add(to: &clocks)
        return clocks
      }
      guard !names.isEmpty else { continue }
      isSame = false
      file.items[index].renameZones { names[Array($0.utf8)] }
    }
    held.dropUnused(besides: known) { file.clocks }
    guard !isSame || held.zones.blocks.count != zones.blocks.count else { return nil }
    file.zones = held.zones
    file.rootFields.removeAll { KeptProperty.role(of: $0.name) == .zone }
    file.rootFields += file.zones.fields
    return file
  }
}

extension ForeignItem {
  /// What stands behind the names of its properties.
  private var remainders: [String] {
    fields.sorted { $0.key < $1.key }.compactMap { name, value in
      guard KeptProperty.isKept(name) else { return nil }
      return KeptProperty.isTime(name) ? KeptTime(value)?.remainder : value?.string
    }
  }

  fileprivate var hasZone: Bool { remainders.contains { CalendarLine.zone(in: $0) != nil } }

  fileprivate func add(to clocks: inout WallClocks) {
    for text in remainders { clocks.add(lines: text) }
  }

  fileprivate mutating func renameZones(by rename: (String) -> String?) {
    var kept = KeptProperties()
    for (name, value) in fields where KeptProperty.isKept(name) {
      guard let text = value?.string else { continue }
      if name == CalendarTask.due || name == KeptProperty.start {
        guard let time = KeptTime(value) else { continue }
        let line = CalendarLine.replacingParameter("TZID", in: time.remainder, by: rename)
        fields[name] = .some(KeptTime(shown: time.shown, remainder: line).startValue)
      } else {
        kept.add(name, text)
      }
    }
    kept.renameZones(by: rename)
    for field in kept.fields { fields[field.name] = .some(.string(field.text)) }
  }

  /// Reads a `VTODO`.
  fileprivate init(
    _ component: CalendarParser.Component, names: ZoneNames, clock: inout CalendarClock,
    noting notes: inout [(line: Int, text: String)]
  ) throws(CalendarSkip) {
    let lines = component.lines
    let id = component.itemID
    guard id != .root else { throw CalendarSkip(text: "its UID is reserved") }
    self.init("ics", id: id.uuid, line: component.line)
    time = Timestamp(milliseconds: try CalendarEvent.pair(lines).modified * 1_000)
    let marks = CalendarMarks.fields(lines, id: id, in: .tasks)
    for field in marks ?? [] { fields[field.name] = .some(field.value) }
    if let uid = lines.text("UID"), marks == nil { set(.calendarUID, uid) }
    let pair = try CalendarEvent.pair(lines)
    if marks == nil || pair.sequence > 0 || fields[.calendarUID] != nil {
      fields[.calendarSequence] = .some(.int64(pair.sequence))
      fields[.calendarModified] = .some(.string(CalendarTime.stamp(seconds: pair.modified)))
    }
    var kept = KeptProperties()
    var times: [(name: FieldName, line: CalendarTimeLine)] = []
    var status: String?
    for line in lines {
      let name = line.name
      switch name {
      case "SUMMARY": take(line, as: .taskText, kept: &kept, named: name)
      case "DESCRIPTION": take(line, as: .note, kept: &kept, named: name)
      case "STATUS": status = line.word
      case "COMPLETED": takeMoment(line, as: .completedAt)
      case "CREATED": takeMoment(line, as: .createdAt)
      case "DUE", "DTSTART":
        guard let time = CalendarTimeLine(names.renaming(line.remainder)) else {
          throw CalendarSkip(text: "\(name) in line \(line.number) is no date")
        }
        times.append((name == "DUE" ? CalendarTask.due : KeptProperty.start, time))
      case "DURATION": kept.add(KeptProperty.duration, "- " + line.remainder)
      default:
        if !KeptProperty.isReserved(name) { kept.add(line, named: name) }
      }
    }
    for inner in component.inner { kept.add(inner) }
    for name in kept.lost { notes.append((line, "its property \(name.excerpt) is not kept")) }
    names.rename(&kept)
    for field in kept.fields { set(field.name, field.text) }
    takeTimes(times, clock: &clock)
    takeState(status, isCompleted: lines.first(named: "COMPLETED") != nil)
    if fields[.taskText] == nil { fields[.taskText] = .some("task") }
    if let sort = lines.first(named: "X-BETWIXT-SORT"), let number = Double(decimal: sort.value),
      number.isFinite
    {
      self.number = number
    }
  }

  private mutating func take(
    _ line: CalendarLine, as field: FieldName, kept: inout KeptProperties, named name: String
  ) {
    kept.addParameters(of: line, named: name)
    let text = CalendarText.unescaped(line.value)
    // A mark says it with what a calendar loses.
    if let marked = (fields[field] ?? nil)?.string,
      CalendarText.plain(marked).hasSameBytes(as: text)
    {
      return
    }
    if text.isEmpty, field == .note { clear(field) }
    set(field, text)
  }

  private mutating func clear(_ name: FieldName) {
    fields[name] = nil
    cleared.insert(name)
  }

  private mutating func takeMoment(_ line: CalendarLine, as field: FieldName) {
    guard let seconds = CalendarTime.seconds(line.value),
      let moment = Moment(milliseconds: seconds * 1_000)
    else { return }
    set(field, moment.description)
  }

  // A task stands on the day when it is due, else on that when it starts.
  private mutating func takeTimes(
    _ times: [(name: FieldName, line: CalendarTimeLine)], clock: inout CalendarClock
  ) {
    let due = times.first { $0.name == CalendarTask.due } ?? times.first
    guard let due else { return }
    let shown = CalendarTime(clock.shown(due.line.time).date)
    date = shown.date
    for (name, line) in times {
      let isPlain =
        name == CalendarTask.due && times.count == 1
        && line.remainder.hasSameBytes(as: shown.remainder)
      guard !isPlain else {
        clear(name)
        continue
      }
      fields[name] = .some(KeptTime(shown: shown, remainder: line.remainder).startValue)
    }
  }

  // A line that a task lacks changes nothing.
  private mutating func takeState(_ status: String?, isCompleted: Bool) {
    if status == nil, !isCompleted {
      defaults[.state] = "notStarted"
      return
    }
    let state: String
    switch status {
    case "COMPLETED": state = "completed"
    case "IN-PROCESS": state = "active"
    case "CANCELLED": state = "cancelled"
    default: state = fields[.completedAt] == nil ? "notStarted" : "completed"
    }
    if let marked = (fields[.state] ?? nil)?.string, let status,
      TaskStatus.word(marked).hasSameBytes(as: status)
    {
      return
    }
    fields[.state] = .some(.string(state))
  }
}

/// The words of `STATUS`.
private enum TaskStatus {
  static func word(_ state: String?) -> String {
    switch state {
    case "completed": "COMPLETED"
    case "active": "IN-PROCESS"
    case "cancelled": "CANCELLED"
    default: "NEEDS-ACTION"
    }
  }
}

extension CalendarWriter {
  /// Appends a task.
  mutating func task(_ item: ListItem, shown: PlainViewItem, noting omissions: inout [Omission]) {
    line("BEGIN", "VTODO")
    let pair =
      CalendarPair(foreign: item, firstDay: .none) ?? CalendarPair(item, firstDay: .none)
    version(of: item, pair: pair)
    if let created = moment(item, named: .createdAt) { line("CREATED", created) }
    times(of: item)
    text(.summary, CalendarText.plain(item.summary), of: item)
    if let note = item.words(.note) { text(.description, CalendarText.plain(note), of: item) }
    line("STATUS", TaskStatus.word(item.words(.state)))
    if TaskList.isCompleted(item), let time = moment(item, named: .completedAt) {
      line("COMPLETED", time)
    }
    let kept = kept(item, item.entries)
    write(kept, components: false, &omissions)
    line("X-BETWIXT-SORT", NumberLayout.json(shown.number))
    text("X-BETWIXT-FIELDS", "", shown.calendarFields)
    write(kept, components: true, &omissions)
    line("END", "VTODO")
  }

  private func moment(_ item: ListItem, named name: FieldName) -> String? {
    guard let moment = item.words(name).flatMap({ Moment($0) }) else { return nil }
    return CalendarTime.stamp(seconds: moment.milliseconds / 1_000)
  }

  private mutating func times(of item: ListItem) {
    guard let date = item.section.flatMap({ CivilDate(dayNumber: $0) }) else { return }
    var isWritten = false
    for (property, name) in [("DTSTART", KeptProperty.start), ("DUE", CalendarTask.due)] {
      guard let kept = KeptTime(item[name]),
        let time = CalendarTimeLine(kept.remainder)?
          .later(by: (date - kept.shown.date) * 1_440)
      else { continue }
      line(property + zones.renaming(time.remainder))
      isWritten = true
    }
    if !isWritten { line("DUE" + CalendarTime(date).remainder) }
    if let length = item[KeptProperty.duration]?.string, length.utf8.starts(with: "- ".utf8),
      CalendarDuration.isValue(String(length.dropFirst(2)))
    {
      line("DURATION" + length.dropFirst(2))
    }
  }
}
