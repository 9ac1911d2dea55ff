import Betwixt
import BetwixtSQL

/// What a database is told, as text that its own shell takes.
struct SQLText {
  private let dialect: SQLDialect

  init(_ dialect: SQLDialect) { self.dialect = dialect }

  /// The statements that make the tables.
  func tables(_ statements: [SQLStatement]) -> String {
    statements.map { $0.text + ";\n" }.joined()
  }

  /// All rows of a list in one transaction.
  func rows(of list: ReplicatedList, to write: (String) -> Void) {
    let rows = SQLRegisters(dialect, list: list.id)
    write("-- list \(list.id), items: \(list.count), digest \(list.digest)\n")
    write(dialect == .postgres ? "BEGIN;\n" : "BEGIN IMMEDIATE;\n")
    for statement in rows.merge([list.delta(since: [:])]) {
      write(statement.inlined(for: dialect) + ";\n")
    }
    write("COMMIT;\n")
  }

  /// Every statement as comments: its name, its parameters, its text.
  var statements: String {
    var text = """

      -- A list is 16 bytes, an item too. A register is a kind (0: life, 1: position, 2: field) and the
      -- name of a field. Of a replica the top bit is flipped: signed numbers have its order then.
      -- A value is its canonical bytes, a sequence the number that the replica gave the write.

      """
    for statement in SQLCatalogue(dialect).statements {
      text += "\n-- \(statement.name): \(statement.purpose)\n"
      for (number, parameter) in statement.parameters.enumerated() {
        let mark = dialect == .postgres ? "$" : "?"
        text += "-- \(mark)\(number + 1) \(parameter.type): \(parameter.meaning)\n"
      }
      for line in (statement.text + ";").split(separator: "\n") { text += "--   \(line)\n" }
    }
    return text
  }
}
