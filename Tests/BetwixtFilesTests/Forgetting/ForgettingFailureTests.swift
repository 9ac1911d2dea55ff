import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles

/// Forgetting on a drive that refuses something.
struct ForgettingFailureTests {
  private static func settings(_ disk: SimulatedDisk, seed: UInt64) -> Document.Settings {
    let random = SharedRandom(seed: seed)
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { random.next() })
    settings.file.fileSystem = disk
    return settings
  }

  /// A document whose only item was removed, with a note in it.
  private static func made(on disk: SimulatedDisk) throws -> Document {
    var trip = try Document.openOrCreate(
      at: DocumentWork.path, settings: settings(disk, seed: 3))
    let item = try trip.edit { list, me in
      try list.append(["title": "Dinner", "note": "conf-123"], by: &me)
    }.value
    try trip.edit { list, me in try list.remove(item, by: &me) }
    return trip
  }

  @Test("whichever call fails, all is let go or nothing, and then it can be done again")
  func everyCall() throws {
    var (call, isOver, failureCount) = (0, false, 0)
    while !isOver {
      call += 1
      let disk = SimulatedDisk()
      var trip = try Self.made(on: disk)
      let before = trip.list
      disk.faults.failingCall = disk.callCount + call
      let forgotten = try? trip.forget(below: before.version)
      isOver = disk.callCount < disk.faults.failingCall ?? 0
      disk.faults.failingCall = nil
      var again = try Document.open(
        at: DocumentWork.path, settings: Self.settings(disk, seed: 4))
      if forgotten == nil {
        failureCount += 1
        let isWhole = again.list == before
        // The drive may have said too late that it did it.
        #expect(isWhole || again.list.floor.covers(before.version), "call \(call)")
        if isWhole { #expect(try again.forget(below: before.version).registerCount == 3) }
      }
      #expect(again.list.floor.covers(before.version))
    }
    #expect(failureCount > 5)
  }
}
