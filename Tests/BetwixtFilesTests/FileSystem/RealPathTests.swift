import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// Where a path leads, with its symbolic links followed.
struct RealPathTests {
  private let scratch = ScratchDirectory()
  private let drive = PosixFileSystem()

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/" + name, withDestinationPath: target)
  }

  @Test func aFileNeedNotBeThereYet() throws {
    try link("folder", to: ".")
    let root = try drive.realPath(of: scratch.path)
    #expect(try drive.realPath(of: scratch.path + "/folder/new.trip") == root + "/new.trip")
    #expect(throws: FileSystemError.self) { try drive.realPath(of: scratch.path + "/no/new.trip") }
  }

  /// Nothing can be there, and so nothing is made there.
  @Test func linksInACircleLeadNowhere() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    #expect(throws: FileSystemError.self) { try drive.realPath(of: scratch.path + "/a") }
  }
}
