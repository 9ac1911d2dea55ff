import Betwixt
import BetwixtSQL
import Foundation
import TestSupport
import Testing

/// The article "A to-do list in Python" is run as it stands, and the library reads what it wrote.
@Suite struct PythonTests {
  private static let work = """
    move(add("Milk"), 0)
    for title in ["Bread", "Eggs", "Tea"]:
        add(title)
    move(rows()[3][0], 0)
    move(rows()[0][0], 2)
    for _ in range(20):
        move(rows()[3][0], 1)
    move(rows()[1][0], 3)
    print("|".join(title[1:].decode() for _, _, title in rows()))
    """

  private static func block(_ language: String, in article: String) throws -> String {
    let start = try #require(article.range(of: "```\(language)\n"))
    let end = try #require(article.range(of: "```", range: start.upperBound..<article.endIndex))
    return String(article[start.upperBound..<end.lowerBound])
  }

  @Test func theListOfTheArticleIsAListOfTheLibrary() throws {
    guard try TestDatabase.of(.sqlite) != nil else { return }
    let article = try Self.article()
    let code = try Self.block("python", in: article)
    #expect(code.split(separator: "\n").count <= 60)
    let schema = try Self.block("sql", in: article)
    let tables = SQLSchema.tables(.sqlite).prefix(4).map { $0.text + ";\n" }.joined()
    #expect(schema == tables)

    let scratch = ScratchDirectory()
    let path = scratch.path + "/todo.sqlite"
    let database = TestDatabase(dialect: .sqlite, shell: "stdbuf -oL sqlite3 '\(path)'")
    let connection = try ShellConnection(database)
    try connection.perform(SQLSchema.tables(.sqlite))
    let program = scratch.path + "/todo.py"
    try (code + Self.work).write(toFile: program, atomically: true, encoding: .utf8)
    let said = try Self.run("python3 '\(program)' '\(path)'")
    guard said != "127" else { return print("no python3 here: left out") }

    let rows = SQLRegisters(.sqlite, list: ListID(high: 0, low: 1))
    var list = ReplicatedList(id: rows.list)
    list.merge(try rows.delta(connection.perform([rows.since([:])])[0], since: [:]))
    let titles = list.map { $0["title"]?.string ?? "" }
    #expect(titles.sorted() == ["Bread", "Eggs", "Milk", "Tea"])
    #expect(said == titles.joined(separator: "|") + "\n")
    // Four items of three registers, and 24 moves.
    #expect(list.version.map(\.sequence) == [36])
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    try list.move(list[0].id, toOffset: 2, by: &me)
    #expect(list.map { $0["title"]?.string ?? "" } == [1, 0, 2, 3].map { titles[$0] })
  }

  /// A backup that is put back, and a write that fails, leave no number that stands for nothing.
  @Test func noNumberIsClaimedThatIsNotThere() throws {
    let scratch = ScratchDirectory()
    let program = scratch.path + "/todo.py"
    let article = try Self.article()
    let tables = try Self.block("sql", in: article)
    let code = try Self.block("python", in: article)
    let work = """
      db.executescript(\"\"\"\(tables)\"\"\")
      add("One")
      backup = sqlite3.connect(":memory:")
      db.backup(backup)
      add("Two")
      backup.backup(db)
      add("Three")
      db.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON main.betwixt_register"
                 " WHEN NEW.kind = 2 BEGIN SELECT RAISE(ABORT, 'full'); END")
      try:
          add("Four")
      except sqlite3.IntegrityError:
          db.execute("DROP TRIGGER full")
      add("Five")
      gaps = db.execute("SELECT count(*) FROM betwixt_version AS v WHERE known <> (SELECT count(*)"
                        " FROM betwixt_register AS r WHERE r.replica = v.replica)").fetchone()[0]
      print("|".join(title[1:].decode() for _, _, title in rows()), gaps, db.in_transaction)
      """
    try (code + work).write(toFile: program, atomically: true, encoding: .utf8)
    let said = try Self.run("python3 '\(program)' '\(scratch.path)/todo.sqlite'")
    guard said != "127" else { return print("no python3 here: left out") }
    #expect(said == "One|Three|Five 0 False\n")
  }

  private static func article() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BetwixtSQL/BetwixtSQL.docc/AListInPython.md"), encoding: .utf8)
  }

  private static func run(_ line: String) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "command -v python3 > /dev/null || { printf 127; exit; }; \(line)"]
    process.standardOutput = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
