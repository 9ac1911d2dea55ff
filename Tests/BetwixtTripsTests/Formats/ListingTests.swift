import Betwixt
import BetwixtTrips
import Testing

@Suite struct ListingTests {
  private func sample() throws -> ReplicatedList {
    try Plain.list(
      """
      {"id":"t","startDate":"2026-06-10","days":3,"name":"Trip *1*","items":[
      {"id":"g","kind":"game","start":"2026-06-11T13:00-06:00","home":"Mexico","away":"South Africa",
      "venue":"Estadio Azteca","city":"Mexico City","latitude":19.30306,"longitude":-99.15056,
      "modifiedAt":"2026-01-02T03:04:05.600Z"},
      {"id":"l","kind":"travel","day":2,"sortOrder":1300,"from":"Mexico City","to":"Monterrey (Guadalupe)",
      "distanceKm":716.7,"durationMin":210},
      {"id":"h","day":2,"sortOrder":1301,"time":"15:00","title":"Hotel check-in","note":"see #7\\r\\nor \\"8\\"",
      "latitude":90,"longitude":180},
      {"id":"i","day":9,"title":"- 1. late, \\"maybe\\"","latitude":1e-7,"longitude":-0.5},
      {"id":"j","day":0,"title":" 2) early","kind":"=odd"}]}
      """)
  }

  @Test func markdown() throws {
    #expect(
      text(MarkdownExport(try sample()).bytes) == ##"""
        # Trip \*1\*

        ## Day 1, Wed 2026-06-10

        1. 2\) early

        ## Day 2, Thu 2026-06-11

        1. 13:00 **Mexico – South Africa** (Estadio Azteca, Mexico City)
        2. Mexico City → Monterrey (Guadalupe), 716.7 km, 210 min
        3. 15:00 Hotel check-in: see \#7 or "8"

        ## Day 3, Fri 2026-06-12

        1. \- 1. late, "maybe"

        """##)
  }

  @Test(arguments: [
    (##"\`*_[]<>#|~"##, ##"\\\`\*\_\[\]\<\>\#\|\~"##), ("+1", #"\+1"#), ("1. x", #"1\. x"#),
    ("12) x", #"12\) x"#), (".x", ".x"), (") x", ") x"), ("1a. x", "1a. x"), ("a-b+c", "a-b+c"),
    ("a\r\nb\rc\nd", "a b c d"), ("é→", "é→"), ("&lt;b>", #"\&lt;b\>"#), (" - x", #"\- x"#),
    ("\r\n 1. x", #"1\. x"#),
  ])
  func markdownEscapes(_ title: String, _ line: String) throws {
    let json = JSONValue(.string(title), at: 0).canonicalText
    let list = try Plain.list(Plain.trip(Plain.item("a", "\"title\":\(json)")))
    #expect(text(MarkdownExport(list).bytes).contains("\n1. \(line)\n"))
  }

  @Test func csv() throws {
    let lines = [
      "day,date,order,id,kind,title,start,time,city,from,to,distanceKm,durationMin,latitude,longitude,note,"
        + "address,mode,home,away,venue,icon,gameId",
      "0,2026-06-09,1,j,=odd,\" 2) early\",,,,,,,,,,,,,,,,,",
      "2,2026-06-11,1,g,game,Mexico – South Africa,2026-06-11T13:00-06:00,,Mexico City,,,,,19.30306,-99.15056,,,,Mexico,South Africa,Estadio Azteca,,",
      "2,2026-06-11,2,l,travel,Mexico City → Monterrey (Guadalupe),,,,Mexico City,Monterrey (Guadalupe),716.7,210,,,,,,,,,,",
      "2,2026-06-11,3,h,custom,Hotel check-in,,15:00,,,,,,90,180,\"see #7\r\nor \"\"8\"\"\",,,,,,,",
      "9,2026-06-18,1,i,custom,\"- 1. late, \"\"maybe\"\"\",,,,,,,,0.0000001,-0.5,,,,,,,,",
    ]
    let expected = lines.joined(separator: "\r\n") + "\r\n"
    #expect(text(CSVExport(try sample()).bytes) == expected)
    let safe = text(CSVExport(try sample(), isSpreadsheetSafe: true).bytes)
    #expect(safe.contains(",'=odd,"))
    #expect(safe.contains(",'-99.15056,"))
    #expect(safe.contains(",\"'- 1. late, "))
  }

  @Test func gpx() throws {
    let export = GPXExport(try sample())
    #expect(
      text(export.bytes) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Betwixt" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata><name>Trip *1*</name><time>2026-01-02T03:04:05.600Z</time></metadata>
        <rte>
        <name>Day 2, 2026-06-11</name><number>2</number>
        <rtept lat="19.30306" lon="-99.15056"><name>Mexico – South Africa</name><type>game</type></rtept>
        <rtept lat="90" lon="-180"><name>Hotel check-in</name><desc>see #7\r
        or &quot;8&quot;</desc><type>custom</type></rtept>
        </rte>
        <rte>
        <name>Day 3, 2026-06-12</name><number>3</number>
        <rtept lat="0.0000001" lon="-0.5"><name>- 1. late, &quot;maybe&quot;</name><type>custom</type></rtept>
        </rte>
        </gpx>

        """)
    #expect(export.omittedCount == 2)
  }

  @Test func gpxWithoutPointsIsStillAFile() throws {
    let list = try Plain.list(Plain.trip(Plain.item("a"), members: #""name":"<&\u0000'>""#))
    let file = text(GPXExport(list).bytes)
    #expect(file.contains("<name>&lt;&amp;\u{fffd}&apos;&gt;</name>"))
    #expect(!file.contains("<rte>"))
    #expect(file.hasSuffix("</gpx>\n"))
  }

  private func tasks() throws -> ReplicatedList {
    try Plain.list(
      """
      {"format":"betwixt-tasks","id":"t","name":"To do","tasks":[
      {"id":"a","text":"Ask, then buy","sortOrder":0},
      {"id":"b","text":"Pack *all*","sortOrder":1,"scheduledDate":"2026-02-13","state":"active"},
      {"id":"c","text":"=Book","sortOrder":0,"scheduledDate":"2026-02-13","state":"completed",
      "completedAt":"2026-02-12T09:30:00Z"}]}
      """)
  }

  @Test func tasksAsMarkdown() throws {
    #expect(
      text(MarkdownExport(try tasks()).bytes) == #"""
        # To do

        ## Inbox

        - [ ] Ask, then buy

        ## 2026-02-13

        - [ ] Pack \*all\*
        - [x] =Book

        """#)
  }

  @Test func tasksAsATable() throws {
    let lines = [
      "date,order,id,state,text,createdAt,updatedAt,completedAt,note,priority,project,tags",
      ",1,a,,\"Ask, then buy\",,,,,,,",
      "2026-02-13,1,b,active,Pack *all*,,,,,,,",
      "2026-02-13,2,c,completed,=Book,,,2026-02-12T09:30:00Z,,,,",
    ]
    #expect(text(CSVExport(try tasks()).bytes) == lines.joined(separator: "\r\n") + "\r\n")
    #expect(text(CSVExport(try tasks(), isSpreadsheetSafe: true).bytes).contains(",'=Book,"))
  }

  @Test func aValueThatMarkdownCannotShowIsCounted() throws {
    var list = try Plain.list(Plain.trip(Plain.item("a", #""kind":"travel","title":"A""#)))
    var me = Replica(test: 7)
    try list.set(
      [("time", "soon"), ("distanceKm", "far"), ("durationMin", .bool(true))], of: Plain.itemA,
      by: &me)
    #expect(
      MarkdownExport(list).omissions.map { $0.reason } == [.badField, .badField, .badField])
  }
}
