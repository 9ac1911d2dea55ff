public import Betwixt

/// What an iCalendar file says.
///
/// A calendar that was exported from a trip names it and carries each item whole. Any other
/// calendar belongs to no trip, and can be taken into each.
public struct CalendarFile: Sendable {
  /// The trip that the calendar was exported from; `nil` for a foreign one.
  public let tripID: ListID?

  /// The trip's id, or for a foreign calendar one that is made from its name; without one from its
  /// events.
  public let listID: ListID

  /// The name of the calendar.
  public let name: String?

  /// The byte where the file names its trip.
  let idOffset: Int

  /// The date of day 1, if the file says it.
  let exportedStartDate: CivilDate?

  /// The number of days, if the file says it.
  var days: Int64?

  /// The zone that the calendar's UTC times are shown in.
  var zoneName: String?

  /// The events that can be read, of each item the newest, in the order of the file.
  var events: [CalendarEvent]

  /// The events that cannot, with the lines where they begin.
  let skips: [(line: Int, text: String)]

  /// The items of those that cannot, which are not gone.
  let skippedIDs: Set<ItemID>

  /// The zones that the calendar speaks of, by their names in a trip, as all else here names them.
  var zones: CalendarZones

  /// How a trip names them.
  let zoneNames: ZoneNames

  /// The tasks, in the order of the file.
  let todos: [CalendarParser.Component]

  /// Components that are neither events nor tasks nor zones, by name.
  let otherComponents: [(name: String, count: Int)]

  /// The properties of the calendar itself that Betwixt has no field for.
  let kept: KeptProperties

  /// Whether the file is a list of tasks and no trip.
  let isTasks: Bool

  /// Reads a calendar.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - file: The name of the file, for errors.
  /// - Throws: The first problem in the file; an event with a bad date is no problem of the file.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  public init(_ bytes: [UInt8], file: String) throws(DocumentFailure) {
    do {
      try self.init(bytes)
    } catch {
      throw DocumentFailure(file: file, bytes: bytes, problem: error)
    }
  }

  init(_ bytes: [UInt8]) throws(TextProblem) {
    var reading = Reading()
    let head = try CalendarParser.parse(CalendarSource(bytes)) {
      (component) throws(TextProblem) in try reading.take(component)
    }
    let trip = head.first(named: "X-BETWIXT-TRIP")
    tripID = trip.map { ForeignIdentity.list(CalendarText.unescaped($0.value)) }
    idOffset = trip?.offset ?? 0
    name = [head.text("NAME"), head.text("X-WR-CALNAME")].compactMap { $0 }
      .first { !$0.isEmpty && $0.utf8.count < FieldValue.maximumByteCount }
    exportedStartDate = head.text("X-BETWIXT-START").flatMap { CivilDate($0) }
    days = head.text("X-BETWIXT-DAYS").flatMap { Int64($0) }
    var zones = reading.zones
    zoneNames = ZoneNames(of: &zones) { reading.clocks }
    self.zones = zones.renamed(by: zoneNames)
    zoneName = head.text("X-WR-TIMEZONE").map { [zoneNames] in zoneNames[$0] }
    zoneNames.rename(&reading.events)
    // A message that calls events off need not say so in each; what went out of a trip is no message.
    let isMessage = trip == nil && CalendarFile.isCancelling(head)
    if isMessage {
      for index in reading.events.indices { reading.events[index].isCancelled = true }
    }
    let versions = reading.events.map { (id: $0.id, pair: $0.pair, line: $0.line) }
    let losers = CalendarPair.older(of: versions, into: &reading.skips)
    events =
      losers.isEmpty
      ? reading.events
      : reading.events.enumerated().filter { !losers.contains($0.offset) }.map { $0.element }
    let ids = events.map { $0.id }
    listID =
      tripID ?? name.map { ForeignIdentity.hashed(in: "ics", $0) }
      ?? ForeignIdentity.list(of: "ics", holding: ids)
    skips = reading.skips
    skippedIDs = reading.skippedIDs
    todos = reading.todos
    otherComponents = reading.others
    isTasks =
      head.text("X-BETWIXT-TYPE")?.hasSameBytes(as: "tasks")
      ?? (reading.events.isEmpty && reading.skips.isEmpty && !reading.todos.isEmpty)
    var kept = KeptProperties()
    for line in head {
      let name = line.name
      guard !CalendarFile.written.contains(name), !KeptProperty.isReserved(name) else { continue }
      if isMessage, line.isNamed("METHOD") { continue }
      kept.add(line, named: name)
    }
    zoneNames.rename(&kept)
    self.kept = kept
  }

  // What export writes itself.
  private static let written: Set<String> = ["VERSION", "PRODID", "NAME", "X-WR-CALNAME"]

  private static func isCancelling(_ head: [CalendarLine]) -> Bool {
    head.first(named: "METHOD")?.word.hasSameBytes(as: "CANCEL") ?? false
  }

  /// What is known of a file while it is read.
  private struct Reading {
    var zones = CalendarZones()
    var events: [CalendarEvent] = []
    var todos: [CalendarParser.Component] = []
    var skips: [(line: Int, text: String)] = []
    var skippedIDs: Set<ItemID> = []
    var others: [(name: String, count: Int)] = []
    // Where each of the others is.
    private var places: [[UInt8]: Int] = [:]

    /// The wall clocks of zones that it speaks of.
    var clocks: WallClocks {
      var clocks = WallClocks()
      for event in events { clocks.add(event.content) }
      for todo in todos { clocks.add(todo) }
      return clocks
    }

    mutating func take(_ component: CalendarParser.Component) throws(TextProblem) {
      try component.checkSizes()
      switch component.name {
      case "VEVENT":
        do throws(CalendarSkip) {
          events.append(try CalendarEvent(component, zones: &zones))
        } catch {
          skips.append((component.line, error.text))
          skippedIDs.insert(component.itemID)
        }
      case "VTODO": todos.append(component)
      case "VTIMEZONE": zones.add(component)
      default:
        let name = Array(component.name.utf8)
        if let index = places[name] {
          others[index].count += 1
        } else {
          places[name] = others.count
          others.append((component.name, 1))
        }
      }
    }
  }

  /// The properties of the calendar itself, and zones, that are not kept, a note for each.
  var lostNotes: [(line: Int, text: String)] {
    let zoneNames = zones.blocks.filter { !$0.isKept }.map { $0.name }
    return kept.lost.map { (1, "its property \($0.excerpt) is not kept") }
      + zoneNames.map { (1, "its zone \($0.excerpt) is not kept") }
  }

  /// What a trip does not take, in words; `nil` if there is nothing.
  var otherWords: String? {
    var parts: [String] = []
    if !isTasks, !todos.isEmpty { parts.append("\(todos.count) VTODO") }
    for other in otherComponents { parts.append("\(other.count) \(other.name.excerpt)") }
    guard !parts.isEmpty else { return nil }
    return "not taken: " + parts.joined(separator: ", ")
      + " (a trip takes events; a file of VTODO alone becomes a list of tasks)"
  }
}
