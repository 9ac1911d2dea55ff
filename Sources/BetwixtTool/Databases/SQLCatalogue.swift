import Betwixt
package import BetwixtSQL
import BetwixtSync

/// The statements of a dialect, each with a name and what stands for its parameters.
package struct SQLCatalogue {
  /// One of them.
  package struct Statement {
    /// What it is called, such as `rows.merge`.
    package let name: String

    /// What it is for, in one line.
    package let purpose: String

    /// What the parameters are, the first one first.
    package let parameters: [(type: String, meaning: String)]

    /// The text as a driver prepares it.
    package let text: String
  }

  /// All of them.
  package var statements: [Statement] { registers + log + owners }

  private let dialect: SQLDialect
  private let list = ListID(high: 0, low: 1)

  /// Makes the catalogue of a dialect.
  package init(_ dialect: SQLDialect) { self.dialect = dialect }

  // MARK: Groups

  private var registers: [Statement] {
    let rows = SQLRegisters(dialect, list: list)
    let page = ["list", "value of the mark, empty at first", "its item, empty at first", "limit"]
    let asked =
      dialect == .postgres
      ? [
        "list", "replicas of the version that is known", "their sequences",
        "replicas of the floor that is known", "their sequences",
      ]
      : [
        "list", "the version that is known, [[replica, sequence], …]",
        "the floor that is known, [[replica, sequence], …]",
      ]
    var statements = locks + floors + merges
    statements += [
      named(
        "rows.version", purpose: "what the database claims to hold, and what it has forgotten",
        statement: rows.version(), meanings: ["list"]),
      named(
        "rows.since", purpose: "what a list of a version lacks, and the version",
        statement: rows.since([:]), meanings: asked),
      named(
        "rows.page", purpose: "the next items in the order of the list",
        statement: rows.page(limit: 50), meanings: page),
    ]
    if dialect == .postgres {
      statements.append(
        named(
          "rows.sum", purpose: "the sum of all entries, which the triggers keep",
          statement: rows.sum(), meanings: ["list"]))
    }
    return statements + removals("rows.remove", statements: rows.remove())
  }

  private static let columns = [
    "item", "kind", "name", "causal length of a life, else 0", "time", "replica", "value",
    "sequence",
  ]

  private static let removal = [
    "who wrote the removal of the item that came with it, else 0", "its sequence, else 0",
  ]

  private var locks: [Statement] {
    let rows = SQLRegisters(dialect, list: list)
    guard dialect == .postgres, let alone = rows.alone().first else { return [] }
    let (first, second) = ("the first lock of the list", "the second lock of the list")
    return [
      named(
        "rows.together",
        purpose: "before a merge: the floor stays, and others remove nothing below it",
        statement: rows.together(), meanings: [first, second]),
      named(
        "rows.floor-lock",
        purpose: "before a merge with lives that are longer than 1: the floor stays",
        statement: rows.floorLock(), meanings: [first]),
      named(
        "rows.turning-lock", purpose: "behind that: alone, if there is a floor",
        statement: rows.turningLock(),
        meanings: ["list", second]),
      named(
        "rows.alone", purpose: "before a merge with a floor: alone", statement: alone,
        meanings: [first]),
    ]
  }

  private var floors: [Statement] {
    let rows = SQLRegisters(dialect, list: list)
    let floor =
      dialect == .postgres
      ? ["replicas of the floor", "their sequences"] : ["the floor, [[replica, sequence], …]"]
    return [
      named(
        "rows.floor", purpose: "before the entries: joins a floor", statement: rows.raise([:]),
        meanings: ["list"] + floor),
      named(
        "rows.forget", purpose: "behind that: what removed items held below the floor goes",
        statement: rows.forgetAll(), meanings: ["list"]),
      named(
        "rows.forget-items",
        purpose: "behind lives that are longer than 1: the same of what they remove",
        statement: rows.forgetItems([.root]),
        meanings: ["list", dialect == .postgres ? "items" : "item"]),
    ]
  }

  private var merges: [Statement] {
    let claim = SQLRegisters(dialect, list: list).merge([Delta(joining: [], for: [:])]).suffix(1)
    let purpose = "of each register the greater write stays"
    guard dialect == .sqlite else {
      return claim.map {
        named(
          "rows.merge", purpose: purpose + ", and the version grows by what is proven",
          statement: $0,
          meanings: ["list"]
            + (SQLCatalogue.columns + SQLCatalogue.removal).map { "of each entry: \($0)" }
            + [
              "replicas of all entries and ranges", "of each range: replica", "after", "through",
              "of each premise: replica", "sequence", "of each replica the greatest sequence",
            ])
      }
    }
    let row = SQLStatement(
      SQLRegisters.sqliteMerge,
      [.bytes([]), .bytes([]), .integer(0), .bytes([])] + [.integer(0), .integer(0), .integer(0)]
        + [.bytes([]), .integer(0), .integer(0), .integer(0)])
    let columns = SQLCatalogue.columns + SQLCatalogue.removal
    return [named("rows.merge", purpose: purpose, statement: row, meanings: ["list"] + columns)]
      + claim.map {
        named(
          "rows.claim", purpose: "in the same transaction: the version grows by what is proven",
          statement: $0,
          meanings: [
            "list", "the greatest sequence of each replica, [[replica, sequence], …]",
            "ranges, [[replica, after, through], …]", "premise, [[replica, sequence], …]",
          ])
      }
  }

  private var log: [Statement] {
    let rows = SQLLog(dialect, list: list)
    let row = LogRow(name: RowName(high: 0, low: 1), bytes: [])
    let folds = rows.fold(LogFold(removing: [row.name], adding: row))
    let fold = [
      "list", "names of the rows that are folded", "how many", "name of the new row", "its bytes",
    ]
    let names = dialect == .postgres ? "names" : "names in small hexadecimal digits, [\"…\", …]"
    var statements = [
      named(
        "log.names", purpose: "the names of all rows", statement: rows.names(), meanings: ["list"]),
      named(
        "log.rows", purpose: "rows by their names", statement: rows.rows([row.name]),
        meanings: ["list", names]),
      named(
        "log.append", purpose: "adds a row", statement: rows.append(row),
        meanings: ["list", "name", "bytes"]),
    ]
    for (number, statement) in folds.enumerated() {
      statements.append(
        named(
          folds.count == 1 ? "log.fold" : "log.fold-\(number + 1)",
          purpose: "one row in place of many, if all of them are there", statement: statement,
          meanings: Array(fold.prefix(statement.parameters.count))))
    }
    return statements + removals("log.remove", statements: rows.remove())
  }

  private var owners: [Statement] {
    let rows = SQLOwners(dialect, list: list)
    let replica = ReplicaID(rawValue: 1)
    return [
      named(
        "owners.claim", purpose: "whose a replica is; an error if it is another's",
        statement: rows.claim(replica, principal: ""), meanings: ["list", "replica", "principal"]),
      named(
        "owners.add", purpose: "whose a replica is; the first one stays",
        statement: rows.add(replica, principal: ""), meanings: ["list", "replica", "principal"]),
      named("owners.all", purpose: "all owners", statement: rows.all(), meanings: ["list"]),
    ]
  }

  // MARK: Statements

  private func removals(_ name: String, statements: [SQLStatement]) -> [Statement] {
    statements.enumerated().map { (number, statement) in
      named(
        "\(name)-\(number + 1)", purpose: "removes the whole list", statement: statement,
        meanings: ["list"])
    }
  }

  private func named(
    _ name: String, purpose: String, statement: SQLStatement, meanings: [String]
  ) -> Statement {
    precondition(meanings.count == statement.parameters.count)
    let parameters = zip(statement.parameters, meanings).enumerated().map { (number, parameter) in
      (type(of: parameter.0, number: number + 1, in: statement.text), parameter.1)
    }
    return Statement(
      name: name, purpose: purpose, parameters: parameters, text: statement.text)
  }

  /// What the text casts the parameter to, or what its value is by itself.
  private func type(of value: SQLValue, number: Int, in text: String) -> String {
    if dialect == .postgres, let cast = text.firstRange(of: "$\(number)::") {
      return String(text[cast.upperBound...].prefix { $0.isLetter || $0 == "[" || $0 == "]" })
    }
    return switch value {
    case .integer: dialect == .postgres ? "bigint" : "INTEGER"
    case .bytes: dialect == .postgres ? "bytea" : "BLOB"
    case .text: "TEXT"
    case .integers: "bigint[]"
    case .byteStrings: "bytea[]"
    }
  }
}
