import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// What reading a folder calls a concurrent write.
struct FolderConflictTests {
  /// Whoever comes later finds many files, of which each was made upon those before it.
  @Test func writesInTurnAreNoConflicts() throws {
    let disk = SimulatedDisk()
    let (one, two) = (FolderDevice(1, on: disk), FolderDevice(2, on: disk))
    let item = try one.list.append(["title": "0"], by: &one.me)
    for round in 1...20 {
      for device in [one, two] {
        #expect(try device.sync().conflicts.isEmpty)
        try device.list.set(
          "title", of: item, to: .string("\(round) of \(device.me.id)"), by: &device.me)
        if round == 20, device === two { try device.list.remove(item, by: &device.me) }
        #expect(try device.sync().conflicts.isEmpty)
      }
    }
    let late = FolderDevice(3, on: disk)
    let reading = try late.sync()
    #expect(reading.newFiles > 40)
    #expect(reading.conflicts.isEmpty && reading.removalConflicts.isEmpty)
    #expect(late.list.version.covers(two.list.version))
    // What is concurrent is told, once, and to whom it is new.
    _ = try one.sync()
    try one.list.restore(item, by: &one.me)
    _ = try one.sync()
    _ = try two.sync()
    try one.list.set("title", of: item, to: "mine", by: &one.me)
    try two.list.set("title", of: item, to: "yours", by: &two.me)
    _ = try one.sync()
    #expect(try two.sync().conflicts.count == 1)
  }

  /// Nobody else removes what a device that is gone for good has put in; somebody may, by hand.
  @Test func theDirectoryOfADeviceThatIsGoneCanGo() throws {
    let disk = SimulatedDisk()
    let (gone, stays) = (FolderDevice(1, on: disk), FolderDevice(2, on: disk))
    for number in 0..<5 {
      for device in [gone, stays] {
        _ = try device.sync()
        try device.list.append(["title": .string("\(number)")], by: &device.me)
        _ = try device.sync()
      }
    }
    let files = try gone.folder.files().filter { $0.path.contains("\(gone.me.id)/") }
    #expect(files.count > 4)
    for file in files { try disk.unlink(file.path) }
    _ = try stays.sync()
    let new = FolderDevice(3, on: disk)
    _ = try new.sync()
    #expect(new.list.count == 10 && new.list == stays.list)
  }

  /// A folder is read anew as a whole when a file in it is gone.
  @Test func whatLosesTwiceIsToldOnce() throws {
    let disk = SimulatedDisk()
    let (one, two, three) = (
      FolderDevice(1, on: disk), FolderDevice(2, on: disk), FolderDevice(3, on: disk)
    )
    let item = try one.list.append(["title": "0"], by: &one.me)
    for device in [one, two, three] { _ = try device.sync() }
    // One that loses, and one that is gone when it is read.
    try one.list.set("title", of: item, to: "one", by: &one.me)
    try two.list.set("title", of: item, to: "two", by: &two.me)
    try three.add("three")
    for device in [one, three] { try device.folder.write(device.list) }
    let file = try three.folder.files().filter { $0.path.contains("\(three.me.id)/") }
    let before = FolderDevice(4, on: disk)
    #expect(try before.read().conflicts.isEmpty)
    for file in file { try disk.unlink(file.path) }
    try two.folder.write(two.list)
    #expect(try before.read().conflicts.count == 1)
    #expect(try before.read().conflicts.isEmpty)
  }

  /// Of random histories: what is called concurrent is that, by what each writer held.
  @Test(arguments: 1...UInt64(20)) func onlyConcurrentWritesConflict(seed: UInt64) throws {
    var choices = SplitMix64(seed: seed)
    let disk = SimulatedDisk()
    let devices = (1...4).map { FolderDevice($0, on: disk) }
    let item = try devices[0].list.append(["title": "0"], by: &devices[0].me)
    _ = try devices[0].sync()
    // By a write, what its writer held before it.
    var held: [Dot: VersionVector] = [:]
    for step in 0..<60 {
      let device = devices[Int(choices.next() % 3)]
      if device.list[id: item] != nil, choices.next() % 2 == 0 {
        let before = device.list.version
        try device.list.set("title", of: item, to: .string("\(step)"), by: &device.me)
        held[Dot(replica: device.me.id, sequence: device.list.version[device.me.id])] = before
      } else {
        _ = try device.sync()
      }
    }
    for device in devices.prefix(3) { _ = try device.sync() }
    let reading = try devices[3].sync()
    for conflict in reading.conflicts {
      let (winner, loser) = (conflict.winner.dot, conflict.loser.dot)
      #expect(held[winner]?.covers(loser) == false, "\(winner) was made upon \(loser)")
      #expect(held[loser]?.covers(winner) != true)
    }
  }
}
