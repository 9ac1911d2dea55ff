import Betwixt

/// Reads the waypoints and routes of a GPX file as the stops of a trip.
///
/// A route is a day. Tracks are what a device recorded and no plan; they are counted.
struct GPXReader {
  private var file = ForeignFile(.gpx, in: .trip)
  private var scanner: XMLScanner
  private let lines: LineIndex
  private var path: [String] = []
  private var isOurs = false
  private var identities = TextIdentities("gpx")
  // The point and the route that are open.
  private var point: Point?
  private var route: Route?
  private var routeCount: Int64 = 0
  private var trackCount = 0
  private var lost = 0
  // Texts that belong to no point: by the element that they stand in and what that is in.
  private var others: [(place: String, count: Int)] = []
  private var text = ""

  private struct Point {
    var latitude: Double
    var longitude: Double
    var line: Int
    var fields: [(name: String, text: String)] = []
  }

  private struct Route {
    var name: String?
    var number: Int64?
    var points: [Point] = []
  }

  static func read(_ bytes: [UInt8], options: ReadingOptions) throws(TextProblem) -> ForeignFile {
    if let problem = UTF8Check.firstProblem(in: bytes) { throw problem }
    var reader = GPXReader(bytes)
    try reader.read()
    reader.finish()
    if let startDate = options.startDate(of: reader.file) { reader.file.startDate = startDate }
    guard reader.file.isDated else {
      throw TextProblem(
        .missing, at: 0, "the file has no date: say the first day (--start 2026-05-01)")
    }
    return reader.file
  }

  private init(_ bytes: [UInt8]) {
    scanner = XMLScanner(bytes)
    lines = LineIndex(bytes)
  }

  private mutating func read() throws(TextProblem) {
    while true {
      let offset = scanner.place
      guard let event = try scanner.next() else { break }
      switch event {
      case .text(let part): text += part
      case .start(let name, let attributes):
        guard path.count < 32 else {
          throw TextProblem(.tooDeep, at: offset, "elements are nested more than 32 deep")
        }
        path.append(name)
        text = ""
        try begin(name, attributes: attributes, at: offset)
      case .end(let name):
        guard path.popLast() == name else {
          throw TextProblem(.syntax, at: offset, "this end tag has no start tag")
        }
        end(name)
        text = ""
      }
    }
    guard path.isEmpty else {
      throw TextProblem(.truncated, at: scanner.place, "the file ends within <\(path[0].excerpt)>")
    }
  }

  private mutating func begin(
    _ name: String, attributes: [(name: String, value: String)], at offset: Int
  ) throws(TextProblem) {
    func attribute(_ wanted: String) -> String? { attributes.first { $0.name == wanted }?.value }
    switch name {
    case "gpx": isOurs = attribute("creator") == "Betwixt"
    case "rte" where path.count == 2: route = Route()
    case "trk" where path.count == 2: trackCount += 1
    case "wpt" where path.count == 2, "rtept" where path.count == 3:
      guard let latitude = attribute("lat").flatMap({ Double(decimal: $0) }),
        let longitude = attribute("lon").flatMap({ Double(decimal: $0) }),
        (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude)
      else {
        throw TextProblem(.badValue, at: offset, "a point has lat and lon in degrees")
      }
      point = Point(latitude: latitude, longitude: longitude, line: lines.line(of: offset))
    case "link" where point != nil:
      if let link = attribute("href") { point?.fields.append(("link", link)) }
    default: break
    }
  }

  private mutating func end(_ name: String) {
    let words = text.trimmed
    switch (name, path.count) {
    case ("wpt", 1), ("rtept", 2):
      guard let ended = point else { return }
      point = nil
      if name == "wpt" { add(ended, on: nil, number: nil) } else { route?.points.append(ended) }
    case ("rte", 1):
      if let route { add(route) }
      route = nil
    case ("name", 2) where path[1] == "metadata": file.name = words
    case ("name", 1) where file.name == nil: file.name = words
    case ("name", 2) where path[1] == "rte": route?.name = words
    case ("number", 2) where path[1] == "rte": route?.number = Int64(words)
    default:
      guard point != nil, path.last == "wpt" || path.last == "rtept" else {
        if point != nil, path.contains("extensions"), !words.isEmpty { lost += 1 }
        if point == nil, !words.isEmpty, let parent = path.last { noteOther(name, of: parent) }
        return
      }
      if name != "link", name != "extensions", !words.isEmpty {
        point?.fields.append((name, words))
      }
    }
  }

  /// Counts a text that no item has a place for; a track is counted as a whole, and when a file was
  /// written is for its writer to know.
  private mutating func noteOther(_ name: String, of parent: String) {
    guard !path.contains("trk"), (parent, name) != ("metadata", "time") else { return }
    let place = "“\(name.excerpt)” of \(parent == "rte" ? "a route" : "the file")"
    if let index = others.firstIndex(where: { $0.place == place }) {
      others[index].count += 1
    } else if others.count < 32 {
      others.append((place, 1))
    }
  }

  private mutating func add(_ route: Route) {
    // The name of ours says which day it is.
    if !isOurs, route.name != nil { noteOther("name", of: "rte") }
    routeCount += 1
    let day = isOurs ? route.number ?? routeCount : routeCount
    // Ours say which date the day has.
    if let date = route.name.flatMap({ ISOTime(String($0.suffix(10)))?.date }),
      file.startDate == nil, let start = date.firstDay(ifItIs: day)
    {
      file.startDate = start
      file.countedStart = start
    }
    var number = 0.0
    for point in route.points {
      number += 1
      add(point, on: day, number: number)
    }
  }

  private mutating func add(_ point: Point, on day: Int64?, number: Double?) {
    func field(_ name: String) -> String? { point.fields.first { $0.name == name }?.text }
    let title = field("name") ?? field("desc") ?? field("type") ?? "point"
    var item = identities.item(title, line: point.line)
    item.day = day
    item.number = number
    item.set(.kind, isOurs ? field("type") ?? "custom" : "custom")
    item.set(.title, title)
    item.set(.note, field("desc"))
    item.setPoint(point.latitude, longitude: point.longitude)
    if let time = field("time").flatMap({ ISOTime($0) }) {
      if day == nil { item.date = time.date }
      item.set("gpx:time", field("time"))
    }
    for (name, text) in point.fields {
      guard !["name", "desc", "time"].contains(name), !(isOurs && name == "type"),
        let field = FieldName("gpx:" + name)
      else { continue }
      item.set(field, text)
    }
    file.items.append(item)
  }

  private mutating func finish() {
    var undated = 0
    let hasDates = file.items.contains { $0.date != nil } || file.startDate != nil
    for index in file.items.indices
    where file.items[index].date == nil && file.items[index].day == nil {
      file.items[index].day = 1
      file.items[index].isDayAssumed = true
      undated += 1
    }
    if hasDates, undated > 0 {
      file.notes.append((1, "points without a time stand on day 1: \(undated)"))
    }
    if trackCount > 0 { file.notes.append((1, "not taken: \(trackCount) × track")) }
    for other in others { file.notes.append((1, "not taken: \(other.count) × \(other.place)")) }
    if lost > 0 { file.notes.append((1, "not taken: \(lost) × extension of a point")) }
    file.dayCount =
      routeCount > 0 && file.items.allSatisfy({ $0.date == nil })
      ? file.items.compactMap { $0.day }.max() : nil
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    var rest = utf8[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(Substring(rest))
  }
}
