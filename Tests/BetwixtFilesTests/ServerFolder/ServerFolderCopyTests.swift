import Betwixt
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A copy of a folder that is in use holds what was acknowledged before it was begun.
@Suite struct ServerFolderCopyTests {
  /// The drive after each call of a life, and what was acknowledged by then.
  private static func course(
    seed: UInt64
  ) async -> [(drive: SimulatedDrive, life: ServerFolderTests.Life)] {
    var course: [(drive: SimulatedDrive, life: ServerFolderTests.Life)] = []
    while course.last?.life.isWhole != true {
      let disk = SimulatedDisk()
      disk.faults.crashingCall = course.count + 2
      // A small journal turns again and again.
      let life = await ServerFolderTests.live(disk, seed: seed, limit: 300)
      course.append((disk.drive, life))
    }
    return course
  }

  /// What a copy lacks of what it is to hold.
  private static func check(
    _ copy: SimulatedDisk, holds life: ServerFolderTests.Life, _ comment: Comment
  ) async throws {
    copy.faults = SimulatedDisk.Faults()
    let folder = try ServerFolder.open(
      at: "/copy", settings: ServerFolderTests.settings(copy, seed: 2))
    #expect(folder.damagedJournals.isEmpty, comment)
    for id in ServerFolderTests.lists {
      let found = try await folder.open(id, for: "ann")
      if let list = life.acknowledged[id] { #expect(found.list.holds(list), comment) }
      for (replica, owner) in life.owners[id] ?? [:] {
        #expect(found.owners[replica] == owner, comment)
      }
      // Nor does anything come without whose it is.
      for part in found.list.version { #expect(found.owners[part.replica] != nil, comment) }
    }
  }

  @Test func whatWasAcknowledgedBeforeACopyIsInIt() async throws {
    var random = SplitMix64(seed: 3)
    for seed in 0..<(runsLong ? 10 : 1) as Range<UInt64> {
      let course = await Self.course(seed: seed)
      #expect(course.count > 100)
      for sample in 0..<60 {
        let start = random.next(below: course.count)
        let moving = MovingDisk(
          course[start...].map { $0.drive }, hurry: 1 + random.next(below: 40), seed: random.next())
        do {
          try ServerFolder.copy("/srv", to: "/copy", in: moving)
        } catch {
          // Before the first document there may be no folder yet.
          #expect(course[start].life.acknowledged.isEmpty, "\(error)")
          continue
        }
        try await Self.check(
          moving.target, holds: course[start].life, "seed \(seed), \(sample), from \(start)")
      }
    }
  }

  @Test func aCopyIsMadeWhereNothingIs() async throws {
    let disk = SimulatedDisk()
    let folder = try ServerFolder.open(at: "/srv", settings: ServerFolderTests.settings(disk))
    let id = ServerFolderTests.lists[0]
    var desk = ServerFolderTests.Desk(
      folder: folder, list: try await folder.open(id, for: "ann").list)
    try await desk.store()
    try ServerFolder.copy("/srv", to: "/copy", in: disk)
    #expect(
      try disk.list("/copy") == ["\(id).trip", "journal"], "no locks, and nobody's owners yet")
    #expect(throws: DocumentFileFailure.exists) {
      try ServerFolder.copy("/srv", to: "/copy", in: disk)
    }
    #expect(throws: DocumentFileFailure.self) {
      try ServerFolder.copy("/nothing", to: "/other", in: disk)
    }
    try await folder.save()
    try ServerFolder.copy("/srv", to: "/saved", in: disk)
    #expect(try disk.list("/saved") == ["\(id).trip", "\(id).trip.owners", "journal-2"])
    for path in ["/copy", "/saved"] {
      let copy = try ServerFolder.open(
        at: path, settings: ServerFolderTests.settings(disk, seed: 2))
      #expect(try await copy.open(id, for: "ann").list == desk.list)
    }
  }
}

/// A drive on which time goes by with each look at it, and another one that is written to.
private final class MovingDisk: FileSystem {
  private struct State {
    var random: SplitMix64
    var now = 0
    var open: [Int32: (disk: SimulatedDisk, file: OpenFile)] = [:]
    var last: Int32 = 1 << 20
  }

  let target = SimulatedDisk()
  private let drives: [SimulatedDrive]
  private let hurry: Int
  private let state: Mutex<State>

  init(_ drives: [SimulatedDrive], hurry: Int, seed: UInt64) {
    self.drives = drives
    self.hurry = hurry
    state = Mutex(State(random: SplitMix64(seed: seed)))
  }

  /// Where a path is, as it is now.
  private func disk(of path: String) -> SimulatedDisk {
    guard path.hasPrefix("/srv") else { return target }
    return state.withLock { state in
      state.now = min(state.now + state.random.next(below: hurry), drives.count - 1)
      return SimulatedDisk(drives[state.now])
    }
  }

  private func place(of file: OpenFile) throws(FileSystemError) -> (SimulatedDisk, OpenFile) {
    guard let found = state.withLock({ $0.open[file.number] }) else {
      throw FileSystemError("use", because: .failed)
    }
    return found
  }

  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let disk = disk(of: path)
    let file = try disk.open(path, mode: mode)
    return state.withLock { state in
      state.last += 1
      state.open[state.last] = (disk, file)
      return OpenFile(number: state.last)
    }
  }

  func close(_ file: OpenFile) { state.withLock { $0.open[file.number] = nil } }

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    let (disk, file) = try place(of: file)
    return try disk.read(file, at: offset, count: count)
  }

  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    let (disk, file) = try place(of: file)
    return try disk.append(file, bytes: bytes)
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    let (disk, file) = try place(of: file)
    try disk.sync(file)
  }

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    let (disk, file) = try place(of: file)
    return try disk.status(of: file)
  }

  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try disk(of: path).status(at: path)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] { try disk(of: path).list(path) }

  func unlink(_ path: String) throws(FileSystemError) { try disk(of: path).unlink(path) }

  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try disk(of: path).makeDirectory(path, for: users)
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try disk(of: path).syncDirectory(path)
  }

  // MARK: What nobody asks a copy for

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) { throw Self.unasked }
  func barrier(_ file: OpenFile) throws(FileSystemError) { throw Self.unasked }
  func rename(_ path: String, to target: String) throws(FileSystemError) { throw Self.unasked }
  func link(_ path: String, to target: String) throws(FileSystemError) { throw Self.unasked }
  func lock(_ path: String) throws(FileSystemError) -> OpenFile { throw Self.unasked }
  func pause(milliseconds: Int) {}

  private static let unasked = FileSystemError("use", because: .unsupported)
}
