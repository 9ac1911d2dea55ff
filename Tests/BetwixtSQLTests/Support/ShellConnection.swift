import BetwixtSQL
import Foundation
import Synchronization

/// A connection to a real database: `psql` or `sqlite3` in a process of its own.
final class ShellConnection: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    var isDeadlock: Bool { description.contains("deadlock detected") }
  }

  let dialect: SQLDialect
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer: [UInt8] = []
  private var marks = 0
  private var asked: [Int] = []

  init(_ database: TestDatabase) throws {
    // What is written to a connection that has ended is an error, and does not end this process.
    signal(SIGPIPE, SIG_IGN)
    dialect = database.dialect
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec \(database.shell) 2>&1"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    if dialect == .sqlite {
      send(text: ".timeout 20000\n.mode quote\n")
      _ = try performAlone(
        ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"].map { SQLStatement($0) })
    }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Ends it at once, as a cut connection does.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  // MARK: Sending

  private func send(text: String) {
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  private var mark: String {
    marks += 1
    return dialect == .postgres ? "\\warn mark\(marks)\n" : ".print mark\(marks)\n"
  }

  /// Asks without waiting for an answer: other connections work meanwhile.
  func ask(_ statements: [SQLStatement], end: String = "COMMIT") {
    var text = dialect == .postgres ? "BEGIN;\n" : "BEGIN IMMEDIATE;\n"
    text += mark
    for statement in statements { text += statement.inlined(for: dialect) + ";\n" + mark }
    text += "\(end);\n" + mark
    asked.append(statements.count)
    send(text: text)
  }

  /// Performs statements outside of a transaction.
  func performAlone(_ statements: [SQLStatement]) throws -> [[[SQLValue]]] {
    try statements.map { statement in
      send(text: statement.inlined(for: dialect) + ";\n" + mark)
      return try lines(to: marks).map(row)
    }
  }

  // MARK: Receiving

  /// The rows of each statement that was asked first.
  func answer() throws -> [[[SQLValue]]] {
    let count = asked.removeFirst()
    let first = marks - asked.reduce(0) { $0 + $1 + 2 } - count - 1
    var answers: [[[SQLValue]]] = []
    var failure: Failure?
    for number in first...first + count + 1 {
      do {
        let rows = try lines(to: number).map(row)
        if number > first, number <= first + count { answers.append(rows) }
      } catch let error as Failure {
        failure = failure ?? error
      }
    }
    if let failure {
      if dialect == .sqlite { _ = try? performAlone([SQLStatement("ROLLBACK")]) }
      throw failure
    }
    return answers
  }

  @discardableResult
  func perform(_ statements: [SQLStatement], end: String = "COMMIT") throws -> [[[SQLValue]]] {
    ask(statements, end: end)
    return try answer()
  }

  private func lines(to mark: Int) throws -> [String] {
    var lines: [String] = []
    while let line = nextLine() {
      if line == "mark\(mark)" {
        if let error = lines.first(where: ShellConnection.isError) {
          throw Failure(description: error)
        }
        return lines.filter {
          !$0.hasPrefix("DETAIL") && !$0.hasPrefix("HINT") && !$0.hasPrefix("WARNING")
            && !$0.hasPrefix("NOTICE")
        }
      }
      lines.append(line)
    }
    throw Failure(description: "the connection has ended: \(lines.suffix(3))")
  }

  private static func isError(_ line: String) -> Bool {
    line.hasPrefix("ERROR") || line.hasPrefix("Runtime error") || line.contains("rror: ")
  }

  private func nextLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0a) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      buffer += more
    }
  }

  private func row(_ line: String) -> [SQLValue] {
    line.split(separator: dialect == .postgres ? "|" : ",", omittingEmptySubsequences: false).map {
      column in
      if let number = Int64(column) { return .integer(number) }
      if column.hasPrefix("\\x") { return .bytes(Self.bytes(column.dropFirst(2))) }
      if column.hasPrefix("X'") { return .bytes(Self.bytes(column.dropFirst(2).dropLast())) }
      return .text(String(column))
    }
  }

  private static func bytes(_ digits: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits.utf8 {
      let value = digit < 0x3a ? digit - 0x30 : (digit | 0x20) - 0x57
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}

/// A connection as the library's users see one; what breaks is made anew.
actor ShellDriver: SQLDriver {
  private let database: TestDatabase
  private var connection: ShellConnection?

  init(_ database: TestDatabase) { self.database = database }

  func perform(_ statements: [SQLStatement]) async throws -> [[[SQLValue]]] {
    let connection = try self.connection ?? ShellConnection(database)
    self.connection = connection
    do {
      return try connection.perform(statements)
    } catch {
      self.connection = nil
      throw error
    }
  }

  func kill() { connection?.kill() }
}
