import BetwixtTrips

extension DragSettings {
  /// The settings for a log: the built-in profile that is nearest, and what is not as it is there.
  var logMembers: [(String, LogValue)] {
    let isItinerary = profile.changes(from: .itinerary).count <= profile.changes(from: .tasks).count
    let changes = profile.changes(from: isItinerary ? .itinerary : .tasks)
    let targets = TaskTab.allCases.map { tab in
      (tab.rawValue, LogValue.list((tabTargets[tab] ?? []).map { .text($0.rawValue) }))
    }
    return [
      ("profile", .text(isItinerary ? "itinerary" : "tasks")),
      ("changes", .object(changes)), ("curves", .text(curves)),
      ("reduceMotion", .bool(reduceMotion)), ("haptics", .bool(haptics)),
      ("sounds", .bool(sounds)), ("tabTargets", .object(targets)),
    ]
  }

  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.text("profile") {
    case "itinerary": self.init(.itinerary)
    case "tasks": self.init(.tasks)
    default: throw TextProblem(.badValue, at: reader.offset, "there is no such profile")
    }
    try profile.apply(try reader.object("changes"))
    curves = try reader.word("curves")
    reduceMotion = try reader.bool("reduceMotion")
    haptics = try reader.bool("haptics")
    sounds = try reader.bool("sounds")
    let targets = try reader.object("tabTargets")
    for tab in TaskTab.allCases {
      var tabs: [TaskTab] = []
      for value in try targets.elements(tab.rawValue) { tabs.append(try LogReader.word(value)) }
      tabTargets[tab] = tabs
    }
  }
}

/// The numbers of a profile by name.
private struct ProfileNames {
  let numbers: [(String, WritableKeyPath<DragProfile, Double>)] = [
    ("slop", \.slop), ("mouseSlop", \.mouseSlop), ("liftScale", \.liftScale),
    ("liftTilt", \.liftTilt), ("perspective", \.perspective), ("shadow.x", \.shadow.x),
    ("shadow.y", \.shadow.y), ("shadow.radius", \.shadow.radius), ("shadow.from", \.shadow.from),
    ("shadow.to", \.shadow.to), ("liftedAlpha", \.liftedAlpha),
    ("liftedCorner", \.liftedCorner), ("sourceAlpha", \.sourceAlpha),
    ("line.width", \.line.width), ("line.margin", \.line.margin), ("line.lead", \.line.lead),
    ("line.height", \.line.height), ("tint.alpha", \.tint.alpha), ("tint.corner", \.tint.corner),
    ("outside", \.outside), ("autoScroll.bandShare", \.autoScroll.bandShare),
    ("autoScroll.bandLimit", \.autoScroll.bandLimit),
    ("autoScroll.fullSpeed", \.autoScroll.fullSpeed), ("tabStripHeight", \.tabStripHeight),
    ("tabHighlight.fill", \.tabHighlight.fill), ("tabHighlight.stroke", \.tabHighlight.stroke),
    ("tabHighlight.strokeWidth", \.tabHighlight.strokeWidth), ("editAlpha", \.editAlpha),
  ]

  let integers: [(String, WritableKeyPath<DragProfile, Int>)] = [
    ("longPress", \.longPress), ("undo", \.undo), ("tabHover", \.tabHover),
    ("deleteStagger", \.deleteStagger), ("line.fade", \.line.fade), ("tint.fade", \.tint.fade),
    ("tabHighlight.fade", \.tabHighlight.fade), ("autoScroll.ramp", \.autoScroll.ramp),
  ]

  let motions: [(String, WritableKeyPath<DragProfile, Motion>)] = [
    ("lift", \.lift), ("shift", \.shift), ("settle", \.settle), ("snapBack", \.snapBack),
    ("tabSwitch", \.tabSwitch), ("delete", \.delete), ("editFocus", \.editFocus),
    ("wayBack", \.wayBack), ("stateChange", \.stateChange),
  ]

  let colors: [(String, WritableKeyPath<DragProfile, ColorToken>)] = [
    ("line.color", \.line.color), ("tint.color", \.tint.color),
    ("tabHighlight.color", \.tabHighlight.color),
  ]

  let haptics: [(String, WritableKeyPath<DragProfile, HapticKind>)] = [
    ("grab", \.grab), ("drop", \.drop),
  ]

  let optionalHaptics: [(String, WritableKeyPath<DragProfile, HapticKind?>)] = [
    ("enterInvalid", \.enterInvalid), ("leaveInvalid", \.leaveInvalid),
  ]
}

extension DragProfile {
  fileprivate func changes(from other: DragProfile) -> [(String, LogValue)] {
    let names = ProfileNames()
    var changes: [(String, LogValue)] = []
    func add<Value: Equatable>(
      _ named: [(String, WritableKeyPath<DragProfile, Value>)], _ value: (Value) -> LogValue
    ) {
      for (name, path) in named where self[keyPath: path] != other[keyPath: path] {
        changes.append((name, value(self[keyPath: path])))
      }
    }
    add(names.numbers) { .number($0) }
    add(names.integers) { .integer($0) }
    add(names.motions, \.logValue)
    add(names.colors) { .text($0) }
    add(names.haptics) { .text($0) }
    add(names.optionalHaptics) { .text($0?.rawValue ?? "none") }
    if line.cap != other.line.cap { changes.append(("line.cap", .text(line.cap))) }
    if invalidDrop != other.invalidDrop { changes.append(("invalidDrop", .text(invalidDrop))) }
    if invalidDropHaptics != other.invalidDropHaptics {
      let beats = invalidDropHaptics.map {
        LogValue.list([.text($0.kind.rawValue), .integer($0.after)])
      }
      changes.append(("invalidDropHaptics", .list(beats)))
    }
    if saveRetries != other.saveRetries {
      changes.append(("saveRetries", .list(saveRetries.map { .integer($0) })))
    }
    return changes
  }

  fileprivate mutating func apply(_ changes: LogReader) throws(TextProblem) {
    let names = ProfileNames()
    for (name, path) in names.numbers where changes.optional(name) != nil {
      self[keyPath: path] = try changes.number(name)
    }
    for (name, path) in names.integers where changes.optional(name) != nil {
      self[keyPath: path] = Int(try changes.integer(name))
    }
    for (name, path) in names.motions where changes.optional(name) != nil {
      self[keyPath: path] = try Motion(changes.object(name))
    }
    for (name, path) in names.colors where changes.optional(name) != nil {
      self[keyPath: path] = try changes.word(name)
    }
    for (name, path) in names.haptics where changes.optional(name) != nil {
      self[keyPath: path] = try changes.word(name)
    }
    for (name, path) in names.optionalHaptics where changes.optional(name) != nil {
      self[keyPath: path] = try changes.text(name) == "none" ? nil : changes.word(name)
    }
    if changes.optional("line.cap") != nil { line.cap = try changes.word("line.cap") }
    if changes.optional("invalidDrop") != nil { invalidDrop = try changes.word("invalidDrop") }
    try applyLists(changes)
  }

  private mutating func applyLists(_ changes: LogReader) throws(TextProblem) {
    if changes.optional("invalidDropHaptics") != nil {
      invalidDropHaptics = []
      for value in try changes.elements("invalidDropHaptics") {
        let parts = try LogReader.elements(value)
        guard parts.count == 2 else {
          throw TextProblem(.badValue, at: value.offset, "a beat has a kind and a time")
        }
        invalidDropHaptics.append(
          HapticBeat(
            try LogReader.word(parts[0]), after: Int(try LogReader.integer(parts[1]))))
      }
    }
    guard changes.optional("saveRetries") != nil else { return }
    saveRetries = []
    for value in try changes.elements("saveRetries") {
      saveRetries.append(Int(try LogReader.integer(value)))
    }
  }
}

extension Motion {
  var logValue: LogValue {
    .object([("duration", .integer(duration)), ("curve", curve.logValue)])
  }

  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    self.init(Int(try reader.integer("duration")), try MotionCurve(reader.value("curve")))
  }
}

extension MotionCurve {
  var logValue: LogValue {
    switch self {
    case .easeInOut: .text("easeInOut")
    case .spring(let damping, let velocity):
      .object([("damping", .number(damping)), ("velocity", .number(velocity))])
    case .response(let response, let damping):
      .object([("response", .number(response)), ("damping", .number(damping))])
    }
  }

  fileprivate init(_ value: JSONValue) throws(TextProblem) {
    if value.string == "easeInOut" {
      self = .easeInOut
      return
    }
    let reader = try LogReader(value)
    if reader.optional("velocity") != nil {
      self = .spring(
        damping: try reader.number("damping"), velocity: try reader.number("velocity"))
    } else {
      self = .response(try reader.number("response"), damping: try reader.number("damping"))
    }
  }
}
