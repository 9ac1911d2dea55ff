import BetwixtTrips

extension DragSettings {
  /// The settings for a log: the built-in profile that is nearest, and what is not as it is there.
  var logMembers: [(String, LogValue)] {
    let fromItinerary = profile.changes(from: .itinerary)
    let fromTasks = profile.changes(from: .tasks)
    let isItinerary = fromItinerary.count <= fromTasks.count
    let targets = TaskTab.allCases.map { tab in
      (tab.rawValue, LogValue.list((tabTargets[tab] ?? []).map { .text($0.rawValue) }))
    }
    return [
      ("profile", .text(isItinerary ? "itinerary" : "tasks")),
      ("changes", .object(isItinerary ? fromItinerary : fromTasks)), ("curves", .text(curves)),
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
    var changes = ProfileReader(try reader.object("changes"))
    try profile.visit(&changes)
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

extension Motion {
  var logValue: LogValue {
    .object([("duration", .integer(duration)), ("curve", curve.logValue)])
  }

  init(_ reader: LogReader) throws(TextProblem) {
    self.init(try reader.int("duration"), curve: try MotionCurve(reader.value("curve")))
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
