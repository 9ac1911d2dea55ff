import Betwixt
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

  /// On a drive without locks an installation keeps what it keeps elsewhere.
  @Test func whatIsKeptWithoutLocksIsKept() throws {
    let disk = SimulatedDisk()
    disk.faults.hasLocks = false
    let store = DocumentWork.store(disk)
    let list = ReplicatedList(id: DocumentWork.listID)
    let identity = try Identity.open(list, in: store, random: { 5 })
    #expect(try store.record(of: list.id) == identity.record)
    let other = FileIdentityStore("/other", machine: [1], fileSystem: disk, random: { 6 })
    #expect(try store.move(list.id, to: other))
    #expect(try other.record(of: list.id) == identity.record)
    let heads = FolderHeadFile(in: "/state", of: list.id, fileSystem: disk, random: { 7 })
    #expect(try heads.lock(patience: 0) == nil)
    let settings = DocumentWork.settings(disk)
    try DocumentFile.create(at: DocumentWork.path, holding: list, settings: settings).close()
    let lock = try DocumentLock(at: DocumentWork.path, settings: settings)
    #expect(try lock.keepAside() == DocumentWork.path + ".replaced-1")
    lock.release()
    #expect(PosixCall.failure("lock", number: EOPNOTSUPP).reason == .unsupported)
  }
}
