import Betwixt
import BetwixtSQL
import Testing

@Suite("The premise of a delta in a database", .serialized)
struct PremiseTests {
  /// What somebody lacks who knows bob's write, which replaced the third one of alice.
  private static func delta() throws -> (Delta, ListID) {
    let (alice, bob) = (ReplicaID(rawValue: 1), ReplicaID(rawValue: .max))
    var first = Replica(id: alice) { 1_777_000_000_000 }
    var second = Replica(id: bob) { 1_777_000_000_001 }
    var list = ReplicatedList(id: TestDatabase.newList())
    let item = try list.append(["n": 1], by: &first)
    try list.set("n", of: item, to: 2, by: &second)
    return (list.delta(since: [bob: 1]), list.id)
  }

  @Test("who does not know it is told nothing of its claims", arguments: SQLDialect.allCases)
  func premise(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    let bug = PlantedBug.replacing([
      ("WHERE is_known", "WHERE true"), ("coalesce(v.known, 0) < need.value ->> 1", "false"),
    ])
    for isWhole in [true, false] {
      let (delta, list) = try Self.delta()
      #expect(!delta.premise.isEmpty && delta.count == 2)
      let rows = SQLRegisters(dialect, list: list)
      try connection.perform(rows.merge([delta]).map { isWhole ? $0 : bug.change($0) })
      let answer = try connection.perform([rows.since([:])])
      let stored = try rows.delta(answer[0], since: [:])
      #expect(stored.count == 2 && stored.ranges.isEmpty == isWhole)
    }
  }

  @Test("who holds more than the database claims stores it again", arguments: SQLDialect.allCases)
  func version(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    var me = Replica(id: ReplicaID(rawValue: .max)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: TestDatabase.newList())
    var edits: [Delta] = []
    for number in 0..<3 as Range<Int64> {
      let before = list.version
      try list.append(["n": .int64(number)], by: &me)
      edits.append(list.delta(since: before))
    }
    let rows = SQLRegisters(dialect, list: list.id)
    try connection.perform(edits.reversed().flatMap { rows.merge([$0]) })
    func stored() throws -> VersionVector {
      try rows.version(try connection.perform([rows.version()])[0])
    }
    // All is there, and only the first edit, which came last, continued what was known.
    #expect(try stored() == [me.id: edits[0].ranges[0].through])
    try connection.perform(rows.merge([list.delta(since: try stored())]))
    #expect(try stored() == list.version)
    let answer = try connection.perform([rows.since([:])])
    var copy = ReplicatedList(id: rows.list)
    copy.merge(try rows.delta(answer[0], since: [:]))
    #expect(copy == list && copy.version == list.version)
    try connection.perform(rows.remove())
    #expect(try connection.perform([rows.since([:])])[0].isEmpty)
  }
}
