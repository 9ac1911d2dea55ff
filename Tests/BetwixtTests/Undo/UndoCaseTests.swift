import Betwixt
import Testing

/// Two people and one item: the smallest examples of the rules.
///
/// A script is a row of words, each by person A or B: `A<` merges the other's list, `A-` is undo,
/// `A+` redo, `A!` undo and insist on what was kept, `Ax` removes the item, `An` inserts a new one of
/// which the rest is about, `Af` forgets what removed items hold, `Av=b,note=n` sets fields in one
/// step, and `Apos=5` moves.
@Suite struct UndoCaseTests {
  @Test(
    "what each undo says, and what A shows in the end: gone, title, note, place",
    arguments: [
      ("Av=b Av=c A- A- A+ A+", "done done done done: c - 0"),
      ("Av=b,v=c A-", "done: a - 0"),
      ("An Ax A- A- A+ A+", "done done done done: gone a - 9"),
      ("Av=b B< Bv=c A< A-", "kept: c - 0"),
      ("Av=b B< Bv=c A< A! A+", "done done: c - 0"),
      ("Av=b Bv=b A< B< A-", "kept: b - 0"),
      ("Av=b B< Bv=c B- A< A-", "done kept: b - 0"),
      ("Apos=5 Bpos=7 A< B< A- B- A<", "kept done: a - 0"),
      ("Apos=5 B< Bpos=7 B- A< A-", "done done: a - 0"),
      ("Av=b,note=n B< Bnote=m A< A-", "kept: b m 0"),
      ("An B< Bnote=n A< A-", "kept: a n 9"),
      ("An B< Bnote=n A< A! A+", "done done: a n 9"),
      ("An B< Bnote=n B- A< A-", "done done: gone a - 9"),
      ("Ax Bnote=n A< A-", "done: a n 0"),
      ("Ax A- B< Bnote=n A< A+", "done kept: a n 0"),
      ("Ax Bx A< A-", "kept: gone a - 0"),
      ("Ax Bx A< B< B- A< A-", "done nothing: a - 0"),
      ("Av=b B< Bx A< A- B- A<", "done done: a - 0"),
      ("Av=b B< Bx Bf A< A- B- A<", "kept done: b - 0"),
      ("Av=b Ax Af A- A-", "done done: a - 0"),
      // More of the same, each with the rule that it shows.
      ("Av=b Av=c Av=d A- A- A-", "done done done: a - 0"),
      ("An Ax A- A-", "done done: gone a - 9"),
      ("Ax Af A-", "done: a - 0"),
      ("Ax Af Bv=z A- A<", "done: z - 0"),
      ("Anote=p,x=1 Af A-", "done: a - 0"),
      ("Av=b Av=b A-", "done: a - 0"),
      ("Av=b B< Bv=a A< A-", "nothing: a - 0"),
      ("Av=b B< Bnote=n A< A-", "done: a n 0"),
      ("Ax B< Bf A< A-", "done: a - 0"),
      ("Apos=5 Bpos=7 A< B< B- A< A- A+", "done nothing nothing: a - 0"),
      ("Av=b B< Bx A< A! B- A<", "done done: a - 0"),
      ("Av=b A- Av=b A- A+", "done done done: b - 0"),
      ("An A- B< Bx A< A+ A-", "done done done: gone a - 9"),
    ])
  func cases(_ script: String, _ outcome: String) throws {
    #expect(try UndoScript.run(script) == outcome, "\(script)")
  }

  /// Each field of the item is looked at once, and not all that were kept for each.
  @Test("an item with very many fields comes back") func manyFields() throws {
    let count: Int64 = 8_000
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    let item = try list.append(by: &me)
    var builder = Delta.Builder()
    for number in 1...count {
      let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 2))
      try builder.add(
        Entry(
          item: item, register: .field(try #require(FieldName("n\(number)"))), value: .field(1),
          stamp: stamp, sequence: number))
    }
    list.merge(builder.build())
    var history = UndoHistory()
    try history.record("Remove", in: &list, by: &me) { list, me in try list.remove(item, by: &me) }
    let result = try history.undo(in: &list, by: &me)
    #expect(result?.isWhole == true && result?.done.map(\.othersWrites) == [[]])
    #expect(list[id: item]?.fields.count == Int(count))
  }

  @Test("two windows of one device: what one brings back, the other knows")
  func windows() throws {
    let device = UndoDevice(1, try UndoScript.base(), windows: 2)
    let item = device.list[0].id
    try device.record(window: 0) { try $0.set("note", of: item, to: "q", by: &$1) }
    try device.record(window: 1) { try $0.clear("note", of: item, by: &$1) }
    #expect(try device.turn(back: true, window: 1)?.result.isWhole == true)
    #expect(try device.turn(back: true, window: 0)?.result.isWhole == true)
    #expect(device.list[id: item]?["note"] == nil)
    #expect(device.history.nextUndo() == nil && device.history.nextRedo(window: 1) != nil)
  }

  @Test("a key back for the same order towards an item that was not known yet")
  func unseenNeighbour() throws {
    var list = try UndoScript.base()
    var other = Replica(id: ReplicaID(rawValue: 9)) { 0 }
    let x = list[0].id
    let y = try list.append(["v": "y"], by: &other)
    let (a, b) = (UndoDevice(1, list), UndoDevice(2, list))
    try a.record { try $0.move(x, toOffset: 2, by: &$1) }
    try b.record { try $0.insert(["v": "n"], after: x, by: &$1) }
    _ = try a.turn(back: true)
    a.pull(b)
    let n = try #require(a.list.map(\.id).first { $0 != x && $0 != y })
    #expect(a.list.map(\.id) == [x, n, y])
  }

  @Test("remove a, move b behind c, undo both: a b c, with the place that the hidden item keeps")
  func hiddenNeighbour() throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var me = Replica(id: ReplicaID(rawValue: 9)) { 0 }
    let ids = try ["a", "b", "c"].map { try list.append(["v": .string($0)], by: &me) }
    let device = UndoDevice(1, list)
    try device.record { try $0.remove(ids[0], by: &$1) }
    try device.record { try $0.move(ids[1], toOffset: 2, by: &$1) }
    _ = try device.turn(back: true)
    _ = try device.turn(back: true)
    #expect(device.list.map(\.id) == ids)
  }
}

/// Runs scripts of two people.
enum UndoScript {
  static func base() throws -> ReplicatedList {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var me = Replica(id: ReplicaID(rawValue: 7)) { 0 }
    try list.insert(
      ["v": "a"], between: try key(-0.5), and: try key(0.5), inSection: 0, by: &me)
    return list
  }

  static func run(_ script: String) throws -> String {
    let list = try base()
    let people: [Character: UndoDevice] = ["A": UndoDevice(1, list), "B": UndoDevice(2, list)]
    var item = list[0].id
    var said: [String] = []
    var now: Int64 = 1_000
    for word in script.split(separator: " ") {
      guard let name = word.first, let me = people[name] else { throw UndoViolation("\(word)") }
      now += 1
      me.clock.now = now
      switch word.dropFirst() {
      case "<": for other in people.values where other !== me { me.pull(other) }
      case "-": said.append(words(try me.turn(back: true)))
      case "+": said.append(words(try me.turn(back: false)))
      case "!":
        let outcome = try me.turn(back: true)
        said.append(words(try me.insist() ?? outcome))
      case "x": try me.record { try $0.remove(item, by: &$1) }
      case "n":
        try me.record {
          item = try $0.insert(
            ["v": "a"], between: try key(8.5), and: try key(9.5), inSection: 0, by: &$1)
        }
      case "f":
        me.floor = me.list.version
        me.forget()
      case let edits: try me.record { try edit(item, edits, &$0, &$1) }
      }
    }
    guard let device = people["A"] else { return "" }
    return said.joined(separator: " ") + ": " + text(item, in: device.list)
  }

  private static func key(_ number: Double) throws -> SortKey {
    try SortKey(importing: number, of: ItemID(high: 5, low: 5))
  }

  private static func words(_ outcome: UndoDevice.Outcome?) -> String {
    outcome.map { $0.turn.kept.isEmpty ? "done" : "kept" } ?? "nothing"
  }

  private static func edit(
    _ item: ItemID, _ edits: Substring, _ list: inout ReplicatedList, _ me: inout Replica
  ) throws {
    for edit in edits.split(separator: ",") {
      let parts = edit.split(separator: "=").map(String.init)
      let number = Double(parts[1])
      if parts[0] == "pos", let number {
        try list.place(
          item, between: try key(number - 0.5), and: try key(number + 0.5), inSection: 0, by: &me)
      } else if parts[0] == "x" {
        try list.remove(item, by: &me)
      } else if let name = FieldName(parts[0]) {
        try list.set(name, of: item, to: .string(parts[1]), by: &me)
      }
    }
  }

  private static func text(_ item: ItemID, in list: ReplicatedList) -> String {
    guard let found = list[id: item] else { return "nothing" }
    let words = [
      found.isVisible ? nil : "gone", found["v"]?.string ?? "-", found["note"]?.string ?? "-",
      found.key.map { "\(Int($0.approximateSortOrder))" } ?? "-",
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }
}
