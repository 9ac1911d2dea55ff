import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// A second name for a file of a real drive.
struct SecondNameTests {
  private let scratch = ScratchDirectory()
  private let drive = PosixFileSystem()

  private func path(_ name: String) -> String { scratch.path + "/" + name }

  /// Whoever keeps a file aside copies it where there are no second names, and only there.
  @Test func onlyADriveWithoutNamesLacksThem() throws {
    try drive.create(path("a"), holding: [1])
    try drive.link(path("a"), to: path("b"))
    #expect(try drive.contents(of: path("b"), limit: 1) == [1])
    #expect(throws: FileSystemError("link", because: .exists, number: EEXIST)) {
      try drive.link(path("a"), to: path("b"))
    }
    #expect(throws: FileSystemError("link", because: .notFound, number: ENOENT)) {
      try drive.link(path("c"), to: path("d"))
    }
  }

  @Test(arguments: [true, false]) func aCopyServesWhereThereAreNone(hasLinks: Bool) throws {
    let disk = SimulatedDisk()
    disk.faults.hasLinks = hasLinks
    try disk.create("/a", holding: [1, 2])
    try disk.giveSecondName("/b", to: "/a")
    #expect(disk.bytes("/b") == [1, 2])
    let (first, second) = (try disk.status(at: "/a"), try disk.status(at: "/b"))
    #expect((first?.inode == second?.inode) == hasLinks)
    // What has the name already keeps it, unless it is to be replaced.
    #expect(throws: FileSystemError.self) { try disk.giveSecondName("/b", to: "/a") }
    #expect(disk.bytes("/b") == [1, 2])
    try disk.create("/c", holding: [3])
    try disk.keep("/c", as: "/b", temporary: "/d")
    #expect(disk.bytes("/b") == [3] && disk.bytes("/c") == [3] && disk.bytes("/d") == nil)
  }

  @Test(arguments: [true, false]) func aNameIsTakenIfItIsFree(hasLinks: Bool) throws {
    let disk = SimulatedDisk()
    disk.faults.hasLinks = hasLinks
    try disk.create("/a", holding: [1])
    try disk.create("/b", holding: [2])
    #expect(throws: FileSystemError.self) { try disk.rename("/a", toFree: "/b") }
    #expect(disk.bytes("/a") == [1] && disk.bytes("/b") == [2])
    try disk.rename("/a", toFree: "/c")
    #expect(disk.bytes("/a") == nil && disk.bytes("/c") == [1])
  }

  /// What somebody made who asked for no lock is not replaced by a new document.
  @Test(arguments: [true, false]) func aNewDocumentReplacesNothing(hasLinks: Bool) throws {
    let disk = SimulatedDisk()
    disk.faults.hasLinks = hasLinks
    disk.faults.beforeSync = { [weak disk] in
      disk?.faults.beforeSync = nil
      try? disk?.create(DocumentWork.path, holding: [7])
    }
    #expect(throws: DocumentFileFailure.exists) {
      _ = try DocumentFile.create(
        at: DocumentWork.path, holding: ReplicatedList(id: DocumentWork.listID),
        settings: DocumentWork.settings(disk))
    }
    #expect(disk.bytes(DocumentWork.path) == [7])
    #expect(try disk.list("/").filter { $0.contains(".tmp-") } == [])
  }

  private func keepAside(on disk: SimulatedDisk) throws -> String {
    let lock = try DocumentLock(at: DocumentWork.path, settings: DocumentWork.settings(disk))
    return try lock.keepAside()
  }

  /// What is kept has all of the file, whenever the machine goes off.
  @Test func aKillLeavesNoPartUnderTheName() throws {
    let drive = SimulatedDisk()
    let list = ReplicatedList(id: DocumentWork.listID)
    try DocumentFile.create(
      at: DocumentWork.path, holding: list, settings: DocumentWork.settings(drive)
    ).close()
    let kept = DocumentWork.path + ".replaced-1"
    var call = 1
    while true {
      let disk = SimulatedDisk(drive.drive)
      disk.faults.hasLinks = false
      disk.faults.shortWrite = 20
      disk.faults.crashingCall = disk.callCount + call
      let isKept = (try? keepAside(on: disk)) != nil
      for left in [disk.drive, disk.drive.crashed { .lost }] {
        let bytes = SimulatedDisk(left).bytes(kept)
        #expect(bytes == nil && !isKept || bytes == drive.bytes(DocumentWork.path), "\(call)")
      }
      if isKept { break }
      call += 1
    }
    #expect(call > 5)
  }
}
