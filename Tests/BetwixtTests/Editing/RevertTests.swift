import Betwixt
import Testing

@Suite("Writes are taken back while they still show")
struct RevertTests {
  private func pair() throws -> (Device, Device, ItemID) {
    let device = Device(ReplicatedList(id: World.listID), replica: 1, clock: World.startOfTime)
    for number in 0..<3 as Range<Int64> {
      try device.list.append(["n": .int64(number)], by: &device.me)
    }
    let id = device.list[1].id
    return (device, Device(device.list, replica: 2, clock: World.startOfTime), id)
  }

  private func record(
    _ device: Device, _ edit: () throws -> Void
  ) throws -> [Write] {
    device.me.beginRecording()
    try edit()
    return device.me.endRecording().reversed()
  }

  private func revert(_ writes: [Write], on device: Device) throws -> [Bool] {
    try writes.map { try device.list.revert($0, by: &device.me) }
  }

  @Test("a move, a field, a removal and an insertion come back")
  func everyKind() throws {
    let (device, _, id) = try pair()
    let order = device.list.map(\.id)
    let move = try record(device) { try device.list.move(id, toOffset: 0, by: &device.me) }
    #expect(try revert(move, on: device) == [true] && device.list.map(\.id) == order)
    let set = try record(device) { try device.list.set("n", of: id, to: 9, by: &device.me) }
    #expect(try revert(set, on: device) == [true] && device.list[id: id]?["n"] == 1)
    let add = try record(device) { try device.list.set("new", of: id, to: 9, by: &device.me) }
    #expect(try revert(add, on: device) == [true] && device.list[id: id]?["new"] == nil)
    let remove = try record(device) { try device.list.remove(id, by: &device.me) }
    #expect(try revert(remove, on: device) == [true] && device.list.map(\.id) == order)
    let insert = try record(device) { try device.list.prepend(["n": 7], by: &device.me) }
    #expect(insert.count == 3)
    _ = try revert(insert, on: device)
    #expect(device.list.map(\.id) == order)
  }

  @Test("what another replica wrote since is not touched")
  func othersWin() throws {
    let (device, other, id) = try pair()
    let writes = try record(device) {
      try device.list.set("n", of: id, to: 5, by: &device.me)
      try device.list.move(id, toOffset: 3, by: &device.me)
    }
    other.clock.now += 1_000
    other.list.merge(device.list)
    try other.list.set("n", of: id, to: 6, by: &other.me)
    device.list.merge(other.list)
    // The move still shows and comes back; the field is the other's now.
    #expect(try revert(writes, on: device) == [true, false])
    #expect(device.list.index(id: id) == 1 && device.list[id: id]?["n"] == 6)
    let sequence = device.me.sequence
    #expect(try revert(writes, on: device) == [false, false])
    #expect(device.me.sequence == sequence)
  }

  @Test("a move goes back between the items that stand around the former place now")
  func moveAfterOthers() throws {
    let (device, other, id) = try pair()
    let writes = try record(device) { try device.list.move(id, toOffset: 3, by: &device.me) }
    try other.list.remove(other.list[0].id, by: &other.me)
    try other.list.append(by: &other.me)
    device.list.merge(other.list)
    #expect(try revert(writes, on: device) == [true])
    #expect(device.list.index(id: id) == 0 && device.list.count == 3)
  }

  @Test("a recording holds nothing of an edit that wrote nothing")
  func nothingWritten() throws {
    let (device, _, id) = try pair()
    let writes = try record(device) {
      try device.list.set("n", of: id, to: 1, by: &device.me)
      try device.list.clear("none", of: id, by: &device.me)
      try device.list.move(id, toOffset: 1, by: &device.me)
      try device.list.move(id, toOffset: 2, by: &device.me)
      try device.list.restore(id, by: &device.me)
    }
    #expect(writes.isEmpty)
  }
}
