import Betwixt
import Testing

@Suite("What a list knows of")
struct TotalsTests {
  private static let stranger = ItemID(high: 9, low: 9)

  private static func list() throws -> (ReplicatedList, ItemID) {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let item = try list.append(["b": 1, "a": 2, "c": 3], by: &me)
    try list.clear("c", of: item, by: &me)
    try list.remove(try list.append(by: &me), by: &me)
    try list.set("name", of: .root, to: "Trip", by: &me)
    return (list, item)
  }

  @Test("removed items and the root count, strangers do not")
  func counts() throws {
    let (list, item) = try Self.list()
    #expect(list.knownItemCount == 3 && list.knownReplicaCount == 1)
    #expect(list.knows(item) && list.knows(.root) && !list.knows(Self.stranger))
    #expect(list.knows(ReplicaID(rawValue: 1)) && !list.knows(ReplicaID(rawValue: 2)))
    let empty = ReplicatedList(id: World.listID)
    #expect(empty.knownItemCount == 0 && empty.knownReplicaCount == 0 && !empty.knows(.root))
  }

  @Test("every entry is found at its address, and nothing at any other")
  func addresses() throws {
    let (list, item) = try Self.list()
    for entry in list.entries {
      #expect(list.entry(at: RegisterAddress(entry.item, register: entry.register)) == entry)
    }
    let addresses =
      list.entries.map { $0.address } + [
        RegisterAddress(item, register: .field("none")), RegisterAddress(.root, register: .life),
        RegisterAddress(Self.stranger, register: .life),
      ]
    for order in [addresses, addresses.reversed(), addresses + addresses] {
      #expect(list.entries(at: order) == order.map { list.entry(at: $0) })
    }
    #expect(list.entry(at: RegisterAddress(item, register: .field("none"))) == nil)
    #expect(list.entry(at: RegisterAddress(.root, register: .life)) == nil)
    #expect(list.entry(at: RegisterAddress(Self.stranger, register: .life)) == nil)
    #expect(list.fieldRegisters(of: item) == [.field("a"), .field("b"), .field("c")])
    #expect(list.fieldRegisters(of: .root) == [.field("name")])
    #expect(list.fieldRegisters(of: Self.stranger).isEmpty)
  }

  @Test("the digest without some registers is that of a list that lacks them")
  func digests() throws {
    let (list, item) = try Self.list()
    let left = [
      RegisterAddress(item, register: .field("a")),
      RegisterAddress(.root, register: .field("name")),
      RegisterAddress(item, register: .field("none")),
      RegisterAddress(Self.stranger, register: .life),
    ]
    var rest = ReplicatedList(id: World.listID)
    rest.merge(
      try Delta(
        list.entries.filter { !left.contains(RegisterAddress($0.item, register: $0.register)) }))
    var settled = list
    settled.settleDigest()
    #expect(list.digest(leavingOut: left) == rest.digest)
    #expect(settled.digest(leavingOut: left) == rest.digest && rest.digest != list.digest)
    #expect(list.digest(leavingOut: []) == list.digest)
    #expect(rest.entryCount == list.entryCount - 2)
  }
}
