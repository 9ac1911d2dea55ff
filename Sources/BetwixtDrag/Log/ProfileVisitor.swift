import BetwixtTrips

/// Something that goes through every number of a profile, each by its name in a log.
protocol ProfileVisitor {
  associatedtype Failure: Error

  mutating func visit(_ name: String, _ value: inout Double) throws(Failure)
  mutating func visit(_ name: String, _ value: inout Int) throws(Failure)
  mutating func visit(_ name: String, _ value: inout Motion) throws(Failure)
  mutating func visit(_ name: String, _ value: inout HapticKind?) throws(Failure)
  mutating func visit(_ name: String, _ value: inout [HapticBeat]) throws(Failure)
  mutating func visit(_ name: String, _ value: inout [Int]) throws(Failure)
  mutating func visit<Word: RawRepresentable<String>>(
    word name: String, _ value: inout Word
  ) throws(Failure)
}

extension DragProfile {
  /// Shows all numbers to a visitor, always in the same order.
  mutating func visit<Visitor: ProfileVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.visit("slop", &slop)
    try visitor.visit("mouseSlop", &mouseSlop)
    try visitor.visit("liftScale", &liftScale)
    try visitor.visit("liftTilt", &liftTilt)
    try visitor.visit("perspective", &perspective)
    try visitor.visit("liftedAlpha", &liftedAlpha)
    try visitor.visit("liftedCorner", &liftedCorner)
    try visitor.visit("sourceAlpha", &sourceAlpha)
    try visitor.visit("outside", &outside)
    try visitor.visit("editAlpha", &editAlpha)
    try visitor.visit("longPress", &longPress)
    try visitor.visit("undo", &undo)
    try visitor.visit("tabHover", &tabHover)
    try visitor.visit("deleteStagger", &deleteStagger)
    try visitStyles(&visitor)
    try visitMotions(&visitor)
    try visitor.visit(word: "grab", &grab)
    try visitor.visit(word: "drop", &drop)
    try visitor.visit("enterInvalid", &enterInvalid)
    try visitor.visit("leaveInvalid", &leaveInvalid)
    try visitor.visit(word: "invalidDrop", &invalidDrop)
    try visitor.visit("invalidDropHaptics", &invalidDropHaptics)
    try visitor.visit("saveRetries", &saveRetries)
  }

  private mutating func visitStyles<Visitor: ProfileVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.visit("shadow.x", &shadow.x)
    try visitor.visit("shadow.y", &shadow.y)
    try visitor.visit("shadow.radius", &shadow.radius)
    try visitor.visit("shadow.from", &shadow.from)
    try visitor.visit("shadow.to", &shadow.to)
    try visitor.visit("line.width", &line.width)
    try visitor.visit(word: "line.cap", &line.cap)
    try visitor.visit("line.margin", &line.margin)
    try visitor.visit("line.lead", &line.lead)
    try visitor.visit("line.height", &line.height)
    try visitor.visit("line.fade", &line.fade)
    try visitor.visit(word: "line.color", &line.color)
    try visitor.visit("tint.alpha", &tint.alpha)
    try visitor.visit("tint.corner", &tint.corner)
    try visitor.visit("tint.fade", &tint.fade)
    try visitor.visit(word: "tint.color", &tint.color)
    try visitor.visit("autoScroll.bandShare", &autoScroll.bandShare)
    try visitor.visit("autoScroll.bandLimit", &autoScroll.bandLimit)
    try visitor.visit("autoScroll.fullSpeed", &autoScroll.fullSpeed)
    try visitor.visit("autoScroll.ramp", &autoScroll.ramp)
    try visitor.visit("tabHighlight.fill", &tabHighlight.fill)
    try visitor.visit("tabHighlight.stroke", &tabHighlight.stroke)
    try visitor.visit("tabHighlight.strokeWidth", &tabHighlight.strokeWidth)
    try visitor.visit("tabHighlight.fade", &tabHighlight.fade)
    try visitor.visit(word: "tabHighlight.color", &tabHighlight.color)
  }

  private mutating func visitMotions<Visitor: ProfileVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.visit("lift", &lift)
    try visitor.visit("shift", &shift)
    try visitor.visit("settle", &settle)
    try visitor.visit("snapBack", &snapBack)
    try visitor.visit("tabSwitch", &tabSwitch)
    try visitor.visit("delete", &delete)
    try visitor.visit("editFocus", &editFocus)
    try visitor.visit("wayBack", &wayBack)
    try visitor.visit("stateChange", &stateChange)
  }

  /// The numbers that are not as in another profile, by their names.
  func changes(from other: DragProfile) -> [(String, LogValue)] {
    let theirs = other.logMembers
    return zip(logMembers, theirs).compactMap { mine, theirs in
      mine.1 == theirs.1 ? nil : mine
    }
  }

  private var logMembers: [(String, LogValue)] {
    var profile = self
    var writer = ProfileWriter()
    profile.visit(&writer)
    return writer.members
  }
}

/// Notes every number of a profile.
private struct ProfileWriter: ProfileVisitor {
  var members: [(String, LogValue)] = []

  mutating func visit(_ name: String, _ value: inout Double) {
    members.append((name, .number(value)))
  }

  mutating func visit(_ name: String, _ value: inout Int) {
    members.append((name, .integer(value)))
  }

  mutating func visit(_ name: String, _ value: inout Motion) {
    members.append((name, value.logValue))
  }

  mutating func visit(_ name: String, _ value: inout HapticKind?) {
    members.append((name, .text(value?.rawValue ?? "none")))
  }

  mutating func visit(_ name: String, _ value: inout [HapticBeat]) {
    let beats = value.map { LogValue.list([.text($0.kind.rawValue), .integer($0.after)]) }
    members.append((name, .list(beats)))
  }

  mutating func visit(_ name: String, _ value: inout [Int]) {
    members.append((name, .list(value.map { .integer($0) })))
  }

  mutating func visit<Word: RawRepresentable<String>>(word name: String, _ value: inout Word) {
    members.append((name, .text(value.rawValue)))
  }
}

/// Sets the numbers of a profile that a log names.
struct ProfileReader: ProfileVisitor {
  private let changes: LogReader

  init(_ changes: LogReader) { self.changes = changes }

  mutating func visit(_ name: String, _ value: inout Double) throws(TextProblem) {
    if changes.optional(name) != nil { value = try changes.number(name) }
  }

  mutating func visit(_ name: String, _ value: inout Int) throws(TextProblem) {
    if changes.optional(name) != nil { value = try changes.int(name) }
  }

  mutating func visit(_ name: String, _ value: inout Motion) throws(TextProblem) {
    if changes.optional(name) != nil { value = try Motion(changes.object(name)) }
  }

  mutating func visit(_ name: String, _ value: inout HapticKind?) throws(TextProblem) {
    guard changes.optional(name) != nil else { return }
    value = try changes.text(name) == "none" ? nil : changes.word(name)
  }

  mutating func visit(_ name: String, _ value: inout [HapticBeat]) throws(TextProblem) {
    guard changes.optional(name) != nil else { return }
    value = []
    for element in try changes.elements(name) {
      let parts = try LogReader.elements(element)
      guard parts.count == 2 else {
        throw TextProblem(.badValue, at: element.offset, "a beat has a kind and a time")
      }
      value.append(
        HapticBeat(try LogReader.word(parts[0]), after: try LogReader.int(parts[1])))
    }
  }

  mutating func visit(_ name: String, _ value: inout [Int]) throws(TextProblem) {
    guard changes.optional(name) != nil else { return }
    value = []
    for element in try changes.elements(name) { value.append(try LogReader.int(element)) }
  }

  mutating func visit<Word: RawRepresentable<String>>(
    word name: String, _ value: inout Word
  ) throws(TextProblem) {
    if changes.optional(name) != nil { value = try changes.word(name) }
  }
}
