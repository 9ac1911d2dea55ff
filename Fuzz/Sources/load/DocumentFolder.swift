import Betwixt
import BetwixtFiles
import BetwixtSync
import Foundation

/// Documents as files of one folder, and beside each one whose replicas are whose: the storage of
/// the article "A whole server".
actor DocumentFolder: ServerStorage {
  private final class Holder {
    var file: DocumentFile
    let owners: FileHandle
    init(_ file: consuming DocumentFile, _ owners: FileHandle) {
      self.file = file
      self.owners = owners
    }
  }

  private let folder: String
  private var holders: [ListID: Holder] = [:]

  init(_ folder: String) { self.folder = folder }

  static func path(_ folder: String, _ list: ListID) -> String { "\(folder)/\(list).trip" }

  func open(_ list: ListID, for principal: String) throws -> StoredDocument {
    let path = DocumentFolder.path(folder, list)
    if !FileManager.default.fileExists(atPath: path + ".owners") {
      try Data().write(to: URL(fileURLWithPath: path + ".owners"))
    }
    guard let owners = FileHandle(forUpdatingAtPath: path + ".owners") else {
      throw SyncFailure(.unavailable, "the document")
    }
    let lines = String(decoding: try owners.readToEnd() ?? Data(), as: UTF8.self)
    holders[list] = Holder(try file(path, list), owners)
    var document = StoredDocument(holders[list]?.file.list ?? ReplicatedList(id: list))
    for line in lines.split(separator: "\n").dropLast(lines.hasSuffix("\n") ? 0 : 1) {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let number = UInt64(words[0]) else { continue }
      document.owners[ReplicaID(rawValue: number)] = String(words[1])
    }
    return document
  }

  private func file(_ path: String, _ list: ListID) throws -> DocumentFile {
    let settings = DocumentFile.Settings(random: { UInt64.random(in: .min ... .max) })
    guard FileManager.default.fileExists(atPath: path) else {
      return try DocumentFile.create(path, ReplicatedList(id: list), settings)
    }
    return try DocumentFile.open(path, settings)
  }

  func store(_ writes: [StoredWrite]) throws {
    for (list, writes) in Dictionary(grouping: writes, by: { $0.list }) {
      guard let holder = holders[list] else { throw SyncFailure(.unavailable) }
      let owners = writes.compactMap { $0.owner }
      if !owners.isEmpty {
        let lines = owners.map { "\($0.replica.rawValue) \($0.principal)\n" }.joined()
        try holder.owners.write(contentsOf: Data(lines.utf8))
        try holder.owners.synchronize()
      }
      // One commit, so that the power takes all of it or nothing, and one sync.
      var document = holder.file.list
      for write in writes { document.merge(write.delta) }
      try holder.file.commit(document)
    }
  }

  func close(_ list: ListID) { holders[list] = nil }
}
