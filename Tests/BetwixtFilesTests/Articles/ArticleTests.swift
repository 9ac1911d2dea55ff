import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// The article "A server in forty lines" shows this very code.
@Suite struct ArticleTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func article() throws -> String {
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BetwixtSync/BetwixtSync.docc/ServerInFortyLines.md"), encoding: .utf8)
  }

  @Test(arguments: ["ArticleServer.swift", "ArticleRoute.swift"])
  func theCodeOfTheArticleIsTheCodeOfTheTests(file: String) throws {
    let code = try String(
      contentsOf: Self.tests.appendingPathComponent(file), encoding: .utf8)
    // Of the second file the part below its stand-ins.
    let shown = code.components(separatedBy: "// MARK: The article\n\n").last ?? ""
    let trimmed = shown.trimmingCharacters(in: .newlines)
    #expect(trimmed.split(separator: "\n").count > 10)
    #expect(try Self.article().contains("```swift\n\(trimmed)\n```"), "\(file) differs")
  }

  @Test func theServerOfTheArticleServes() async throws {
    let disk = SimulatedDisk()
    let empty = ReplicatedList(id: DocumentWork.listID)
    let server = TripServer(
      try DocumentFile.create(
        at: DocumentWork.path, holding: empty, settings: DocumentWork.settings(disk, .ordered)))
    var lists: [ReplicatedList] = []
    for (number, user) in [(UInt64(1), "ann"), (2, "guest"), (3, "bob")] {
      var me = Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 }
      var list = empty
      try list.append(["title": .string(user)], by: &me)
      var client = SyncPeer(list, SyncSetup(replica: me.id), nonce: number)
      let (peer, stream) = await server.open(user: user)
      // What the client says depends on what it hears, so both take turns.
      var heard = stream.makeAsyncIterator()
      while client.end == nil {
        if !client.sent.isEmpty {
          let bytes = client.sent
          client.sent = []
          await server.receive(bytes, from: peer)
        }
        guard let bytes = await heard.next() else { break }
        client.receive(bytes)
      }
      await server.close(peer)
      await server.tick()
      lists.append(client.list)
    }
    #expect(lists[0].map { $0["title"] } == ["ann"])
    #expect(lists[2].count == 2)
    let stored = try DocumentExamination(of: DocumentWork.path, in: disk).list
    #expect(stored == lists[2])
  }

  /// Whoever goes without a word is closed as whoever says goodbye.
  @Test func aConnectionThatBreaksIsClosed() async throws {
    let disk = SimulatedDisk()
    let server = TripServer(
      try DocumentFile.create(
        at: DocumentWork.path, holding: ReplicatedList(id: DocumentWork.listID),
        settings: DocumentWork.settings(disk, .ordered)))
    let router = SocketRouter()
    addRoutes(to: router, server)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: SocketMessage.self)
    continuation.finish(throwing: CancellationError())
    let serve = try #require(router.handlers["/sync"])
    try await serve(SocketInput(stream: stream), SocketOutput { _ in }, SocketContext(user: "ann"))
  }
}
