import Betwixt
import BetwixtFiles
import Foundation
import Synchronization
import TestSupport
import Testing

/// A shared folder, and devices whose clocks were wrong for a while, either way: nothing that is ahead of
/// the own clock goes in, what went in all the same comes out, and nothing is lost.
@Suite struct ClockFolderTests {
  private static let year: Int64 = 365 * 86_400_000

  private let directory = ScratchDirectory()
  private let random = SharedRandom(seed: 7)
  private let time = SharedTime()
  private let folder: String

  init() throws {
    folder = "\(directory.path)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// A device whose clock is wrong by some time.
  private final class Device {
    let name: String
    let wrong = SharedTime(0)
    var reader: Reader

    init(_ name: String, _ reader: (SharedTime) throws -> Reader) rethrows {
      self.name = name
      self.reader = try reader(wrong)
    }

    var titles: [FieldValue?] { reader.document.list.map { $0["title"] } }

    func add(_ title: String) throws -> ItemID {
      try reader.document.edit { list, me in
        try list.append(["title": .string(title)], by: &me)
      }.value
    }

    func set(_ title: String, of item: ItemID) throws {
      try reader.document.edit { list, me in
        try list.set("title", of: item, to: .string(title), by: &me)
      }
    }
  }

  private func open(
    _ name: String, wrong: SharedTime, startingWith list: ReplicatedList? = nil,
    state: String? = nil
  ) throws -> Reader {
    let settings = Document.Settings(
      stateDirectory: "\(directory.path)/state-\(state ?? name)",
      clock: { [time] in time.now + wrong.now }, random: { [random] in random.next() })
    return Reader(
      try Document.openOrCreate(
        at: "\(directory.path)/\(name).trip", settings: settings, startingWith: list))
  }

  private func device(_ name: String, startingWith list: ReplicatedList? = nil) throws -> Device {
    try Device(name) { try open(name, wrong: $0, startingWith: list) }
  }

  /// Another program goes on with the document.
  private func reopen(_ device: Device) throws {
    device.reader = try open(device.name, wrong: device.wrong)
  }

  @discardableResult
  private func sync(_ device: Device) throws -> Document.FolderSync {
    time.now += 1_000
    return try device.reader.document.sync(folder: folder)
  }

  /// What two devices tell each other directly is judged by either.
  private func exchange(_ one: Device, _ other: Device) throws {
    for (device, source) in [(one, other), (other, one)] {
      let list = device.reader.document.list
      let delta = source.reader.document.list.delta(since: list.version)
      let policy = AdmissionPolicy(now: time.now + device.wrong.now)
      try device.reader.document.merge(policy.admit(delta, to: list).delta)
    }
  }

  /// Two devices with an item each, which have met in the folder.
  private func pair() throws -> (here: Device, there: Device, lunch: ItemID) {
    let here = try device("here")
    let lunch = try here.add("Lunch")
    let there = try device("there", startingWith: here.reader.document.list)
    _ = try there.add("Walk")
    for device in [here, there, here] { try sync(device) }
    return (here, there, lunch)
  }

  /// Everybody ends with the same, and somebody new too.
  private func expectAgreement(_ devices: [Device], _ titles: [FieldValue?]) throws {
    for device in devices + devices { try sync(device) }
    let id = devices[0].reader.document.id
    let newcomer = try device("new", startingWith: ReplicatedList(id: id))
    let reading = try sync(newcomer).reading
    #expect(reading.withheld.isEmpty && reading.pending.isEmpty)
    for device in devices + [newcomer] {
      #expect(device.titles == titles, "\(device.name)")
      #expect(device.reader.document.list.digest == newcomer.reader.document.list.digest)
      #expect(device.reader.document.list.version == newcomer.reader.document.list.version)
    }
  }

  @Test(arguments: [false, true]) func whatIsAheadOfTheOwnClockStaysHere(isMended: Bool) throws {
    let (here, there, lunch) = try pair()
    here.wrong.now = Self.year
    try here.set("Brunch", of: lunch)
    here.wrong.now = 0
    _ = try here.add("Later")
    let first = try sync(here)
    #expect(first.heldBack.map(\.entry.item) == [lunch] && first.writtenCount == 1)
    // It makes no file each time, and nobody else meets it.
    for _ in 0..<2 { #expect(try sync(here).writtenCount == 0) }
    let other = try sync(there)
    #expect(other.reading.withheld.isEmpty && there.titles == ["Lunch", "Walk", "Later"])
    // What was not put in is claimed by nobody.
    #expect(!there.reader.document.list.version.covers(here.reader.document.list.version))
    if isMended {
      try here.reader.document.repairClock()
      try sync(here)
      try sync(there)
      try there.set("Soup", of: lunch)
    }
    time.now += 2 * Self.year
    try expectAgreement([here, there], [isMended ? "Soup" : "Brunch", "Walk", "Later"])
  }

  /// When the clock was still wrong it went in: it comes out again with the first sync after the repair,
  /// even if its time has come by then.
  @Test(arguments: [0, year + 10 * 86_400_000], [false, true])
  func whatWentInComesOut(pause: Int64, isOpen: Bool) throws {
    let (here, there, lunch) = try pair()
    here.wrong.now = Self.year
    try here.set("Branch", of: lunch)
    try sync(here)
    try here.set("Brunch", of: lunch)
    _ = try here.add("Soon")
    try sync(here)
    here.wrong.now = 0
    if !isOpen { try reopen(here) }
    _ = try here.add("Later")
    // What was replaced since it was put in is no reason to leave out an own file.
    let sync = try sync(here)
    #expect(sync.reading.withheld.isEmpty && sync.heldBack.isEmpty && sync.writtenCount == 1)
    #expect(try self.sync(there).reading.withheld.count == 2)
    #expect(there.titles == ["Lunch", "Walk", "Later"])
    #expect(try here.reader.document.repairClock().writes.doubt == nil)
    if !isOpen { try reopen(here) }
    time.now += 60_000
    try there.set("Soup", of: lunch)
    time.now += pause
    let cure = try self.sync(here)
    #expect(cure.reading.withheld.isEmpty && cure.heldBack.isEmpty && cure.removedCount >= 2)
    #expect(try self.sync(here).writtenCount == 0)
    #expect(try self.sync(there).reading.withheld.isEmpty)
    #expect(there.titles == ["Soup", "Walk", "Soon", "Later"])
    time.now += 2 * Self.year
    try expectAgreement([here, there], ["Soup", "Walk", "Soon", "Later"])
  }

  /// A pair of which one has published a write of next year, behind one of the same item that is replaced
  /// since, and something good.
  private func poisonedPair() throws -> (here: Device, there: Device, write: Entry) {
    let (here, there, lunch) = try pair()
    here.wrong.now = Self.year
    for title in ["Branch", "Brunch"] {
      try here.set(title, of: lunch)
      try sync(here)
    }
    here.wrong.now = 0
    _ = try here.add("Later")
    try sync(here)
    let write = try #require(here.reader.document.writesAhead().own.first).entry
    return (here, there, write)
  }

  /// What was written before a document was moved to another drive was written here all the same, and is
  /// mended before or after.
  @Test(arguments: [false, true]) func aDocumentThatIsMovedAwayIsMended(isFirst: Bool) throws {
    let (here, there, write) = try poisonedPair()
    if isFirst { try here.reader.document.repairClock() }
    let files = FileManager.default
    let paths = ["here", "stick"].map { "\(directory.path)/\($0).trip" }
    try files.copyItem(atPath: paths[0], toPath: paths[1])
    try files.removeItem(atPath: paths[0])
    let writer = here.reader.document.writer
    here.reader = try open("stick", wrong: here.wrong, state: "here")
    _ = try here.add("Last")
    #expect(here.reader.document.writer != writer)
    let writes = here.reader.document.writesAhead()
    #expect(writes.own.map(\.entry) == (isFirst ? [] : [write]) && writes.others.isEmpty)
    if !isFirst { try here.reader.document.repairClock() }
    let cure = try sync(here)
    #expect(cure.reading.withheld.isEmpty && cure.heldBack.isEmpty && cure.removedCount >= 2)
    #expect(try sync(there).reading.withheld.isEmpty)
    try there.set("Soup", of: write.item)
    time.now += 2 * Self.year
    try expectAgreement([here, there], ["Soup", "Walk", "Later", "Last"])
  }

  /// Whoever took the old write in all the same can still tell those who have made it again, who claim
  /// nothing of its number: else the two would differ for ever.
  @Test func whatWasMadeAgainIsNotClaimed() throws {
    let (here, there, write) = try poisonedPair()
    let stubborn = here.reader.document.list
    try here.reader.document.repairClock()
    for device in [here, there, here] { try sync(device) }
    for device in [here, there] {
      let version = device.reader.document.list.version
      #expect(!version.covers(write.dot) && device.titles == ["Brunch", "Walk", "Later"])
      #expect(stubborn.delta(since: version).entries.contains(write))
    }
  }

  /// What is void comes back where somebody wants it to, and stays then.
  @Test func whatIsMergedAgainStays() throws {
    let (here, there, write) = try poisonedPair()
    let old = here.reader.document.list
    try here.reader.document.repairClock()
    try here.reader.document.merge(old)
    #expect(here.reader.document.writesAhead().own.map(\.entry) == [write])
    let again = try sync(here)
    #expect(again.heldBack.isEmpty && again.removedCount > 0)
    #expect(try sync(there).reading.withheld.map(\.write.entry) == [write])
    #expect(try sync(here).writtenCount == 0)
    time.now += 2 * Self.year
    try expectAgreement([here, there], ["Brunch", "Walk", "Later"])
  }

  /// Who has put back a document of before the repair has nothing in the place of what was made again: the
  /// folder keeps it.
  @Test func aDocumentThatWentBackFindsWhatTheFolderHolds() throws {
    let (here, there, lunch) = try pair()
    let path = "\(directory.path)/here.trip"
    let backup = try Data(contentsOf: URL(fileURLWithPath: path))
    here.wrong.now = Self.year
    try here.set("Brunch", of: lunch)
    try sync(here)
    here.wrong.now = 0
    try here.reader.document.repairClock()
    try FileManager.default.removeItem(atPath: path)
    try backup.write(to: URL(fileURLWithPath: path))
    try reopen(here)
    let back = try sync(here)
    #expect(back.reading.withheld.count == 1 && back.removedCount == 0)
    #expect(here.titles == ["Lunch", "Walk"])
    time.now += 2 * Self.year
    try expectAgreement([here, there], ["Brunch", "Walk"])
  }

  /// Each makes again what is its own, and neither waits for the other.
  @Test(arguments: [false, true]) func twoDevicesRepair(isOneFirst: Bool) throws {
    let (here, there, lunch) = try pair()
    let walk = try #require(here.reader.document.list.first { $0["title"] == "Walk" }).id
    // Neither has met what the other wrote while its clock was wrong.
    here.wrong.now = Self.year
    try here.set("Brunch", of: lunch)
    try sync(here)
    here.wrong.now = 0
    there.wrong.now = 2 * Self.year
    try there.set("Stroll", of: walk)
    let other = directory.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try there.reader.document.sync(folder: other)
    there.wrong.now = 0
    try here.reader.document.repairClock()
    if isOneFirst { try sync(here) }
    try there.reader.document.repairClock()
    for device in [there, here, there] {
      let sync = try sync(device)
      #expect(isOneFirst || device === there || sync.reading.withheld.isEmpty)
    }
    // What went into another folder comes out of that, too.
    for device in [there, here] { try device.reader.document.sync(folder: other) }
    try there.set("Soup", of: lunch)
    try there.set("Hike", of: walk)
    time.now += 3 * Self.year
    try expectAgreement([here, there], ["Soup", "Hike"])
    try here.reader.document.sync(folder: other)
    #expect(here.titles == ["Soup", "Hike"])
  }

  /// Everything is in the future then, and all of it was published before.
  @Test func aClockThatFellBackHoldsNewsBackAndTakesNothingOut() throws {
    let (here, there, lunch) = try pair()
    here.wrong.now = -3 * Self.year
    try reopen(here)
    try here.set("Brunch", of: lunch)
    _ = try here.add("Old")
    let behind = try sync(here)
    #expect(behind.heldBack.map(\.entry.item) == [lunch] && behind.reading.withheld.isEmpty)
    #expect(behind.removedCount == 0)
    #expect(throws: (any Error).self) { try here.reader.document.repairClock() }
    #expect(here.reader.document.writesAhead().doubt == .othersAreAhead)
    try sync(there)
    _ = try there.add("New")
    try sync(there)
    #expect(try sync(here).reading.withheld.count == 1)
    here.wrong.now = 0
    let right = try sync(here)
    #expect(right.reading.withheld.isEmpty && right.heldBack.isEmpty)
    for device in [there, here] { try sync(device) }
    let titles = Set(here.titles.map { $0 ?? "" })
    #expect(titles == ["Brunch", "Walk", "Old", "New"])
    try expectAgreement([here, there], here.titles)
  }

  @Test func aClockThatFellBackIsDoubted() throws {
    // Nothing was ever written when it shows.
    let alone = try device("alone")
    let item = try alone.add("Lunch")
    alone.wrong.now = -3 * Self.year
    #expect(alone.reader.document.writesAhead().doubt == .allIsAhead)
    #expect(throws: (any Error).self) { try alone.reader.document.repairClock() }
    #expect(alone.titles == ["Lunch"])
    // What is written by it now says nothing of it, under whichever id.
    _ = try alone.add("Old")
    #expect(alone.reader.document.writesAhead().doubt == .allIsAhead)
    #expect(throws: (any Error).self) { try alone.reader.document.repairClock() }
    // Somebody else has said to hold what is ahead.
    alone.wrong.now = 0
    let other = try device("other", startingWith: alone.reader.document.list)
    try other.set("Brunch", of: item)
    for device in [alone, other, alone] { try sync(device) }
    try alone.set("Dinner", of: item)
    alone.wrong.now = -3 * Self.year
    #expect(alone.reader.document.writesAhead().doubt == .othersHaveThem)
    // Who knows better can say so.
    #expect(try !alone.reader.document.repairClock(force: true).writes.own.isEmpty)
    #expect(alone.reader.document.writesAhead().own.isEmpty)
  }

  /// Whatever is done in whichever order, nothing is lost, and what is written at last stands for ever.
  @Test(arguments: 0..<12) func clocksThatGoWrongLoseNothing(seed: UInt64) throws {
    let source = SharedRandom(seed: seed)
    func next(_ count: Int) -> Int { Int(source.next() % UInt64(count)) }
    let first = try device("0")
    var items = [try first.add("start")]
    var devices = [first]
    for name in ["1", "2"] {
      devices.append(try device(name, startingWith: first.reader.document.list))
    }
    for number in 0..<50 {
      time.now += 3_600_000
      let device = devices[next(3)]
      switch next(9) {
      case 0, 1: items.append(try device.add("\(number)"))
      case 2:
        let item = items[next(items.count)]
        if device.reader.document.list[id: item] != nil { try device.set("\(number)", of: item) }
      // Who is ahead with others lets theirs in, and nobody can mend that.
      case 3: device.wrong.now = [0, -3, device === first ? 1 : 0][next(3)] * Self.year
      case 4:
        if device.wrong.now == 0 { try device.reader.document.repairClock(force: true) }
      case 5: try reopen(device)
      case 6: try exchange(device, devices[next(3)])
      default: try sync(device)
      }
    }
    for device in devices { device.wrong.now = 0 }
    try first.reader.document.repairClock(force: true)
    for device in devices + devices + devices {
      try sync(device)
      #expect(device.reader.document.writesAhead().isEmpty)
    }
    for device in devices {
      #expect(Set(device.reader.document.list.map(\.id)) == Set(items))
      let item = items[next(items.count)]
      try device.set("last", of: item)
      #expect(try sync(device).heldBack.isEmpty)
      for other in devices { try sync(other) }
    }
    let titles = first.titles
    time.now += 4 * Self.year
    try expectAgreement(devices, titles)
  }
}

/// A time that is set.
private final class SharedTime: Sendable {
  private let value: Mutex<Int64>
  init(_ value: Int64 = 1_780_000_000_000) { self.value = Mutex(value) }
  var now: Int64 {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
