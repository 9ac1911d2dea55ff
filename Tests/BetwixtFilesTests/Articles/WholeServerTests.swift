import Betwixt
import BetwixtSync
import Foundation
import Testing

@testable import BetwixtFiles

/// The article "A whole server" shows the code that runs here.
@Suite struct WholeServerTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test func theCodeOfTheArticleIsTheCodeOfTheTests() throws {
    let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BetwixtFiles/BetwixtFiles.docc/AWholeServer.md"), encoding: .utf8)
    let code = try String(
      contentsOf: Self.tests.appendingPathComponent("WholeServer.swift"), encoding: .utf8)
    let shown = try #require(code.components(separatedBy: "// MARK: The article\n\n").last)
    let trimmed = shown.trimmingCharacters(in: .newlines)
    #expect(trimmed.split(separator: "\n").count > 60)
    #expect(article.contains("```swift\n\(trimmed)\n```"))
  }

  /// Half a line is what a full drive or a killed process leaves; the next owner is none of it.
  @Test func anOwnerIsWhoWasAcknowledged() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "whole-server-owners-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let id = ListID(high: 7, low: 1)
    try Data("123 YW".utf8).write(to: folder.appendingPathComponent("\(id).owners"))
    let name = "bob\n789 YW5u"
    let owner = StoredWrite.Owner(replica: ReplicaID(rawValue: 456), principal: name)
    let delta = ReplicatedList(id: id).delta(since: [:])
    let first = DocumentFolder(folder)
    #expect(try await first.open(id, for: "bob").owners.isEmpty)
    try await first.store([StoredWrite(list: id, delta: delta, owner: owner)])
    await first.close(id)
    let owners = try await DocumentFolder(folder).open(id, for: "bob").owners
    #expect(owners == [owner.replica: name])
  }

  private static func wait(_ isReached: () async -> Bool) async -> Bool {
    for _ in 0..<2_000 {
      if await isReached() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test func theServerOfTheArticleServes() async {
    await #expect(processExitsWith: .success) { try await WholeServerTests.run() }
  }

  private static func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "whole-server-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let users = ["a": "ann", "b": "bob", "g": "guest"]
    let lists = [1, 2].map { ReplicatedList(id: ListID(high: 7, low: $0)) }
    var acknowledged: [ListID: Int] = [:]
    // Twice: the second server goes on with the files of the first.
    for run in 0..<2 {
      let listener = StreamListener()
      let serving = Task {
        await serve(listener.sockets, users: users, folder: DocumentFolder(folder))
      }
      let devices = [
        ("a", lists[0], 1), ("b", lists[0], 2), ("a", lists[1], 3), ("g", lists[1], 4),
        ("x", lists[0], 5),
      ]
      .map { token, list, replica in
        StreamDevice(list, replica: UInt64(replica + 10 * run)) { listener.connect(token) }
      }
      for device in devices { await device.start() }
      for (number, device) in devices.enumerated() {
        let replica = ReplicaID(rawValue: UInt64(number + 1 + 10 * run))
        await device.edit { list in
          var me = Replica(id: replica) { 1_777_000_000_000 }
          for _ in 0..<5 { _ = try? list.append(["title": "x"], by: &me) }
        }
      }
      #expect(
        await Self.wait {
          for device in devices[0...2] where await device.acknowledged != 15 { return false }
          return await devices[1].list == devices[0].list
        })
      acknowledged[lists[0].id, default: 0] += 10
      acknowledged[lists[1].id, default: 0] += 5
      let (first, third) = (await devices[0].list, await devices[2].list)
      #expect(first.count == acknowledged[lists[0].id])
      #expect(third.count == acknowledged[lists[1].id])
      // A guest may not open the second list, and who has no token is not let in.
      guard case .stopped(.peerFailed(let failure)?) = await devices[3].state else {
        Issue.record("the guest is \(await devices[3].state)")
        return
      }
      #expect(failure.code == .notAuthorised)
      #expect(await devices[4].acknowledged == 0)
      // Whose a replica is outlives the process, too.
      let thief = StreamDevice(lists[0], replica: 1) { listener.connect("b") }
      await thief.start()
      #expect(
        await Self.wait {
          guard case .stopped(.peerFailed(let failure)?) = await thief.state else { return false }
          return failure.code == .identityInUse
        })
      // The graceful end: everybody is told, and the files are whole.
      listener.continuation.finish()
      await serving.value
      for list in [first, third] {
        let path = folder.appendingPathComponent("\(list.id).trip").path
        #expect(try DocumentExamination(of: path, in: PosixFileSystem()).list == list)
      }
      for device in devices { await device.stop() }
    }
  }
}
