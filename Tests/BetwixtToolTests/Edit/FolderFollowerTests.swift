import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTool
import Foundation
import Testing

/// An editor in step with a shared folder: what is slow or gone keeps nobody waiting.
@Suite struct FolderFollowerTests {
  private let laptop: TestDevice
  private let phone: TestDevice
  private let box: ScratchFolder
  private let settings: Document.Settings
  private let heads: FolderHeadFile
  private let writer: ReplicaID

  init() throws {
    let (laptop, phone, box) = (try TestDevice(), try TestDevice(), try ScratchFolder())
    let run = laptop.run("new", "--name", "Rome", "--days", "3", laptop.path())
    try #require(run.code == .done)
    let first = laptop.run("sync", "--folder", box.path, laptop.path())
    try #require(first.code == .done)
    let copy = phone.run("sync", "--create", "--folder", box.path, phone.path())
    try #require(copy.code == .done)
    let list = try laptop.list()
    let state = try #require(laptop.folder.names(in: "state").first)
    writer = try #require(list.version.first?.replica)
    settings = Document.Settings(
      stateDirectory: laptop.state, clock: { Int64(Date().timeIntervalSince1970 * 1_000) },
      random: { .random(in: 0 ... .max) })
    heads = FolderHeadFile(
      in: "\(laptop.state)/\(state)", of: list.id, fileSystem: PosixFileSystem(),
      random: settings.file.random)
    (self.laptop, self.phone, self.box) = (laptop, phone, box)
  }

  private func sync(_ device: TestDevice) -> ToolRun {
    device.run("sync", "--folder", box.path, device.path())
  }

  private func add(_ title: String, _ device: TestDevice) {
    let run = device.run("add", device.path(), "--day", "1", "--title", title)
    #expect(run.code == .done, "\(run.messages)")
  }

  private func follower() throws -> FolderFollower {
    FolderFollower(
      try FolderExchange(
        of: try laptop.list().id, by: writer, in: box.path, heads: heads, settings: settings))
  }

  /// What the work comes to, which is done beside this test.
  private func outcome(
    _ follower: inout FolderFollower, at now: Int64 = 0
  ) throws -> FolderFollower.Step {
    for _ in 0..<20_000 {
      if let step = follower.take(at: now) { return step }
      usleep(500)
    }
    throw TestDevice.Failure(text: "the work has no end")
  }

  private func read(_ follower: inout FolderFollower, at now: Int64 = 0) throws -> ReplicatedList {
    follower.read(into: try laptop.list(), at: now)
    guard case .read(let list, _) = try outcome(&follower, at: now) else {
      throw TestDevice.Failure(text: "the folder was not read")
    }
    return list
  }

  @Test func whatOthersPutThereIsRead() throws {
    var follower = try follower()
    #expect(try read(&follower) == laptop.list())
    add("there", phone)
    #expect(sync(phone).code == .done)
    #expect(try read(&follower).map { $0["title"] } == ["there"])
    #expect(follower.trouble(at: 0) == nil)
  }

  @Test func whatIsNewHereIsWrittenOnce() throws {
    var follower = try follower()
    add("here", laptop)
    let list = try read(&follower)
    #expect(!follower.holds(list) && follower.isDue(list, at: 0))
    for count in [1, 0] {
      follower.write(list, at: 0)
      guard case .written(let written, _) = try outcome(&follower) else {
        throw TestDevice.Failure(text: "nothing was written")
      }
      #expect(written.fileCount == count && written.evidence == nil)
    }
    #expect(follower.holds(list) && !follower.isDue(list, at: 999))
    // A floor is news, too, even where it takes nothing.
    var forgotten = list
    forgotten.forget(below: list.version)
    #expect(forgotten.digest == list.digest)
    #expect(!follower.holds(forgotten) && follower.isDue(forgotten, at: 999))
    #expect(follower.isDue(list, at: 1_000))
    #expect(sync(phone).code == .done)
    #expect(try phone.titles() == ["here"])
    #expect(sync(laptop).messages.contains(", 0 written"))
  }

  @Test func aSlowFolderKeepsNobodyWaiting() throws {
    var follower = try follower()
    let list = try laptop.list()
    let lock = try #require(try heads.lock(patience: 0))
    follower.read(into: list, at: 100)
    #expect(follower.take(at: 100) == nil)
    #expect(follower.isBusy && !follower.isDue(list, at: 10_000))
    #expect(follower.trouble(at: 3_099) == nil)
    #expect(follower.trouble(at: 3_100) == "\(box.path) is slow")
    PosixFileSystem().close(lock)
    guard case .read = try outcome(&follower, at: 3_200) else {
      throw TestDevice.Failure(text: "the folder was not read")
    }
    #expect(follower.trouble(at: 10_000) == nil)
  }

  @Test func aFolderThatIsGoneIsLookedForEverLessOften() throws {
    var follower = try follower()
    let list = try laptop.list()
    let elsewhere = box.path + "-elsewhere"
    try FileManager.default.moveItem(atPath: box.path, toPath: elsewhere)
    var now: Int64 = 0
    for pause in [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] as [Int64] {
      #expect(follower.isDue(list, at: now))
      follower.read(into: list, at: now)
      guard case .failed(let text) = try outcome(&follower, at: now) else {
        throw TestDevice.Failure(text: "a folder that is gone was read")
      }
      #expect(text == "there is no folder \(box.path)" && follower.trouble(at: now) == text)
      #expect(!follower.isDue(list, at: now + pause - 1))
      now += pause
    }
    // It is not made anew either.
    follower.write(list, at: now)
    guard case .failed = try outcome(&follower, at: now) else {
      throw TestDevice.Failure(text: "a folder that is gone was written")
    }
    #expect(!FileManager.default.fileExists(atPath: box.path))
    try FileManager.default.moveItem(atPath: elsewhere, toPath: box.path)
    #expect(try read(&follower, at: now) == list)
    #expect(follower.trouble(at: now) == nil)
  }

  @Test func anotherProgramOfTheSameWriterIsNoStranger() throws {
    var follower = try follower()
    let before = try read(&follower)
    add("beside", laptop)
    #expect(sync(laptop).code == .done)
    follower.write(before, at: 0)
    guard case .overtaken = try outcome(&follower) else {
      throw TestDevice.Failure(text: "another program's files were taken for own ones")
    }
    follower.read(into: before, at: 0)
    guard case .read(let list, let reading) = try outcome(&follower) else {
      throw TestDevice.Failure(text: "the folder was not read")
    }
    #expect(reading.evidence == nil && list.map { $0["title"] } == ["beside"])
  }
}
