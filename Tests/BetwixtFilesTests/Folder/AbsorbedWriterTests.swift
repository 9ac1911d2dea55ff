import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// The files of a device that is gone are taken away, and nothing that they hold.
@Suite("A writer whose files are absorbed") struct AbsorbedWriterTests {
  /// What somebody reads who has never been here.
  private func newcomer(_ disk: SimulatedDisk) throws -> (ReplicatedList, SharedFolder.Reading) {
    let device = FolderDevice(99, on: disk)
    let reading = try device.read()
    return (device.list, reading)
  }

  private func newcomerFolder(_ disk: SimulatedDisk) throws -> SharedFolder {
    let device = FolderDevice(98, on: disk)
    _ = try device.read()
    return device.folder
  }

  /// Two devices have written five items each; the second has read all.
  private func shared(_ disk: SimulatedDisk) throws -> (gone: FolderDevice, stays: FolderDevice) {
    let (gone, stays) = (FolderDevice(1, on: disk), FolderDevice(2, on: disk))
    for number in 0..<5 {
      for device in [gone, stays] {
        try device.sync()
        try device.add("\(number) of \(device.me.id)")
        try device.sync()
      }
    }
    _ = try stays.read()
    return (gone, stays)
  }

  @Test func itsFilesGoAndItsItemsStay() throws {
    let disk = SimulatedDisk()
    let (gone, stays) = try shared(disk)
    #expect(stays.folder.writers.map(\.replica) == [gone.me.id, stays.me.id])
    let files = try #require(stays.folder.writers.first)
    #expect(files.fileCount == 5 && files.byteCount > 500)
    #expect(try stays.folder.absorb([gone.me.id], holding: stays.list) == 5)
    #expect(stays.folder.writers.map(\.replica) == [stays.me.id])
    #expect(try disk.list("/shared/betwixt-1/\(DocumentWork.listID)") == ["\(stays.me.id)"])
    let (list, reading) = try newcomer(disk)
    #expect(list == stays.list && list.count == 10)
    #expect(reading.conflicts.isEmpty && reading.removalConflicts.isEmpty)
    // Nothing is left to do, and the own files are never absorbed.
    #expect(try stays.folder.absorb([gone.me.id, stays.me.id], holding: stays.list) == 0)
    #expect(try stays.sync().newFiles == 0)
    #expect(try newcomer(disk).0 == list)
  }

  /// Two call each other gone, and a third, at the same time and in different places; then the tool
  /// takes away everywhere what each took out.
  @Test func whoeverAbsorbsWhomAtOnceNothingIsInNoFile() throws {
    let origin = SimulatedDisk()
    let (gone, stays) = try shared(origin)
    let third = FolderDevice(3, on: origin)
    try third.sync()
    try third.folder.writeSnapshot(third.list)
    let all = gone.list.merging(stays.list)
    let devices = [gone, stays, third].map { $0.me.id }
    for (first, second) in [(0, 1), (1, 2), (2, 0)] {
      var drives: [SimulatedDisk] = []
      for (me, other) in [(devices[first], devices[second]), (devices[second], devices[first])] {
        let disk = SimulatedDisk(origin.drive)
        let device = FolderDevice(me.rawValue, on: disk)
        device.folder = SharedFolder(
          "/shared", list: DocumentWork.listID, replica: me,
          ownHead: try FolderDevice(98, on: disk).head(of: me), settings: device.folder.settings)
        _ = try device.read()
        try device.folder.absorb(
          Set([other, devices[3 - first - second]]), holding: device.list)
        drives.append(disk)
      }
      let met = SimulatedDisk(origin.drive)
      let paths = try FolderDevice(98, on: met).folder.files().map(\.path)
      for path in paths where drives.contains(where: { $0.bytes(path) == nil }) {
        try met.unlink(path)
      }
      for disk in drives {
        for (path, _) in try FolderDevice(98, on: disk).folder.files()
        where met.bytes(path) == nil {
          guard !paths.contains(path), let bytes = disk.bytes(path) else { continue }
          try met.makeDirectories(Path.directory(of: path))
          try met.create(path, holding: bytes)
        }
      }
      #expect(try newcomer(met).0 == all, "\(first) and \(second)")
    }
  }

  /// It was thought to be gone: it writes on, with a process that knows its files or a new one.
  @Test(arguments: [false, true]) func whoComesBackLosesNothing(isOpen: Bool) throws {
    let disk = SimulatedDisk()
    let (gone, stays) = try shared(disk)
    try gone.add("in a tunnel")
    try stays.folder.absorb([gone.me.id], holding: stays.list)
    if !isOpen {
      let head = gone.folder.ownHead
      gone.folder = SharedFolder(
        "/shared", list: DocumentWork.listID, replica: gone.me.id, ownHead: head,
        settings: gone.folder.settings)
    }
    let reading = try gone.sync()
    #expect(reading.evidence == nil && gone.list.count == 11)
    try stays.sync()
    #expect(stays.list == gone.list)
    #expect(try newcomer(disk).0 == gone.list)
    try gone.add("and on")
    try gone.sync()
    #expect(try stays.sync().conflicts.isEmpty && stays.list == gone.list)
  }

  /// Its next file is there before those that hold what it had: nobody may say that they hold that.
  @Test func whatComesBackBeforeTheAbsorbedIsNotBelieved() throws {
    let disk = SimulatedDisk()
    let (gone, stays) = try shared(disk)
    let reader = FolderDevice(3, on: disk)
    try reader.sync()
    try reader.add("by one who had read all")
    try reader.sync()
    try stays.sync()
    try stays.folder.absorb([gone.me.id], holding: stays.list)
    try gone.add("back")
    try gone.sync()
    // The tool has copied all but what was put in when its files were taken out.
    let behind = SimulatedDisk(disk.drive)
    let late = stays.folder.index.newestOrdinal(stays.me.id)
    let paths = try stays.folder.files().map(\.path).filter { path in
      path.contains("/\(stays.me.id)/") && path.contains("/\(String(repeating: "0", count: 6))")
    }
    let path = try #require(paths.last)
    #expect(path.contains("\(late)-"))
    try behind.unlink(path)
    let newcomer = FolderDevice(99, on: behind)
    _ = try newcomer.read()
    #expect(newcomer.list.count < gone.list.count)
    #expect(newcomer.list.version[gone.me.id] == 0)
    #expect(!newcomer.list.version.covers(reader.list.version))
    try newcomer.add("meanwhile")
    try newcomer.sync()
    // Now it comes.
    try behind.create(path, holding: try #require(disk.bytes(path)))
    _ = try newcomer.read()
    #expect(newcomer.list.version.covers(gone.list.version))
    #expect(newcomer.list.count == gone.list.count + 1)
    _ = try gone.read()
    #expect(newcomer.list.merging(gone.list) == newcomer.list)
  }

  /// Whichever call fails, or whenever the power does, all items are in the folder.
  @Test(arguments: SimulatedDisk.Failure.allCases)
  func everyCallMayFail(failure: SimulatedDisk.Failure) throws {
    var call = 0
    while true {
      call += 1
      let disk = SimulatedDisk()
      let (gone, stays) = try shared(disk)
      let last = disk.callCount + call
      disk.faults.failingCall = last
      disk.faults.failure = failure
      let isDone = (try? stays.folder.absorb([gone.me.id], holding: stays.list)) != nil
      let isUntouched = disk.callCount < last
      disk.faults.failingCall = nil
      #expect(try newcomer(disk).0 == stays.list, "call \(call)")
      let writers = try newcomerFolder(disk).writers
      if let left = writers.first(where: { $0.replica == gone.me.id }), left.fileCount == 5,
        disk.faults.failure != .whole
      {
        #expect(writers.last?.fileCount == 5, "call \(call): a copy stays")
      }
      // Somebody else tries it, of both.
      let next = FolderDevice(3, on: disk)
      try next.sync()
      try next.folder.absorb([gone.me.id, stays.me.id], holding: next.list)
      #expect(next.folder.writers.map(\.replica) == [next.me.id], "call \(call)")
      #expect(try newcomer(disk).0 == stays.list, "call \(call)")
      if isUntouched {
        #expect(isDone)
        break
      }
    }
    #expect(call > 40)
  }

  @Test func aPowerCutTakesNothingThatWasInBoth() throws {
    var (call, isDone) = (0, false)
    while !isDone {
      call += 1
      let disk = SimulatedDisk()
      let (gone, stays) = try shared(disk)
      disk.faults.crashingCall = disk.callCount + call
      // What cannot be looked at is not taken out.
      isDone = (try? stays.folder.absorb([gone.me.id], holding: stays.list)) ?? 0 == 5
      for fate in [SimulatedDrive.Fate.whole, .lost] {
        let after = SimulatedDisk(disk.drive.crashed { fate })
        #expect(try newcomer(after).0 == stays.list, "call \(call)")
      }
    }
    #expect(call > 30)
  }

  /// A file that is not whole yet, and one whose content waits, may hold what nobody has read.
  @Test func whatWasNotReadStays() throws {
    let disk = SimulatedDisk()
    let (gone, stays) = try shared(disk)
    try gone.add("late")
    try gone.sync()
    let newest = try #require(try gone.folder.files().last { $0.path.contains("\(gone.me.id)/") })
    let bytes = try #require(disk.bytes(newest.path))
    disk.overwrite(newest.path, Array(bytes.dropLast(7)))
    _ = try stays.read()
    #expect(try stays.folder.absorb([gone.me.id], holding: stays.list) == 5)
    disk.overwrite(newest.path, bytes)
    _ = try stays.folder.read(into: &stays.list, now: 5_000)
    #expect(stays.list == gone.list)
    #expect(try newcomer(disk).0 == gone.list)
  }

  /// Writes that others do not let in are in a file of their own, and keep nothing else waiting; those that
  /// were not in the folder before do not come in.
  @Test func whatOthersDoNotLetInWaitsAlone() throws {
    let disk = SimulatedDisk()
    let (gone, stays) = try shared(disk)
    func set(_ time: Int64, of device: FolderDevice) {
      device.me = Replica(
        id: device.me.id, sequence: device.list.version[device.me.id], clock: { time })
    }
    let item = gone.list[0].id
    try gone.list.set("note", of: item, to: "present", by: &gone.me)
    try gone.sync()
    let clean = gone.list
    set(4_000_000_000_000, of: gone)
    try gone.add("of the next century")
    try gone.sync()
    _ = try stays.read()
    let published = stays.list
    set(4_000_000_000_000, of: stays)
    try stays.add("of the next century, too")
    try stays.list.set("note", of: item, to: "future", by: &stays.me)
    let policy = AdmissionPolicy(now: 1_777_000_000_000)
    #expect(try stays.folder.absorb([gone.me.id], holding: stays.list, admission: policy) == 7)
    let reader = FolderDevice(99, on: disk)
    let reading = try reader.folder.read(into: &reader.list, now: 0, admission: policy)
    #expect(reading.withheld.count == 1 && reader.list.digest == clean.digest)
    #expect(try newcomer(disk).0.digest == published.digest)
    // Nobody claims what was not put in, until its time has come.
    #expect(!reader.list.version.covers(published.version))
    #expect(try newcomer(disk).0.version[stays.me.id] == clean.version[stays.me.id])
    try stays.folder.write(stays.list)
    #expect(try newcomer(disk).0 == stays.list)
  }
}
