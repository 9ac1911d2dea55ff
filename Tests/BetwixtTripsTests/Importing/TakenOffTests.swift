import Betwixt
import BetwixtTrips
import Testing

/// What was taken off a task in another program.
@Suite struct TakenOffTests {
  struct Sample: Sendable {
    let format: DocumentFormat
    let old: String
    let new: String
    /// What the old one has and the new one lacks.
    let names: [FieldName]

    init(_ format: DocumentFormat, _ old: String, _ new: String, _ names: FieldName...) {
      (self.format, self.old, self.new, self.names) = (format, old, new, names)
    }
  }

  private static func org(_ line: String, _ before: String = "", _ after: String = "") -> String {
    "\(before)* \(line)\n:PROPERTIES:\n:ID: 9a0a8b74-7b2b-8658-9e54-abee835481f7\n:END:\n\(after)"
  }

  private static func task(_ members: String) -> String {
    let id = #""uuid":"9a0a8b74-7b2b-4658-9e54-abee835481f7","description":"Pay""#
    return "[{\(id),\"entry\":\"20260101T000000Z\"\(members)}]"
  }

  private static let pending = #","status":"pending""#

  static let samples = [
    Sample(.org, org("TODO [#A] Pay"), org("TODO Pay"), .priority),
    Sample(.org, org("TODO Pay :home:"), org("TODO Pay"), .tags),
    Sample(.org, org("TODO Pay", "", "account 12\n"), org("TODO Pay"), .note),
    Sample(.org, org("TODO Pay", "* Home\n*"), org("TODO Pay"), .project),
    Sample(
      .org, "* TODO Pay\nSCHEDULED: <2026-05-01 Fri 10:00> DEADLINE: <2026-05-03 Sun>\n",
      "* TODO Pay\n", "org:SCHEDULED", "org:DEADLINE"),
    Sample(.org, "* TODO Rent\n** TODO Pay\n", "* TODO Rent\n* TODO Pay\n", .parent),
    Sample(.org, "* DONE Pay\nCLOSED: [2026-05-01 Fri]\n", "* TODO Pay\n", .completedAt),
    Sample(.todoTxt, "(A) 2026-01-01 Pay\n", "2026-01-01 Pay\n", .priority),
    Sample(.todoTxt, "(A) 2026-01-01 Pay\n", "(A) Pay\n", .createdAt),
    Sample(.todoTxt, "x 2026-05-01 Pay\n", "Pay\n", .completedAt),
    Sample(
      .taskwarrior,
      task(
        pending + #","priority":"H","project":"Home","tags":["a"],"due":"20260601T000000Z""#
          + #","scheduled":"20260501T000000Z","annotations":[{"description":"n"}]"#),
      task(pending), .priority, .project, "json:tags", "tw:due", "scheduled", "json:annotations"),
    Sample(
      .taskwarrior, task(#","status":"waiting","wait":"20260601T000000Z""#), task(pending),
      "tw:status", "wait"),
    Sample(
      .taskwarrior, task(#","status":"completed","end":"20260601T000000Z""#), task(pending),
      .completedAt),
    Sample(.taskwarrior, task(pending + #","start":"20260601T000000Z""#), task(pending), "start"),
    Sample(.taskPaper, "- Pay @done(2026-05-01)\n\tnote\n", "- Pay @done\n", .note, .completedAt),
    Sample(.taskPaper, "Home:\n\t- Pay\n", "- Pay\n", .project),
    Sample(
      .markdown, "# T\n\n## Home\n\n- [ ] Pay\n  note\n", "# T\n\n- [ ] Pay\n", .project, .note),
    Sample(.markdown, "- [ ] Rent\n  - [ ] Pay\n", "- [ ] Rent\n- [ ] Pay\n", .parent),
  ]

  private static func file(_ text: String, _ format: DocumentFormat) throws -> TripFile {
    var options = ReadingOptions()
    options.format = format
    return try TripFile(decoding: Array(text.utf8), name: "f", options: options)
  }

  private static func task(in list: ReplicatedList) throws -> ListItem {
    try #require(list.first { $0["text"] == "Pay" })
  }

  @Test(arguments: samples) func withABaseThatHadItItIsTaken(_ sample: Sample) throws {
    let old = try Self.file(sample.old, sample.format)
    let new = try Self.file(sample.new, sample.format)
    let list = try TripImport(old).list
    let document = TripFile(list: list, name: "d.trip")
    for name in sample.names { #expect(try Self.task(in: list)[name] != nil, "\(name)") }
    let once = try TripImport(new, into: list, base: old).list
    for result in [
      once, try TripImport(new, into: once, base: old).list,
      try TripImport(new, into: once, base: new).list, try TripImport(new, into: once).list,
      try TripImport(new, into: list, base: document).list,
      try TripMerge([old, new], base: old).list, try TripMerge([document, new], base: old).list,
    ] {
      for name in sample.names { #expect(try Self.task(in: result)[name] == nil, "\(name)") }
    }
    // What goes out says no more than what came.
    let sent = text(try once.encoded(as: sample.format).bytes)
    let again = try Self.file(sent, sample.format).list()
    for name in sample.names { #expect(try Self.task(in: again)[name] == nil, "\(name)") }
  }

  /// Absence says nothing there.
  @Test(arguments: samples) func withoutABaseItStays(_ sample: Sample) throws {
    let list = try TripImport(Self.file(sample.old, sample.format)).list
    let result = try TripImport(Self.file(sample.new, sample.format), into: list).list
    for name in sample.names where name != "tw:status" {
      #expect(try Self.task(in: result)[name] != nil, "\(name)")
    }
  }

  /// What it was is as good as what it is: a word is no absence.
  @Test func aWordThatSaysOtherwiseIsTakenWithoutABase() throws {
    for (format, old, new, name) in [
      (DocumentFormat.org, Self.org("WAITING Pay"), Self.org("TODO Pay"), "org:keyword"),
      (.org, Self.org("CANCELLED Pay"), Self.org("DONE Pay"), "org:keyword"),
      (
        .taskwarrior, Self.task(#","status":"waiting""#), Self.task(Self.pending),
        "tw:status" as FieldName
      ),
    ] {
      let (old, new) = try (Self.file(old, format), Self.file(new, format))
      let list = try TripImport(old).list
      let results = try [TripImport(new, into: list), TripImport(new, into: list, base: old)]
      for result in results {
        #expect(result.counts.updated == 1)
        #expect(try Self.task(in: result.list)[name] == nil)
        #expect(try TripImport(new, into: result.list).list == result.list)
        // And back.
        let back = try TripImport(old, into: result.list, base: new).list
        #expect(try Self.task(in: back)[name] != nil)
      }
      var (here, there) = (results[0].list, try TripImport(new, into: list).list)
      here.merge(there.delta(since: here.version))
      there.merge(here.delta(since: there.version))
      #expect(here.digest == there.digest)
    }
  }

  /// A file that has no room for something takes none of it off, also where others of its kind do.
  @Test(arguments: [
    DocumentFormat.org, .todoTxt, .taskwarrior, .taskPaper, .markdown, .csv,
  ])
  func whatAFormatHasNoRoomForStays(format: DocumentFormat) throws {
    let rent = #"{"id":"r","sortOrder":0,"text":"Rent","priority":"high","project":"Home"}"#
    let pay = #"""
      {"id":"p","sortOrder":1,"text":"Pay","note":"  n\n","priority":"A","tags":"a b",
      "parent":"\#(ForeignIdentity.task("r").uuid)","project":"Home","createdAt":"2026-01-01",
      "state":"completed","org:keyword":"WAITING","tw:status":"waiting","wait":"later",
      "org:DEADLINE":"2026-05-01 <2026-05-01 Fri>"}
      """#
    let off = #"{"id":"o","sortOrder":2,"text":"Off","completedAt":"2026-01-01","tags":["a"]}"#
    let list = try Plain.list(
      #"{"format":"betwixt-tasks","id":"t","name":"T","tasks":[\#(rent),\#(pay),\#(off)]}"#)
    let file = try Self.file(text(list.encoded(as: format).bytes), format)
    for base in [nil, file, TripFile(list: list, name: "base")] {
      let result = try TripImport(file, into: list, base: base)
      #expect(result.list == list)
      #expect(result.counts == .init(unchanged: 3))
    }
  }

  /// It is compared as what a file of this kind would say of it.
  @Test func aBaseOfAnotherFormat() throws {
    let base = try Self.file("* TODO [#A] Pay :home:\n* TODO Rent\n", .org)
    let file = try Self.file("Pay\n", .todoTxt)
    for list in try [
      TripImport(base).list, TripImport(Self.file("Rent\n(A) Pay\n", .todoTxt)).list,
    ] {
      let result = try TripImport(file, into: list, base: base)
      #expect(result.counts == .init(updated: 1, removed: 1))
      #expect(result.list.map { $0["text"] } == ["Pay"] && result.list[0]["priority"] == nil)
      #expect(result.list[0]["tags"] == list.first { $0["text"] == "Pay" }?["tags"])
    }
  }

  /// What somebody wrote here meanwhile stays, and what the file took off is named.
  @Test func whatWasEditedHereStays() throws {
    let (old, new) = try (
      Self.file(Self.org("TODO [#A] Pay"), .org), Self.file(Self.org("TODO Pay"), .org)
    )
    var list = try TripImport(old).list
    var me = Replica(test: 5)
    try list.set("priority", of: list[0].id, to: "B", by: &me)
    let result = try TripImport(new, into: list, base: old)
    #expect(result.list[0]["priority"] == "B")
    #expect(!result.losses.isEmpty)
  }

  /// A list in a member is one value, and nothing new where it says what it did.
  @Test func tagsThatTheFileLeftAloneAreNoEdit() throws {
    let old = try Self.file(Self.task(Self.pending + #","tags":["a"]"#), .taskwarrior)
    let new = try Self.file(
      Self.task(#","status":"completed","tags":["a"]"#), .taskwarrior)
    var list = try TripImport(old).list
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_000 }
    try list.set("json:tags", of: list[0].id, to: #"["b"]"#, by: &me)
    for document in [list, TripFile(list: list, name: "d").list()] {
      let result = try TripImport(new, into: document, base: old)
      #expect(result.list[0]["json:tags"] == #"["b"]"#)
      #expect(result.list[0]["state"] == "completed")
      #expect(result.losses.isEmpty)
    }
  }
}
