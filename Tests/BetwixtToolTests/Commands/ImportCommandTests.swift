import Betwixt
import BetwixtTool
import BetwixtTrips
import Testing

@Suite struct ImportCommandTests {
  private let folder: ScratchFolder
  private let base: String
  private let document: String

  init() throws {
    folder = try ScratchFolder()
    base = try folder.write(SampleTrip.base, to: "base.json")
    document = folder.path("trip.trip.json")
    try #require(ToolRun("import", base, "-o", document).code == .done)
  }

  @Test func oneSourceGivesOneDocument() throws {
    let run = ToolRun("import", "-", input: SampleTrip.base)
    #expect(run.code == .done)
    #expect(run.output == (try folder.text("trip.trip.json")))
    #expect(run.output.hasPrefix("{\n\"format\":\"betwixt-trip\","))
    #expect(ToolRun("import", "-", input: run.output).output == run.output)
  }

  /// Prose is no list that lost its tasks, and nothing at all is one only of the format of its base.
  @Test(arguments: [
    ("new.dat", "Some words.\n", ExitCode.badData), ("new.taskpaper", "Some words.\n", .badData),
    ("new.org", "Some words.\n", .badData), ("new.taskpaper", "", .badData),
    ("new.org", "\n", .done),
    ("new.dat", "", .done),
  ])
  func whatIsNoListRemovesNothing(_ name: String, _ text: String, _ code: ExitCode) throws {
    let old = try folder.write("* TODO Pack\n* TODO Pay\n", to: "old.org")
    let tasks = folder.path("tasks.trip.json")
    #expect(ToolRun("import", old, "-o", tasks).code == .done)
    let source = try folder.write(text, to: name)
    let run = ToolRun("import", "--base", old, "--into", tasks, source)
    #expect(run.code == code, "\(run.messages)")
    #expect(ToolRun("export", "--format", "org", tasks).output.contains("Pack") == (code != .done))
  }

  @Test func intoADocumentReplacesIt() throws {
    let source = try folder.write(SampleTrip.phone, to: "phone.json")
    let before = try folder.text("trip.trip.json")
    #expect(ToolRun("import", "--into", document, source).code == .done)
    let after = try folder.text("trip.trip.json")
    #expect(after != before)
    #expect(after.contains("Pike Place Market"))
    #expect(ToolRun("import", "--into", document, source).code == .done)
    #expect(try folder.text("trip.trip.json") == after, "a second time changes nothing")
  }

  @Test func anOutputSparesTheDocument() throws {
    let before = try folder.text("trip.trip.json")
    let run = ToolRun("import", "--into", document, "-", "-o", "-", input: SampleTrip.phone)
    #expect(run.code == .done)
    #expect(run.output.contains("Pike Place Market"))
    #expect(try folder.text("trip.trip.json") == before)
  }

  @Test func aBaseTellsADeletionFromAnItemThatIsNew() {
    let run = ToolRun("import", "--into", document, "--base", base, "-", input: SampleTrip.tablet)
    #expect(run.code == .done)
    #expect(!ToolRun("show", document).output.contains("Dinner"))
  }

  @Test(arguments: ["Titel,Datum", "Titel;Datum", "Titel\tDatum"])
  func whatHasColumnsIsATable(heading: String) throws {
    let separator = heading.dropFirst(5).first.map(String.init) ?? ""
    let table = "\(heading)\nMittag\(separator)2026-06-14\n"
    let run = ToolRun("import", "--columns", "title=Titel,date=Datum", "-", input: table)
    #expect(run.code == .done && run.output.contains("Mittag"), "\(run.messages)")
    let other = ToolRun(
      "import", "--input", "markdown", "--columns", "title=Titel,date=Datum", "-", input: table)
    #expect(other.code == .usage)
  }

  @Test func aTableWithoutDatesHasThoseOfTheDocument() throws {
    let table = "day,title\n2,Mittag\n"
    #expect(ToolRun("import", "-", input: table).messages.contains("say the first (--start"))
    let run = ToolRun("import", "--into", document, "-", input: table)
    #expect(run.code == .done && run.messages.contains("added 1"), "\(run.messages)")
    let shown = ToolRun("show", document).output
    #expect(shown.split(separator: "Day ").last { $0.contains("Mittag") }?.hasPrefix("2,") == true)
  }

  /// What a new document starts with has the first day that was given; dates of its own move with it.
  @Test(arguments: [
    "day,title\n2,Mittag\n", "date,title\n2026-05-10,Abend\n2026-05-11,Mittag\n",
  ])
  func aNewDocumentSaysTheFirstDayOfATable(_ table: String) throws {
    let device = try TestDevice()
    let run = device.run(
      "new", "--from", "-", "--start", "2026-05-11", device.path(), input: table)
    #expect(run.code == .done, "\(run.messages)")
    let list = try device.list()
    #expect(Trip(list).startDate == CivilDate("2026-05-11") && Trip(list).dayCount == 2)
    #expect(list.first { $0["title"]?.string == "Mittag" }?.section == 2)
  }

  @Test func ofASpreadsheetItIsSaidWhatHelps() throws {
    try folder.write([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 6, 0] as [UInt8], to: "plan.xlsx")
    let file = folder.path("plan.xlsx")
    for arguments in [
      ["import", file], ["show", file], ["import", "--columns", "title=A", file],
    ] {
      let run = ToolRun(arguments)
      #expect(run.code == .badData && run.messages.contains("save it as CSV"), "\(run.messages)")
    }
  }

  /// One that holds a document as it is, too: it is no document that was damaged.
  @Test func anArchiveIsToBeUnpacked() throws {
    let bytes = try folder.bytes("trip.trip.json")
    let head = [0x50, 0x4b, 0x03, 0x04] + [UInt8](repeating: 0, count: 26)
    #expect(ToolRun("import", base, "-o", folder.path("in.trip"), "--format", "trip").code == .done)
    let document = try folder.bytes("in.trip")
    for (name, inner) in [("a.zip", bytes), ("got.trip", document)] {
      let archive = head + Array("in.trip".utf8) + inner
      try folder.write(archive, to: name)
      for arguments in [["show", folder.path(name)], ["undo", folder.path(name)]] {
        let run = ToolRun(arguments)
        #expect(run.code == .badData && run.messages.contains("unpack it first"), "\(run.messages)")
      }
      #expect(try folder.bytes(name) == archive)
    }
  }

  /// A base is read as the source is.
  @Test func aBaseHasTheColumnsOfTheSource() throws {
    let old = try folder.write("Titel,Datum\nMittag,2026-06-14\n", to: "old.csv")
    let new = try folder.write("Titel,Datum\nMittag,2026-06-15\n", to: "new.csv")
    let columns = ["--columns", "title=Titel,date=Datum", "--into", document]
    #expect(ToolRun(["import"] + columns + [old]).code == .done)
    let run = ToolRun(["import"] + columns + ["--base", old, new])
    #expect(run.code == .done && run.messages.contains("updated 1"), "\(run.messages)")
  }

  /// What nothing tells of a base is what the source is; what its bytes tell comes first.
  @Test func aBaseIsReadAsTheSource() throws {
    let old = try folder.write("Milk\nBread\n", to: "old")
    let new = try folder.write("Milk\n", to: "new")
    let marked = try folder.write("- [ ] Milk\n- [ ] Bread\n", to: "marked")
    for base in [old, marked] {
      let list = folder.path("list.trip.json")
      let made = ToolRun("import", "--input", "todo.txt", old, "-o", list, "--force")
      #expect(made.code == .done, "\(made.messages)")
      let run = ToolRun("import", "--input", "todo.txt", "--into", list, "--base", base, new)
      #expect(run.code == .done && run.messages.contains("removed 1"), "\(run.messages)")
    }
    let run = ToolRun("import", "--into", document, "--base", old, new)
    #expect(run.code == .badData && run.messages.contains("(--input FORMAT)"))
    #expect(!run.messages.contains("'betwixt import'"), "\(run.messages)")
  }

  /// Only this command has the options that help.
  @Test func otherCommandsSayWhoseOptionHelps() throws {
    let list = try folder.write("Milk\nBread\n", to: "list")
    let table = try folder.write("day,title\n2,Mittag\n", to: "table.csv")
    for (path, option) in [(list, "--input"), (table, "--start")] {
      for arguments in [["merge", path], ["show", path], ["merge", document, path]] {
        let run = ToolRun(arguments)
        #expect(run.code == .badData)
        #expect(
          run.messages.hasSuffix(
            "The option \(option) is one of 'betwixt import', which makes a document of the file.\n"
          ),
          "\(run.messages)")
      }
    }
  }

  @Test func aCalendarComesBackUnchanged() throws {
    let calendar = folder.path("trip.ics")
    #expect(ToolRun("export", document, "-o", calendar).code == .done)
    let before = try folder.text("trip.trip.json")
    let run = ToolRun("import", "--into", document, "--utc-offset=-07:00", calendar)
    #expect(run.code == .done)
    #expect(run.messages.contains("updated 0"))
    #expect(try folder.text("trip.trip.json") == before)
    let apart = ToolRun("import", "--into", document, "--utc-offset", "-07:00", calendar)
    #expect(apart.code == .done, "\(apart.messages)")
    #expect(ToolRun("import", "--utc-offset", "-q", calendar).code == .usage)
    let bad = ToolRun("import", "--utc-offset", "7", calendar)
    #expect(bad.code == .usage)
    #expect(bad.messages.hasPrefix("Error: option '--utc-offset' is Z or ±HH:MM, not '7'\n"))
  }

  @Test func aBadSourceLeavesTheDocumentAlone() throws {
    let before = try folder.text("trip.trip.json")
    #expect(ToolRun("import", "--into", document, "-", input: "{}").code == .badData)
    #expect(try folder.text("trip.trip.json") == before)
  }

  @Test func aDocumentIsEditedInPlace() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--from", base, device.path()).code == .done)
    let before = try device.folder.bytes("trip.trip")
    let version = try device.list().version
    let run = device.run("import", "--into", device.path(), "-", input: SampleTrip.phone)
    #expect(run.code == .done)
    let after = try device.folder.bytes("trip.trip")
    #expect(after.starts(with: before), "appended, not replaced")
    #expect(try device.titles().contains("Pike Place Market"))
    // The writes are those of the file, which is the same on every machine.
    let other = try TestDevice()
    #expect(other.run("new", "--from", base, other.path()).code == .done)
    #expect(
      other.run("import", "--into", other.path(), "-", input: SampleTrip.phone).code == .done)
    #expect(try other.list() == device.list())
    // Nobody of this installation has written. There is a record all the same, so that the step follows
    // the file wherever it is moved.
    #expect(try device.list().version.count == version.count + 1)
  }

  @Test func anOwnImportTellsWhatLost() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--from", base, device.path()).code == .done)
    #expect(device.run("set", device.path(), "Museum", "title=Gallery").code == .done)
    let run = device.run(
      "import", "--own", "--base", base, "--into", device.path(), "-", input: SampleTrip.phone)
    #expect(run.code == .done, "\(run.messages)")
    #expect(run.messages.contains("conflict: title of "), "\(run.messages)")
  }

  @Test func ownImportsAreWritesOfThisInstallation() throws {
    let device = try TestDevice()
    #expect(device.run("new", "--from", base, device.path()).code == .done)
    let version = try device.list().version
    for _ in 0..<2 {
      let run = device.run(
        "import", "--own", "--base", base, "--into", device.path(), "-", input: SampleTrip.tablet)
      #expect(run.code == .done, "\(run.messages)")
    }
    let list = try device.list()
    #expect(!(try device.titles().contains("Dinner")))
    let own = list.version.filter { version[$0.replica] == 0 }
    #expect(own.count == 1)
    let line = device.run("identity", "--json", device.path()).output
    #expect(line.contains("\"replica\":\"\(try #require(own.first).replica)\""))
    #expect(device.run("import", "--own", base).code == .usage)
    #expect(device.run("import", "--own", "--into", document, base).code == .usage)
  }

  /// A new document says what it could not take, as an import does.
  @Test func aNewDocumentSaysWhatIsLeftOut() throws {
    let device = try TestDevice()
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "BEGIN:VEVENT", "UID:a",
      "SUMMARY:Without a start", "END:VEVENT", "BEGIN:VEVENT", "UID:b", "SUMMARY:B",
      "DTSTART:20260501T100000Z", "END:VEVENT", "END:VCALENDAR", "",
    ]
    let calendar = try device.folder.write(lines.joined(separator: "\r\n"), to: "x.ics")
    let run = device.run("new", "--from", calendar, device.path())
    #expect(run.code == .done && run.output.contains("1 item"), "\(run.messages)")
    #expect(run.messages.contains("skipped: it has no DTSTART"), "\(run.messages)")
  }
}
