import Betwixt
import TestSupport
import Testing

@testable import BetwixtTrips

/// A plan that is kept in another program and in documents at once: its file is taken in again and
/// again, while both sides go on.
///
/// The programs and what is expected know nothing of how rows are matched: they count titles, and
/// compare what is seen.
@Suite struct ForeignProgramTests {
  private static let seeds = 0..<150 as Range<UInt64>

  private static let fewSeeds = 0..<20 as Range<UInt64>

  /// Who acts in a run, and what they have.
  private struct World {
    var random: SplitMix64
    var program: ForeignProgram
    var lists: [ReplicatedList] = []
    /// The file that was taken in last of all those that a document knows of, if that is one.
    var last: [ForeignProgram?] = []
    /// What was moved in a document, be it within a day: a place is one register.
    var moved: Set<String> = []
    /// Whether an item got another title since.
    var isRenamed = [false, false]
    var trail: [String] = []
    private var time: Int64 = 1_780_000_000
    private let titles: [String]
    private var sequences: [Int64] = [0, 0]
    private var serial = 0

    init(_ shape: ForeignProgram.Shape, seed: UInt64, isUnique: Bool) throws {
      random = SplitMix64(seed: seed)
      program = ForeignProgram(shape)
      titles = isUnique ? [] : ["Coffee", "Lunch", "Museum"]
      for _ in 0..<2 + random.next(below: 4) { addRow() }
      let file = try program.file("plan")
      let list = try TripImport(file).list
      lists = [list, list]
      last = [program, program]
    }

    private mutating func title() -> String {
      serial += 1
      return titles.isEmpty ? "Stop \(serial)" : titles[random.next(below: titles.count)]
    }

    private mutating func tick() -> Int64 {
      time += Int64(1 + random.next(below: 5_000))
      return time
    }

    private mutating func addRow() {
      let note = random.next(below: 2) == 0 ? nil : "note \(serial)"
      program.add(
        title(), day: random.next(below: 3), note: note, at: tick(),
        to: random.next(below: program.rows.count + 1))
    }

    /// The other program's user does something.
    mutating func change() {
      guard !program.rows.isEmpty, random.next(below: 4) > 0 else { return addRow() }
      let index = random.next(below: program.rows.count)
      let now = tick()
      switch random.next(below: 4) {
      case 0 where program.rows.count > 1: program.rows.remove(at: index)
      case 1:
        program.rows[index].day = random.next(below: 3)
        program.rows[index].changed = now
      case 2 where program.shape.hasNotes:
        program.rows[index].note = "said \(now)"
        program.rows[index].changed = now
      default:
        let row = program.rows.remove(at: index)
        program.rows.insert(row, at: random.next(below: program.rows.count + 1))
      }
    }

    /// Somebody edits a document.
    mutating func edit(_ index: Int, renaming: Bool = true) throws {
      let now = tick()
      let id = ReplicaID(rawValue: UInt64(index + 1))
      var me = Replica(id: id, sequence: sequences[index]) { now * 1_000 }
      defer { sequences[index] = me.sequence }
      let all = lists[index].allItems().filter { $0.id != .root }
      guard !all.isEmpty else { return }
      let item = all[random.next(below: all.count)]
      guard item.isVisible else {
        if random.next(below: 3) == 0 {
          trail.append("restore in \(index)")
          try lists[index].restore(item.id, by: &me)
        }
        return
      }
      let name = "\(program.seen(item, in: lists[index]))"
      switch random.next(below: renaming ? 6 : 5) {
      case 0:
        trail.append("remove \(name) in \(index)")
        try lists[index].remove(item.id, by: &me)
      case 1, 2:
        let section = program.section(random.next(below: 4), in: lists[index])
        let count = lists[index].indices(inSection: section).count
        let offset = random.next(below: count + (item.section == section ? 0 : 1))
        trail.append("move \(name) to \(section):\(offset) in \(index)")
        moved.insert(program.seen(item, in: lists[index]).title)
        try lists[index].move(item.id, toOffset: offset, inSection: section, by: &me)
      case 3, 4:
        trail.append("note of \(name) in \(index)")
        try lists[index].set("note", of: item.id, to: .string("wrote \(now)"), by: &me)
      default:
        trail.append("rename \(name) in \(index)")
        isRenamed[index] = true
        let field: FieldName = program.shape.isOfTasks ? "text" : "title"
        try lists[index].set(field, of: item.id, to: .string("mine \(now)"), by: &me)
      }
    }

    /// Somebody writes a note in a document.
    mutating func note(_ index: Int) throws {
      guard !lists[index].isEmpty else { return }
      let item = lists[index][random.next(below: lists[index].count)]
      trail.append("note of \(program.seen(item, in: lists[index])) in \(index)")
      let words = FieldValue.string("wrote \(serial) \(trail.count)")
      try write(in: index) { list, me in
        try list.set("note", of: item.id, to: words, by: &me)
      }
    }

    /// Somebody has written all that is there by hand, one after the other.
    mutating func makeByHand() throws {
      let made = lists[0]
      lists[0] = ReplicatedList(id: made.id)
      var serial: UInt64 = 0
      for item in made.allItems() where item.id == .root {
        try write(in: 0) { list, me in
          try list.set(item.fields.map { ($0.name, $0.value) }, of: .root, by: &me)
        }
      }
      for item in made {
        serial += 1
        let id = program.shape.hasIDs ? item.id : ItemID(high: 9, low: serial)
        guard let key = item.key, let section = item.section else { continue }
        try write(in: 0) { list, me in
          try list.create(id, by: &me)
          try list.place(id, at: key, inSection: section, by: &me)
          try list.set(item.fields.map { ($0.name, $0.value) }, of: id, by: &me)
        }
      }
      lists[1] = lists[0]
    }

    /// Somebody writes one more of a text that is there, or was.
    mutating func addTwin() throws {
      let all = lists[0].allItems().filter { $0.id != .root }
      guard !all.isEmpty else { return }
      let item = all[random.next(below: all.count)]
      let name: FieldName = program.shape.isOfTasks ? "text" : "title"
      guard let text = item[name], let section = item.section else { return }
      trail.append("add \(program.seen(item, in: lists[0]).title)")
      try write(in: 0) { list, me in
        _ = try list.append([name: text], toSection: section, by: &me)
      }
    }

    /// Writes something at a time of its own.
    private mutating func write(
      in index: Int, _ body: (inout ReplicatedList, inout Replica) throws -> Void
    ) throws {
      let now = tick()
      let id = ReplicaID(rawValue: UInt64(index + 1))
      var me = Replica(id: id, sequence: sequences[index]) { now * 1_000 }
      defer { sequences[index] = me.sequence }
      try body(&lists[index], &me)
    }

    /// The documents meet.
    mutating func meet() {
      trail.append("meet")
      var joined = lists[0]
      joined.merge(lists[1].delta(since: joined.version))
      lists[1].merge(joined.delta(since: lists[1].version))
      lists[0] = joined
      let isOne = last[0]?.text == last[1]?.text
      if !isOne { last = [nil, nil] }
      let renamed = isRenamed[0] || isRenamed[1]
      isRenamed = [renamed, renamed]
    }

    func counts(_ list: ReplicatedList) -> [String: Int] {
      Dictionary(program.seen(list).map { ($0.title, 1) }, uniquingKeysWith: +)
    }
  }

  private static func take(
    _ program: ForeignProgram, into list: ReplicatedList
  ) throws -> ReplicatedList {
    try TripImport(program.file("plan"), into: list).list
  }

  @Test(arguments: ForeignProgram.Shape.allCases)
  func aFileAloneIsWhatItSays(_ shape: ForeignProgram.Shape) throws {
    for seed in Self.seeds {
      let world = try World(shape, seed: seed, isUnique: seed.isMultiple(of: 2))
      #expect(world.program.seen(world.lists[0]) == world.program.seen, "seed \(seed)")
    }
  }

  /// What was taken in last says nothing new, whatever was done in the documents since; and of each
  /// title no more is seen than before, or than the file has.
  @Test(arguments: ForeignProgram.Shape.allCases, [4, 8, 16])
  func nothingIsDoubledAndNothingComesBack(_ shape: ForeignProgram.Shape, steps: Int) throws {
    for seed in Self.seeds {
      var world = try World(shape, seed: seed, isUnique: false)
      for _ in 0..<steps {
        let index = world.random.next(below: 2)
        switch world.random.next(below: 8) {
        case 0, 1: world.change()
        case 2, 3, 4: try world.edit(index)
        case 5: world.meet()
        case 6:
          guard let last = world.last[index], shape.hasIDs || !world.isRenamed[index] else { break }
          let before = world.lists[index]
          let after = try Self.take(last, into: before)
          let said = "\(seed)\n\(world.trail.joined(separator: "\n"))\n\(last.text)"
          #expect(world.program.seen(after) == world.program.seen(before), "\(said)")
        default:
          let before = world.lists[index]
          let after = try Self.take(world.program, into: before)
          world.trail.append("take \(world.program.seen) into \(index)")
          let said = "\(seed)\n\(world.trail.joined(separator: "\n"))\n\(world.program.text)"
          let (old, new) = (world.counts(before), world.counts(after))
          for (title, count) in new where !shape.hasIDs {
            let most = max(old[title] ?? 0, world.program.rows.count { $0.title == title })
            #expect(count <= most, "\(title) \(said)")
          }
          let again = try Self.take(world.program, into: after)
          #expect(
            again.digest == after.digest,
            "\(said)\n\(world.program.seen(after))\n\(world.program.seen(again))")
          world.lists[index] = after
          world.last[index] = world.program
          world.isRenamed[index] = false
        }
      }
      world.meet()
      #expect(world.lists[0].digest == world.lists[1].digest)
    }
  }

  /// Two devices take the same file in, each for itself: what they have then is what one has.
  @Test(arguments: ForeignProgram.Shape.allCases)
  func twoDevicesTakeOneFile(_ shape: ForeignProgram.Shape) throws {
    for seed in Self.seeds {
      var world = try World(shape, seed: seed, isUnique: false)
      for _ in 0..<6 { world.change() }
      let both = try world.lists.map { try Self.take(world.program, into: $0) }
      var joined = both[0]
      joined.merge(both[1].delta(since: joined.version))
      #expect(joined.digest == both[0].digest, "\(shape) seed \(seed)")
    }
  }

  /// The file is said to be made from the one before, and both sides went on: each value is that of the
  /// side that changed it.
  @Test(arguments: ForeignProgram.Shape.allCases, [1, 3, 8])
  func eachSideKeepsWhatItChanged(_ shape: ForeignProgram.Shape, steps: Int) throws {
    for seed in Self.seeds {
      var world = try World(shape, seed: seed, isUnique: true)
      let base = world.program
      for _ in 0..<1 + world.random.next(below: steps) { world.change() }
      for _ in 0..<world.random.next(below: steps + 1) { try world.edit(0, renaming: false) }
      let before = world.lists[0]
      let result = try TripImport(
        world.program.file("plan"), into: before, base: base.file("plan")
      ).list
      let said =
        "\(seed)\n\(world.trail.joined(separator: "\n"))\nbase \(base.seen)\n"
        + "file \(world.program.seen)\nhere \(base.seen(before))\n"
      Self.check(
        base.seen(result), base: base.seen, file: world.program.seen, here: base.seen(before),
        moved: world.moved, said)
      let again = try TripImport(
        world.program.file("plan"), into: result, base: base.file("plan")
      ).list
      #expect(base.seen(again) == base.seen(result), "\(said)")
    }
  }

  /// The same file with the same base once more says nothing new, also where rows share their titles.
  @Test(arguments: ForeignProgram.Shape.allCases, [1, 3, 8])
  func aReturnThatComesTwiceIsOne(_ shape: ForeignProgram.Shape, steps: Int) throws {
    for seed in Self.seeds {
      var world = try World(shape, seed: seed, isUnique: false)
      try Self.takeTwice(&world, steps: steps, "seed \(seed)")
    }
  }

  /// Nor does it where somebody wrote by hand what the program has, and writes more of the same.
  @Test(arguments: ForeignProgram.Shape.allCases, [1, 3, 8])
  func aReturnOfWhatWasMadeByHandIsOne(_ shape: ForeignProgram.Shape, steps: Int) throws {
    for seed in Self.fewSeeds {
      var world = try World(shape, seed: seed, isUnique: false)
      try world.makeByHand()
      try Self.takeTwice(&world, steps: steps, addingTwin: true, "seed \(seed)")
    }
  }

  private static func takeTwice(
    _ world: inout World, steps: Int, addingTwin: Bool = false, _ said: String
  ) throws {
    let base = world.program
    for _ in 0..<1 + world.random.next(below: steps) { world.change() }
    for _ in 0..<world.random.next(below: steps + 1) { try world.note(0) }
    let file = try world.program.file("plan")
    let before = base.seen(world.lists[0])
    for round in 0..<(addingTwin ? 3 : 2) {
      let once = try TripImport(file, into: world.lists[0], base: base.file("plan")).list
      if round > 0 {
        #expect(
          base.seen(once) == base.seen(world.lists[0]),
          """
          \(said) \(round)
          \(world.trail.joined(separator: "\n"))
          base \(base.seen)
          file \(world.program.rows.map { "\($0.title) \($0.day) \($0.note ?? "")" })
          here \(before)
          """)
      }
      world.lists[0] = once
      if addingTwin, round == 0 { try world.addTwin() }
    }
  }

  /// A merge of three by title, which no two rows share.
  private static func check(
    _ result: [SeenRow], base: [SeenRow], file: [SeenRow], here: [SeenRow], moved: Set<String>,
    _ said: String
  ) {
    func row(_ rows: [SeenRow], _ title: String) -> SeenRow? { rows.first { $0.title == title } }
    for title in Set((base + file + here).map(\.title)).sorted() {
      let (old, new, own) = (row(base, title), row(file, title), row(here, title))
      let seen = result.filter { $0.title == title }
      guard let old else {
        #expect(seen == [new ?? own].compactMap(\.self), "\(said)")
        continue
      }
      guard let new else {
        #expect(seen.isEmpty, "\(said)")
        continue
      }
      guard let own else {
        if new == old { #expect(seen.isEmpty, "\(said)") }
        continue
      }
      #expect(seen.count == 1, "\(said)")
      guard let seen = seen.first else { continue }
      let dates = [moved.contains(title) ? own.date : nil, new.date == old.date ? nil : new.date]
      #expect((dates == [nil, nil] ? [own.date] : dates).contains(seen.date), "\(said)")
      let notes = new.note == old.note ? [own.note] : [new.note, own.note]
      #expect((own.note == old.note ? [new.note] : notes).contains(seen.note), "\(said)")
    }
  }
}
