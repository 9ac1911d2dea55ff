import Betwixt
import BetwixtSQL
import Foundation
import Synchronization
import TestSupport

/// A real database: PostgreSQL in a folder of its own, or a file of SQLite.
struct TestDatabase: Sendable {
  let dialect: SQLDialect
  /// What connects to it, as a line for the shell.
  let shell: String

  private static let scratch = ScratchDirectory()
  private static let servers = Mutex<[PostgresServer]>([])

  /// PostgreSQL for this process, which ends with it.
  private static let postgres = Result<TestDatabase?, any Error> {
    guard
      let server = try PostgresServer.here(
        scratch.path + "/postgres", ["-c", "fsync=off", "-c", "deadlock_timeout=100ms"])
    else { return nil }
    servers.withLock { $0.append(server) }
    try ShellConnection(server.database).perform(
      SQLSchema.tables(.postgres) + SQLSchema.digestTriggers)
    return server.database
  }

  /// SQLite in a file.
  private static let sqlite = Result<TestDatabase?, any Error> {
    guard try Self.status(of: "command -v sqlite3 && command -v stdbuf") == 0 else { return nil }
    let database = TestDatabase(
      dialect: .sqlite, shell: "stdbuf -oL sqlite3 '\(scratch.path)/lists.sqlite'")
    try ShellConnection(database).perform(SQLSchema.tables(.sqlite))
    return database
  }

  /// A database with the library's tables; `nil`, with a word, where its programs are not installed.
  ///
  /// Only that leaves a test out. Where they are there, whatever goes wrong with them fails it.
  static func of(_ dialect: SQLDialect) throws -> TestDatabase? {
    let database = try (dialect == .postgres ? postgres : sqlite).get()
    if database == nil { print("no \(dialect) here: left out") }
    return database
  }

  /// What a line for the shell ends with.
  fileprivate static func status(of line: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "{ \(line); } > /dev/null 2>&1"]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Names that no other test uses.
  static func newList() -> ListID {
    ListID(high: UInt64.random(in: 1 ... .max), low: UInt64.random(in: 1 ... .max))
  }
}

/// A PostgreSQL that lives as long as this object, or as this process.
final class PostgresServer: @unchecked Sendable {
  let folder: String
  private let process = Process()
  private let input = Pipe()

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Scripts/postgres").path

  /// What the script ends with where there is none.
  private static let notInstalled: Int32 = 69

  /// A server that has not begun, or has ended.
  struct NotRunning: Error {}

  /// A server in a folder; `nil`, with a word, where no PostgreSQL is installed.
  static func here(_ folder: String, _ options: [String] = []) throws -> PostgresServer? {
    switch try TestDatabase.status(of: "'\(script)' there") {
    case 0: return try PostgresServer(folder, options)
    case notInstalled:
      print("no postgres here: left out")
      return nil
    default: throw NotRunning()
    }
  }

  init(_ folder: String, of primary: String? = nil, _ options: [String]) throws {
    self.folder = folder
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.script)
    process.arguments =
      primary.map { ["standby", folder, $0] } ?? ["run", folder]
    process.arguments? += options
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var said = Data()
    while !said.contains(0x0a) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NotRunning() }
      said += more
    }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The process that all others of the server hang on.
  func postmaster() throws -> pid_t {
    let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
    guard let pid = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw NotRunning()
    }
    return pid
  }

  var database: TestDatabase {
    TestDatabase(
      dialect: .postgres,
      shell:
        "env PGOPTIONS='--client-min-messages=warning' psql -h '\(folder)' -U postgres -X -q -A -t")
  }
}
