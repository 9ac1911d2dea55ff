import Betwixt
import BetwixtFiles
import Testing

/// Whoever writes a storage can try it without a server.
@Suite struct StoredWriteTests {
  private actor Memory: ServerStorage {
    var documents: [ListID: StoredDocument] = [:]

    func open(_ list: ListID, for principal: String) -> StoredDocument {
      documents[list] ?? StoredDocument(ReplicatedList(id: list))
    }

    func store(_ writes: [StoredWrite]) {
      for write in writes {
        var document = open(write.list, for: "")
        document.list.merge(write.delta)
        if let owner = write.owner { document.owners[owner.replica] = owner.principal }
        documents[write.list] = document
      }
    }

    func close(_ list: ListID) {}
  }

  @Test func aStorageIsGivenWrites() async throws {
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    try list.append(["title": "Lunch"], by: &me)
    let (memory, owner) = (Memory(), StoredWrite.Owner(replica: me.id, principal: "ann"))
    await memory.store([
      StoredWrite(list: list.id, delta: list.delta(since: VersionVector()), owner: owner),
      StoredWrite(list: list.id, delta: list.delta(since: list.version)),
    ])
    let stored = await memory.open(list.id, for: "ann")
    #expect(stored.list == list && stored.owners == [me.id: "ann"])
  }
}
