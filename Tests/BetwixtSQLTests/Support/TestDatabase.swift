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

  /// PostgreSQL for this process, which ends with it; `nil` where none is installed.
  static let postgres: TestDatabase? = {
    guard
      let server = try? PostgresServer(
        scratch.path + "/postgres", ["-c", "fsync=off", "-c", "deadlock_timeout=100ms"])
    else {
      return nil
    }
    servers.withLock { $0.append(server) }
    let database = server.database
    guard let connection = try? ShellConnection(database) else { return nil }
    let statements = SQLSchema.tables(.postgres) + SQLSchema.digestTriggers
    do {
      try connection.perform(statements)
    } catch {
      print(error)
      return nil
    }
    return database
  }()

  private static let scratch = ScratchDirectory()
  private static let servers = Mutex<[PostgresServer]>([])

  /// SQLite in a file; `nil` where it is not installed, or too old.
  static let sqlite: TestDatabase? = {
    let database = TestDatabase(
      dialect: .sqlite, shell: "stdbuf -oL sqlite3 '\(scratch.path)/lists.sqlite'")
    guard let connection = try? ShellConnection(database),
      (try? connection.perform(SQLSchema.tables(.sqlite))) != nil
    else { return nil }
    return database
  }()

  static func of(_ dialect: SQLDialect) -> TestDatabase? {
    let database = dialect == .postgres ? postgres : sqlite
    if database == nil { print("no \(dialect) here: left out") }
    return database
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

  struct NotHere: Error {}

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
      guard !more.isEmpty else { throw NotHere() }
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
      throw NotHere()
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
