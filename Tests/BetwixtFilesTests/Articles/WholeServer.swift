import Betwixt
import BetwixtFiles
import BetwixtSync
import Foundation

/// What a web framework calls a connection, after its upgrade.
struct Socket: Sendable {
  let token: String
  let inbound: AsyncThrowingStream<[UInt8], any Error>
  let write: @Sendable ([UInt8]) async throws -> Void
  let close: @Sendable () async -> Void
}

// MARK: The article

/// Documents as files of one folder, and beside each one whose replicas are whose.
actor DocumentFolder: ServerStorage {
  private final class Holder {
    var file: DocumentFile
    let owners: FileHandle
    /// What of the owners was acknowledged.
    var ownersSize: Int
    init(_ file: consuming DocumentFile, _ owners: FileHandle, _ ownersSize: Int) {
      self.file = file
      self.owners = owners
      self.ownersSize = ownersSize
    }
  }

  private let folder: URL
  private var holders: [ListID: Holder] = [:]

  init(_ folder: URL) { self.folder = folder }

  func open(_ list: ListID, for principal: String) throws -> StoredDocument {
    let path = folder.appendingPathComponent("\(list)").path
    if !FileManager.default.fileExists(atPath: path + ".owners") {
      try Data().write(to: URL(fileURLWithPath: path + ".owners"))
    }
    guard let owners = FileHandle(forUpdatingAtPath: path + ".owners") else {
      throw SyncFailure(.unavailable, "the document")
    }
    var lines = try owners.readToEnd() ?? Data()
    // A last line without its end was never acknowledged.
    while let last = lines.last, last != UInt8(ascii: "\n") { lines.removeLast() }
    holders[list] = Holder(try file(path, list), owners, lines.count)
    var document = StoredDocument(holders[list]?.file.list ?? ReplicatedList(id: list))
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let number = UInt64(words[0]),
        let name = Data(base64Encoded: String(words[1]))
      else { throw SyncFailure(.unavailable, "the document") }
      document.owners[ReplicaID(rawValue: number)] = String(decoding: name, as: UTF8.self)
    }
    return document
  }

  private func file(_ path: String, _ list: ListID) throws -> DocumentFile {
    let settings = DocumentFile.Settings(random: { UInt64.random(in: .min ... .max) })
    guard FileManager.default.fileExists(atPath: path + ".trip") else {
      return try DocumentFile.create(
        at: path + ".trip", holding: ReplicatedList(id: list), settings: settings)
    }
    return try DocumentFile.open(at: path + ".trip", settings: settings)
  }

  /// One commit for each document, however many clients have written to it meanwhile.
  func store(_ writes: [StoredWrite]) throws {
    for (list, writes) in Dictionary(grouping: writes, by: { $0.list }) {
      guard let holder = holders[list] else { throw SyncFailure(.unavailable) }
      // Whose a replica is comes first: a write without its owner could become another's.
      let owners = writes.compactMap { $0.owner }
      if !owners.isEmpty {
        // A name may hold anything, also the end of a line.
        let lines = owners.map { owner in
          "\(owner.replica.rawValue) \(Data(owner.principal.utf8).base64EncodedString())\n"
        }.joined()
        // What a write that failed has left must not stand before the next line.
        try holder.owners.truncate(atOffset: UInt64(holder.ownersSize))
        try holder.owners.write(contentsOf: Data(lines.utf8))
        try holder.owners.synchronize()
        holder.ownersSize += lines.utf8.count
      }
      // One commit, so that the power takes all of it or nothing, and one sync.
      var document = holder.file.list
      for write in writes { document.merge(write.delta) }
      try holder.file.commit(document)
    }
  }

  func close(_ list: ListID) { holders[list] = nil }
}

/// Serves until there are no more sockets: the listener ends them when the process is told to stop.
func serve(
  _ sockets: AsyncStream<Socket>, users: [String: String], folder: DocumentFolder
) async {
  let rules = SyncServer(
    admit: { _, _, context in
      context.principal == "guest" ? .deny(reason: "guests only read") : .allow
    },
    mayOpen: { user, list, _ in user != "guest" || list == ListID(high: 7, low: 1) })
  let server = LiveServer(
    rules, storage: folder, random: { UInt64.random(in: .min ... .max) },
    wallClock: { Int64(Date().timeIntervalSince1970 * 1_000) })
  await withTaskGroup(of: Void.self) { group in
    group.addTask { await server.run() }
    for await socket in sockets {
      // The login: whoever has no token is nobody.
      guard let user = users[socket.token] else {
        await socket.close()
        continue
      }
      group.addTask {
        await server.serve(
          user, reading: socket.inbound, writing: socket.write, closing: socket.close)
      }
    }
    await server.stop()
    group.cancelAll()
  }
}
