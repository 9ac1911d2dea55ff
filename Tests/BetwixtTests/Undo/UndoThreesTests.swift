import Betwixt
import Testing

/// Moves, sets, inserts and removals in threes, all combinations, one's own and another's.
@Suite struct UndoThreesTests {
  private enum Kind: CaseIterable { case move, set, insert, remove }

  private static func start() throws -> (ReplicatedList, [ItemID]) {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var me = Replica(id: ReplicaID(rawValue: 90)) { 0 }
    let ids = try ["a", "b", "c", "d"].map { try list.append(["v": .string($0)], by: &me) }
    return (list, ids)
  }

  /// One edit of an item, of another kind each time it is asked for.
  private static func edit(
    _ kind: Kind, _ round: Int, _ item: ItemID, _ list: inout ReplicatedList,
    _ me: inout Replica
  ) throws {
    switch kind {
    case .move: try list.move(item, toOffset: round == 1 ? 0 : list.count, by: &me)
    case .set: try list.set("v", of: item, to: .string("v\(round)"), by: &me)
    case .insert: try list.insert(["v": "new"], at: min(1 + round, list.count), by: &me)
    case .remove: try list.remove(item, by: &me)
    }
  }

  private struct View: Equatable {
    let shown: [ItemID]
    let all: [ItemID: [Register: RegisterValue]]

    init(_ list: ReplicatedList) {
      shown = list.map(\.id)
      var all: [ItemID: [Register: RegisterValue]] = [:]
      for item in list.allItems() where item.isVisible {
        for entry in item.entries where entry.register != .life {
          // A field that is cleared looks like one that never was.
          if entry.value != .field(nil) { all[item.id, default: [:]][entry.register] = entry.value }
        }
      }
      self.all = all
    }
  }

  @Test("64 threes of one person: every level of undo and of redo is exactly what it was")
  func own() throws {
    for first in Kind.allCases {
      for second in Kind.allCases {
        for third in Kind.allCases {
          for sameItem in [true, false] {
            let (list, ids) = try Self.start()
            let device = UndoDevice(1, list)
            var states = [View(device.list)]
            for (round, kind) in [first, second, third].enumerated() {
              let item = sameItem ? ids[1] : ids[round]
              let last = device.history.nextUndo()
              try device.record { try Self.edit(kind, round, item, &$0, &$1) }
              // What changed nothing, such as removing twice, made no step.
              if device.history.nextUndo() != last { states.append(View(device.list)) }
            }
            for _ in 0..<2 {
              for state in states.dropLast().reversed() {
                #expect(try device.turn(back: true)?.result.isWhole == true)
                #expect(View(device.list) == state, "\(first) \(second) \(third) \(sameItem)")
              }
              #expect(try device.turn(back: true) == nil)
              for state in states.dropFirst() {
                #expect(try device.turn(back: false)?.result.isWhole == true)
                #expect(View(device.list) == state, "\(first) \(second) \(third) \(sameItem)")
              }
              #expect(try device.turn(back: false) == nil)
            }
          }
        }
      }
    }
  }

  @Test("64 threes of two people: mine, another's, mine; undone in turn as the oracle says")
  func turns() throws {
    for kinds in Kind.allCases.flatMap({ one in Kind.allCases.map { (one, $0) } }) {
      for third in Kind.allCases {
        for whose in 0..<4 {
          let (list, ids) = try Self.start()
          let devices = [UndoDevice(1, list), UndoDevice(2, list)]
          for (round, kind) in [kinds.0, kinds.1, third].enumerated() {
            let device = devices[whose >> round & 1]
            device.clock.now = Int64(round)
            device.pull(devices[1 - (whose >> round & 1)])
            try device.record { try Self.edit(kind, round, ids[1], &$0, &$1) }
          }
          // Each undo is compared with the oracle, register by register.
          for device in devices { while try device.turn(back: true) != nil {} }
          devices[0].pull(devices[1])
          devices[1].pull(devices[0])
          #expect(devices[0].list == devices[1].list)
          for device in devices { while try device.turn(back: false) != nil {} }
          devices[0].pull(devices[1])
          devices[1].pull(devices[0])
          #expect(devices[0].list == devices[1].list)
        }
      }
    }
  }

  /// What the page on undo says of one edit of mine and one of another that I know of.
  private static let rules: [(mine: Kind, other: Kind, said: String)] = [
    (.move, .move, "kept"), (.move, .set, "done"), (.move, .insert, "done"),
    (.move, .remove, "done while removed"),
    (.set, .move, "done"), (.set, .set, "kept"), (.set, .insert, "done"),
    (.set, .remove, "done while removed"),
    (.insert, .move, "kept"), (.insert, .set, "kept"), (.insert, .insert, "done"),
    (.insert, .remove, "passed over"),
    (.remove, .move, "done"), (.remove, .set, "done"), (.remove, .insert, "done"),
    (.remove, .remove, "kept"),
  ]

  @Test("16 pairs of mine and another's: kept, done, or passed over, as the page says")
  func pairs() throws {
    #expect(Self.rules.count == 16)
    for (mine, other, said) in Self.rules {
      let (list, ids) = try Self.start()
      let (a, b) = (UndoDevice(1, list), UndoDevice(2, list))
      var item = ids[1]
      try a.record { list, me in
        if mine == .insert {
          item = try list.insert(["v": "new"], at: 1, by: &me)
        } else {
          try Self.edit(mine, 0, item, &list, &me)
        }
      }
      // A removal is not known to the other, who could not edit the item else.
      if mine != .remove { b.pull(a) }
      b.clock.now = 10
      try b.record { list, me in
        if other == .insert {
          try list.insert(["v": "beside"], after: item, by: &me)
        } else {
          try Self.edit(other, 1, item, &list, &me)
        }
      }
      a.pull(b)
      let othersPlace = a.list[id: item]?.key
      let outcome = try a.turn(back: true)
      let result = outcome?.result
      let words =
        if let result {
          if !result.isWhole {
            "kept"
          } else if result.done.contains(where: { $0.removal != nil }) {
            "done while removed"
          } else {
            "done"
          }
        } else {
          "passed over"
        }
      #expect(words == said, "\(mine) \(other)")
      switch (mine, other) {
      case (.remove, .move), (.remove, .set):
        #expect(a.list.contains(id: item) && result?.done.first?.othersWrites.count == 1)
        #expect(a.list[id: item]?.key == othersPlace)
      case (.move, .set), (.set, .move):
        #expect(a.list[id: item]?["v"] == (other == .set ? "v1" : "b"))
      case (.insert, .move), (.insert, .set):
        #expect(a.list.contains(id: item))
        _ = try a.insist()
        #expect(!a.list.contains(id: item))
        _ = try a.turn(back: false)
        #expect(a.list.contains(id: item) && a.list[id: item]?.key == othersPlace)
      default: break
      }
    }
  }
}
