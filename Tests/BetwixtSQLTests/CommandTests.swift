import Betwixt
import BetwixtSQL
import BetwixtSync
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// `betwixt sql`: what it prints goes through `psql` and `sqlite3`, and comes back as the same list.
@Suite("The command sql", .serialized)
struct CommandTests {
  @Test("the rows of documents are read back as these documents", arguments: SQLDialect.allCases)
  func rows(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let scratch = ScratchDirectory()
    for seed in 1...(runsLong ? 100 : 10) as ClosedRange<UInt64> {
      let history = try History(seed: seed, list: TestDatabase.newList(), edits: 60)
      var whole = history.whole
      if seed.isMultiple(of: 2) { whole.forget(below: whole.version) }
      var half = ReplicatedList(id: whole.id)
      for delta in history.deltas.prefix(history.deltas.count / 2) { half.merge(delta) }
      // The tables are there already, and so are some of the rows.
      for list in [half, whole, half] {
        let path = scratch.path + "/list.trip"
        let bytes = try SealedBlock.encode(list)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let script = CommandRun("sql", "--dialect", dialect.rawValue, path)
        try #require(script.code == .done, "\(script.messages)")
        #expect(
          script.output.contains("-- list \(list.id), items: \(list.count), digest \(list.digest)"))
        #expect(try Self.feed(script.output, to: database, scratch.path + "/script") == "")
      }
      let rows = SQLRegisters(dialect, list: whole.id)
      let connection = try ShellConnection(database)
      let answer = try connection.perform([rows.since([:]), rows.page(limit: 1_000)])
      var read = ReplicatedList(id: whole.id)
      read.merge(try rows.delta(answer[0], since: [:]))
      #expect(read == whole && read.version == whole.version, "\(dialect), seed \(seed)")
      #expect(read.floor == whole.floor, "\(dialect), seed \(seed)")
      #expect(read.digest == whole.digest, "\(dialect), seed \(seed)")
      #expect(try rows.items(answer[1]).map(\.id) == whole.map(\.id), "\(dialect), seed \(seed)")
      try connection.perform(rows.remove())
    }
  }

  @Test("the tables are made in an empty database", arguments: SQLDialect.allCases)
  func tables(dialect: SQLDialect) throws {
    let scratch = ScratchDirectory()
    guard let known = try TestDatabase.of(dialect) else { return }
    var database = TestDatabase(dialect: dialect, shell: "sqlite3 -bail '\(scratch.path)/new'")
    if dialect == .postgres {
      let connection = try ShellConnection(known)
      _ = try connection.performAlone([SQLStatement("CREATE DATABASE made")])
      database = TestDatabase(dialect: dialect, shell: known.shell + " -v ON_ERROR_STOP=1 -d made")
    }
    let arguments = dialect == .postgres ? ["--triggers"] : []
    let script = CommandRun(["sql", "--dialect", dialect.rawValue] + arguments)
    try #require(script.code == .done)
    #expect(try Self.feed(script.output, to: database, scratch.path + "/script") == "")
    let count =
      "SELECT count(*) FROM "
      + (dialect == .postgres
        ? "pg_tables WHERE tablename LIKE 'betwixt%';\n"
        : "sqlite_master WHERE type = 'table';\n")
    let said = try Self.feed(count, to: database, scratch.path + "/count")
    #expect(said == (dialect == .postgres ? "5\n" : "4\n"))
  }

  @Test("the sum of all entries begins with those that are there")
  func sum() throws {
    guard let known = try TestDatabase.of(.postgres) else { return }
    _ = try ShellConnection(known).performAlone([SQLStatement("CREATE DATABASE summed")])
    let connection = try ShellConnection(
      TestDatabase(dialect: .postgres, shell: known.shell + " -d summed"))
    let history = try History(seed: 5, list: TestDatabase.newList(), edits: 40)
    let rows = SQLRegisters(.postgres, list: history.whole.id)
    func sum() throws -> Digest {
      Digest(try rows.sum(try connection.perform([rows.sum()])[0]))
    }
    try connection.perform(SQLSchema.tables(.postgres))
    let half = history.deltas.count / 2
    var list = ReplicatedList(id: history.whole.id)
    for delta in history.deltas.prefix(half) {
      try connection.perform(rows.merge([delta]))
      list.merge(delta)
    }
    // Twice, as each server does that starts.
    for _ in 0..<2 {
      try connection.perform(SQLSchema.digestTriggers)
      #expect(try sum() == list.digest)
    }
    for delta in history.deltas.dropFirst(half) {
      try connection.perform(rows.merge([delta]))
      list.merge(delta)
    }
    #expect(try sum() == list.digest)
    // Or anew.
    try connection.perform(
      [SQLStatement("UPDATE betwixt_sum SET count = 7"), SQLStatement("DELETE FROM betwixt_sum")]
        + SQLSchema.digestTriggers)
    #expect(try sum() == list.digest && list == history.whole)
  }

  @Test("the parameters of each statement are those of its text", arguments: SQLDialect.allCases)
  func parameters(dialect: SQLDialect) throws {
    let statements = SQLCatalogue(dialect).statements
    #expect(Set(statements.map(\.name)).count == statements.count && statements.count > 12)
    let mark: Character = dialect == .postgres ? "$" : "?"
    for statement in statements {
      let numbers = statement.text.split(separator: mark).dropFirst()
        .compactMap { Int($0.prefix { $0.isNumber }) }
      #expect(numbers.max() == statement.parameters.count, "\(statement.name)")
      // The second statement of a fold has the parameters of the first, and needs not all of them.
      let isSecond = statement.name == "log.fold-2"
      #expect(Set(numbers).count == statement.parameters.count - (isSecond ? 1 : 0))
    }
    let merge = try #require(statements.first { $0.name == "rows.merge" })
    let bytes = dialect == .postgres ? "bytea" : "BLOB"
    #expect(merge.parameters[0] == (bytes, "list"))
    if dialect == .postgres {
      #expect(merge.text == SQLRegisters.postgresMergeAndClaim)
      #expect(merge.parameters[2].type == "smallint[]" && merge.parameters.count == 18)
    }
  }

  @Test("what makes no sense is refused")
  func usage() {
    for arguments in [
      ["sql"], ["sql", "--dialect", "mysql"], ["sql", "--dialect", "sqlite", "--triggers"],
    ] {
      let run = CommandRun(arguments)
      #expect(run.code == .usage && run.output.isEmpty && run.messages.contains("--"))
    }
  }

  /// Feeds a script to a shell of the database, and gives all that it says.
  private static func feed(
    _ script: String, to database: TestDatabase, _ path: String
  ) throws -> String {
    // Other tests write to the same file, and SQLite does not wait unless it is told to.
    let wait = database.dialect == .sqlite ? ".timeout 60000\n" : ""
    try (wait + script).write(toFile: path, atomically: false, encoding: .utf8)
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\(database.shell) < '\(path)' 2>&1 || echo \"ends with $?\""]
    process.standardOutput = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}

/// One run of the tool in this process.
private struct CommandRun {
  let code: ExitCode
  let output: String
  let messages: String

  private final class Sink: ByteSink {
    let isTerminal = false
    private(set) var bytes: [UInt8] = []
    func write(_ bytes: [UInt8]) throws(SystemError) { self.bytes += bytes }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private struct NoInput: ByteSource {
    func readSome() throws(SystemError) -> [UInt8] { [] }
  }

  init(_ arguments: String...) { self.init(arguments) }

  init(_ arguments: [String]) {
    let (output, messages) = (Sink(), Sink())
    code = run(
      arguments: arguments, input: NoInput(), output: output, error: messages,
      environment: Environment())
    self.output = output.text
    self.messages = messages.text
  }
}
