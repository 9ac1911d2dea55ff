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
    // What has the name already keeps it.
    #expect(throws: FileSystemError.self) { try disk.giveSecondName("/b", to: "/a") }
    #expect(disk.bytes("/b") == [1, 2])
  }
}
