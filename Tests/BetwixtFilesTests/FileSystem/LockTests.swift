import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// Locks of a drive while programs are being started: until one is, it has a copy of each
/// descriptor, and what closes would leave its lock to the copy.
struct LockTests {
  private let scratch = ScratchDirectory()
  private let drive = PosixFileSystem()

  @Test func closingGivesTheLockOfANameBack() throws {
    let path = scratch.path + "/name.lock"
    let file = try drive.lock(path)
    let copy = dup(file.number)
    defer { close(copy) }
    drive.close(file)
    drive.close(try drive.lock(path))
  }

  @Test func closingGivesTheLockOfAFileBack() throws {
    let path = scratch.path + "/file"
    let file = try drive.open(path, mode: .creating)
    try drive.lock(file)
    let copy = dup(file.number)
    defer { close(copy) }
    drive.close(file)
    let again = try drive.open(path, mode: .appending)
    defer { drive.close(again) }
    try drive.lock(again)
  }
}
