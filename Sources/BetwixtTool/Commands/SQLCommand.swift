import Betwixt
import BetwixtSQL
import BetwixtTrips

extension Command {
  /// Prints what a database is told: tables, statements, the rows of a document.
  static let sql = Command(
    name: "sql",
    synopsis: "--dialect DIALECT [--triggers] [FILE]",
    summary: "Prints the tables and statements of a database, or the rows of a document.",
    details: """
      Without FILE: the statements that make the tables, and as comments all others, with what stands \
      for their parameters. With FILE: the tables, and all rows of the document in one transaction, \
      which merges them with what is stored of it already. BetwixtSQL brings them back.
      """,
    operands: [("FILE", "A trip in any format, or - for standard input.")],
    operandCount: 0...1,
    ownOptions: [.dialect, .triggers],
    examples: [
      "betwixt sql --dialect postgres | psql -1 -v ON_ERROR_STOP=1",
      "betwixt sql --dialect sqlite trip.trip | sqlite3 -bail -cmd '.timeout 10000' trips.sqlite",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let dialect = try session.dialect(arguments)
      guard dialect == .postgres || !arguments.isSet(.triggers) else {
        throw session.usage("option '--triggers' is for postgres: SQLite knows no SHA-256")
      }
      var statements = SQLSchema.tables(dialect)
      if arguments.isSet(.triggers) { statements += SQLSchema.digestTriggers }
      guard let path = arguments.operands.first else {
        session.print(SQLText(dialect).tables(statements) + SQLText(dialect).statements)
        return .done
      }
      let list = try session.open(path).list()
      session.begin(step: "writing")
      session.print(SQLText(dialect).tables(statements))
      SQLText(dialect).rows(of: list) { session.print($0) }
      return .done
    })
}

extension Session {
  fileprivate func dialect(_ arguments: ParsedArguments) throws(ToolFailure) -> SQLDialect {
    let known = SQLDialect.allCases.map { $0.rawValue }.joined(separator: ", ")
    guard let word = arguments.value(of: .dialect) else {
      throw usage("option '--dialect' is missing: one of \(known)")
    }
    guard let dialect = SQLDialect(rawValue: word) else {
      throw usage("option '--dialect' is one of \(known), not '\(word)'")
    }
    return dialect
  }
}

extension OptionSpec {
  /// Names the database.
  static let dialect = OptionSpec(
    "dialect", placeholder: "DIALECT",
    help: "postgres (12 or newer, and what speaks as it does) or sqlite (3.38 or newer).")

  /// Adds what keeps the sum of all entries.
  static let triggers = OptionSpec(
    "triggers",
    help: "For postgres: also the triggers that keep the sum of all entries, for audits.")
}
