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
    guard let database = TestDatabase.of(dialect) else { return }
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

  @Test("what a list knows that is wholly stored can be claimed", arguments: SQLDialect.allCases)
  func claim(dialect: SQLDialect) throws {
    guard let database = TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    let history = try History(seed: 2, list: TestDatabase.newList(), edits: 40)
    let rows = SQLRegisters(dialect, list: history.whole.id)
    try connection.perform(rows.merge(history.deltas.reversed()))
    try connection.perform(rows.claim(history.whole.version))
    let answer = try connection.perform([rows.since([:])])
    var copy = ReplicatedList(id: rows.list)
    copy.merge(try rows.delta(answer[0], since: [:]))
    #expect(copy == history.whole && copy.version == history.whole.version)
    try connection.perform(rows.remove())
    #expect(try connection.perform([rows.since([:])])[0].isEmpty)
  }
}
