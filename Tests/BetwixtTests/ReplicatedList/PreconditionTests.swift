import Betwixt
import Testing

@Suite("Places that do not exist stop the program")
struct PreconditionTests {
  /// Edits a list of two sections with one item each.
  ///
  /// An error ends it quietly, so that only a
  /// stopped program passes.
  private static func run(_ body: (inout ReplicatedList, inout Replica) throws -> Void) {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    do {
      try list.append(by: &me)
      try list.append(toSection: 1, by: &me)
      try body(&list, &me)
    } catch {}
  }

  @Test("reading behind the end")
  func readBehindEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, _ in _ = list[2] }
    }
  }

  @Test("reading before the start")
  func readBeforeStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, _ in _ = list[-1] }
    }
  }

  @Test("inserting behind the end of a section")
  func insertBehindEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in try list.insert(at: 2, inSection: 1, by: &me) }
    }
  }

  @Test("inserting before the start of a section")
  func insertBeforeStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in try list.insert(at: -1, by: &me) }
    }
  }

  @Test("moving behind the end of a section")
  func moveBehindEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(list[0].id, toOffset: 2, inSection: 1, by: &me)
      }
    }
  }

  @Test("moving several behind the end of a section")
  func moveBlockBehindEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move([list[0].id], toOffset: 2, inSection: 1, by: &me)
      }
    }
  }

  @Test("moving before the start")
  func moveBeforeStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in try list.move(list[0].id, toOffset: -1, by: &me) }
    }
  }

  // The places exist, but in the other section.

  @Test("moving from behind the end of a section")
  func moveFromBehindEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(fromOffset: 1, toOffset: 0, inSection: 0, by: &me)
      }
    }
  }

  @Test("moving from before the start of a section")
  func moveFromBeforeStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(fromOffset: -1, toOffset: 0, inSection: 1, by: &me)
      }
    }
  }

  @Test("moving from a place of a section to behind its end")
  func moveFromToBehindEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(fromOffset: 0, toOffset: 2, inSection: 0, by: &me)
      }
    }
  }

  @Test("moving from a place of a section to before its start")
  func moveFromToBeforeStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(fromOffset: 0, toOffset: -1, inSection: 1, by: &me)
      }
    }
  }

  @Test("moving before the start of a section that is not the first")
  func moveBeforeLaterStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(list[0].id, toOffset: -1, inSection: 1, by: &me)
      }
    }
  }

  @Test("moving several before the start of a section")
  func moveBlockBeforeStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move([list[0].id], toOffset: -1, inSection: 1, by: &me)
      }
    }
  }

  @Test("inserting before the start of a section that is not the first")
  func insertBeforeLaterStart() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in try list.insert(at: -1, inSection: 1, by: &me) }
    }
  }

  @Test("inserting behind the end of a section that is not the last")
  func insertBehindEarlierEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in try list.insert(at: 2, inSection: 0, by: &me) }
    }
  }

  @Test("moving behind the end of a section that is not the last")
  func moveBehindEarlierEnd() async {
    await #expect(processExitsWith: .failure) {
      PreconditionTests.run { list, me in
        try list.move(list[0].id, toOffset: 2, inSection: 0, by: &me)
      }
    }
  }

  @Test("reading an empty list")
  func readEmpty() async {
    await #expect(processExitsWith: .failure) { _ = ReplicatedList(id: World.listID)[0] }
  }

  @Test("the last places are places")
  func lastPlaces() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    try list.append(by: &me)
    try list.append(toSection: 1, by: &me)
    try list.insert(at: 1, inSection: 1, by: &me)
    try list.move(list[0].id, toOffset: 2, inSection: 1, by: &me)
    #expect(list.count == 3 && list[2].section == 1)
    try list.insert(at: 0, inSection: 7, by: &me)
    #expect(list[3].section == 7)
    let first = list[0].id
    try list.move(fromOffset: 0, toOffset: 3, inSection: 1, by: &me)
    #expect(list[2].id == first)
    try list.move(fromOffset: 2, toOffset: 0, inSection: 1, by: &me)
    #expect(list[0].id == first)
  }
}
