import Betwixt
import BetwixtSQL
import Foundation
import TestSupport
import Testing

/// Documents on two PostgreSQL clusters, by a hash of their ids: no document needs another one.
///
/// `swift test --filter 'FailoverTests|ClustersTests'` runs it.
@Suite("Two clusters", .serialized)
struct ClustersTests {
  @Test("one closure chooses; a cluster that is down keeps only its own documents waiting")
  func twoClusters() async throws {
    let scratch = ScratchDirectory()
    guard let first = try PostgresServer.here(scratch.path + "/first", []) else { return }
    let second = try PostgresServer(scratch.path + "/second", [])
    let clusters = [first, second].map { ShellDriver($0.database) }
    for cluster in clusters { _ = try await cluster.perform(SQLSchema.tables(.postgres)) }
    let cluster: @Sendable (ListID) -> ShellDriver = { clusters[Self.place(of: $0)] }

    var documents = try (1...40).map { try Self.document($0) }
    for document in documents {
      _ = try await cluster(document.id).perform(Self.write(document, since: [:]))
    }
    for place in 0...1 {
      let answer = try await clusters[place].perform([
        SQLStatement("SELECT DISTINCT list FROM betwixt_register ORDER BY list")
      ])
      let own = documents.map(\.id).filter { Self.place(of: $0) == place }
      #expect(answer[0] == own.sorted().map { [.bytes($0.bytes)] })
      #expect(own.count >= 10)
    }

    // One of the two machines dies at once; the documents of the other one are edited on.
    kill(try second.postmaster(), SIGKILL)
    // Its processes end one after the other.
    while (try? await clusters[1].perform([SQLStatement("SELECT 1")])) != nil { usleep(10_000) }
    var owed: [ListID: [SQLStatement]] = [:]
    for place in documents.indices {
      let known = documents[place].version
      var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
      try documents[place].append(["title": "meanwhile"], by: &me)
      let write = Self.write(documents[place], since: known)
      do {
        _ = try await cluster(documents[place].id).perform(write)
      } catch {
        owed[documents[place].id] = write
      }
    }
    #expect(Set(owed.keys) == Set(documents.map(\.id).filter { Self.place(of: $0) == 1 }))

    // It comes back from its own drive, with all that it had acknowledged, and gets what is owed.
    let again = try Self.restart(second)
    for (list, write) in owed { _ = try await cluster(list).perform(write) }
    for document in documents {
      let rows = SQLRegisters(.postgres, list: document.id)
      let answer = try await cluster(document.id).perform([rows.since([:])])
      var held = ReplicatedList(id: document.id)
      held.merge(try rows.delta(answer[0], since: [:]))
      #expect(held == document && held.version == document.version)
      #expect(held.digest == document.digest)
    }
    print(
      "two clusters: \(documents.count) documents, \(documents.count - owed.count) edited while one "
        + "was down, \(owed.count) after it came back, none lost")
    withExtendedLifetime((first, second, again)) {}
  }

  /// A server in the folder of one that was killed, as soon as the last of its processes has ended.
  private static func restart(_ server: PostgresServer) throws -> PostgresServer {
    for _ in 0..<20 {
      if let again = try? PostgresServer(server.folder, []) { return again }
      usleep(200_000)
    }
    return try PostgresServer(server.folder, [])
  }

  /// The hash of a document's id says where it is: the same in every process, and for ever.
  static func place(of list: ListID) -> Int {
    var hash = SplitMix64(seed: list.high ^ list.low)
    return hash.next(below: 2)
  }

  private static func document(_ number: Int) throws -> ReplicatedList {
    var list = ReplicatedList(id: ListID(high: 17, low: UInt64(number)))
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    for title in ["Museum", "Lunch"] { try list.append(["title": .string(title)], by: &me) }
    return list
  }

  private static func write(
    _ list: ReplicatedList, since version: VersionVector
  ) -> [SQLStatement] {
    SQLRegisters(.postgres, list: list.id).merge([list.delta(since: version)])
  }
}
