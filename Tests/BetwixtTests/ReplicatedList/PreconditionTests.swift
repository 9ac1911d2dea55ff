import Betwixt
import Testing

@Suite("Places that do not exist")
struct PreconditionTests {
  @Test("reading behind the end")
  func readBehindEnd() async {
    await #expect(processExitsWith: .failure) { _ = PreconditionTests.sample()[2] }
  }

  @Test("reading before the start")
  func readBeforeStart() async {
    await #expect(processExitsWith: .failure) { _ = PreconditionTests.sample()[-1] }
  }

  @Test("reading an empty list")
  func readEmpty() async {
    await #expect(processExitsWith: .failure) { _ = ReplicatedList(id: World.listID)[0] }
  }

  /// Two sections with one item each.
  private static func sample() -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    _ = try? list.append(by: &me)
    _ = try? list.append(toSection: 1, by: &me)
    return list
  }

  /// An offset from a screen may be one that somebody has taken away since: an edit is refused, and no
  /// program ends.
  @Test("editing where there is no place", arguments: [0, 1] as [Int64], [-1, 2])
  func editing(section: Int64, offset: Int) throws {
    var me = Replica(id: ReplicaID(rawValue: 2)) { World.startOfTime }
    var list = PreconditionTests.sample()
    let before = list
    let item = list[0].id
    for kind in 0..<6 {
      do throws(EditFailure) {
        switch kind {
        case 0: try list.insert(at: offset, inSection: section, by: &me)
        case 1: try list.move(item, toOffset: offset, inSection: section, by: &me)
        case 2: try list.move([item], toOffset: offset, inSection: section, by: &me)
        case 3: try list.move(fromOffset: 0, toOffset: offset, inSection: section, by: &me)
        case 4: try list.move(fromOffset: offset, toOffset: 0, inSection: section, by: &me)
        // Behind the last item there is a place, but no item.
        default: try list.move(fromOffset: 1, toOffset: 0, inSection: section, by: &me)
        }
        Issue.record("edit \(kind) was made")
      } catch {
        #expect(error.code == .unknownOffset)
      }
      #expect(list == before && list.version == before.version && me.sequence == 0)
    }
    do throws(EditFailure) {
      try list.move(ItemID(high: 9, low: 9), toOffset: offset, inSection: section, by: &me)
      Issue.record("nothing was moved")
    } catch {
      #expect(error.code == .unknownItem)
    }
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
