public import Betwixt

/// The points of a trip as GPX 1.1: one route for each day that has points.
public struct GPXExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// The number of items without both coordinates, or with one out of range.
  public let omittedCount: Int

  /// Those items, and of the others every field that a point does not show.
  public let omissions: [Omission]

  /// Writes a trip.
  ///
  /// - Complexity: O(*n* + *d*) for *d* days
  public init(_ list: ReplicatedList) {
    let trip = Trip(list)
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Betwixt" xmlns="http://www.topografix.com/GPX/1/1">
      <metadata>
      """
    if let name = trip.name, !name.isEmpty { text += "<name>\(XML.escaped(name))</name>" }
    let newest = list.allItems().compactMap { $0.newestTime }.max()
    if let moment = newest.flatMap({ Moment(milliseconds: $0.milliseconds) }) {
      text += "<time>\(moment)</time>"
    }
    text += "</metadata>\n"
    var route = ""
    var head = ""
    var omitted = 0
    var omissions: [Omission] = []
    func finishRoute() {
      if !route.isEmpty { text += "<rte>\n\(head)\(route)</rte>\n" }
      route = ""
    }
    for row in trip.rows {
      switch row {
      case .header(let day, let date):
        finishRoute()
        let name = "Day \(day)" + (date.map { ", \($0)" } ?? "")
        head = "<name>\(name)</name><number>\(day)</number>\n"
      case .item(let id, _, _):
        guard let item = list[id: id] else { continue }
        if let point = GPXExport.point(item) {
          route += point
          GPXExport.noteLosses(of: item, into: &omissions)
        } else {
          omitted += 1
          omissions.append(Omission(item: id, field: nil, reason: .noPlace))
        }
      }
    }
    finishRoute()
    bytes = Array((text + "</gpx>\n").utf8)
    omittedCount = omitted
    self.omissions = omissions
  }

  private static func noteLosses(of item: ListItem, into omissions: inout [Omission]) {
    var written: Set<FieldName> = [.kind, .title, .note, .latitude, .longitude]
    if item.words(.title) == nil {
      switch ItemKind(item[.kind]) {
      case .game: written.formUnion([.home, .away])
      case .travel: written.formUnion([.from, .to])
      case .custom, .other: break
      }
    }
    for (_, name) in kept { written.insert(name) }
    omissions.note(item, except: written)
  }

  /// Elements that a point of another program came with and that go out again, in the order that
  /// the schema wants, and whether they stand before the name.
  private static let kept: [(element: String, field: FieldName)] = [
    ("ele", "gpx:ele"), ("time", "gpx:time"), ("cmt", "gpx:cmt"), ("src", "gpx:src"),
    ("sym", "gpx:sym"),
  ]

  private static func kept(_ item: ListItem, among names: [String]) -> String {
    var text = ""
    for (element, field) in kept where names.contains(element) {
      if let words = item.words(field) {
        text += "<\(element)>\(XML.escaped(words))</\(element)>"
      }
    }
    return text
  }

  private static func point(_ item: ListItem) -> String? {
    guard let latitude = item[.latitude], FieldForm.latitude.accepts(latitude),
      let longitude = item[.longitude], FieldForm.longitude.accepts(longitude),
      let north = latitude.double, let east = longitude.double
    else { return nil }
    // The schema takes -180 and not 180; both are one meridian.
    let digits = (
      NumberLayout.decimal(north), NumberLayout.decimal(east == 180 ? -180 : east)
    )
    var text = "<rtept lat=\"\(digits.0)\" lon=\"\(digits.1)\">"
    text += kept(item, among: ["ele", "time"]) + "<name>\(XML.escaped(item.summary))</name>"
    text += kept(item, among: ["cmt"])
    if let note = item.words(.note) { text += "<desc>\(XML.escaped(note))</desc>" }
    text += kept(item, among: ["src", "sym"])
    return text + "<type>\(XML.escaped(ItemKind(item[.kind]).text))</type></rtept>\n"
  }
}

/// How texts are written in XML 1.0.
enum XML {
  /// A text with the five characters of the syntax escaped; what XML forbids is replaced.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\u{0}"..."\u{8}", "\u{b}", "\u{c}", "\u{e}"..."\u{1f}", "\u{fffe}", "\u{ffff}":
        result.unicodeScalars.append("\u{fffd}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
