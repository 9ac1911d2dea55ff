import Betwixt
import BetwixtSync

/// A document of a ``ServerFolder``: its file, and what the journal holds besides.
final class ServedDocument {
  private let path: String
  private let id: ListID
  private let settings: DocumentFile.Settings
  private var file: DocumentFile?

  /// What is stored, in the journal or in the file.
  private(set) var list: ReplicatedList
  /// Whose its replicas are.
  private(set) var owners: [ReplicaID: String]

  // Whether something of them is in the journal only.
  private var hasNewEntries = false
  private var hasNewOwners = false

  /// Opens a document; makes it if there is none, and it may be made.
  init(
    _ path: String, _ id: ListID, _ settings: DocumentFile.Settings, mayBeMade: Bool
  ) throws(DocumentFileFailure) {
    self.path = path
    self.id = id
    self.settings = settings
    let isThere = try attempt { () throws(FileSystemError) in
      try settings.fileSystem.status(at: path) != nil
    }
    guard isThere || mayBeMade else { throw .notFound }
    let file =
      try isThere
      ? DocumentFile.open(path, settings)
      : DocumentFile.create(path, ReplicatedList(id: id), settings)
    list = file.list
    owners = try OwnersFile(beside: path, in: settings.fileSystem).owners()
    guard !file.isReadOnly, list.id == id else { throw .surprise }
    self.file = consume file
  }

  /// Takes what the journal holds now.
  func take(_ delta: Delta, _ owner: StoredWrite.Owner?) {
    list.mergeSettling(delta)
    hasNewEntries = true
    guard let owner else { return }
    owners[owner.replica] = owner.principal
    hasNewOwners = true
  }

  /// Brings to the drive, in files of its own, what is in the journal only.
  func save() throws(DocumentFileFailure) {
    if hasNewOwners {
      let file = OwnersFile(beside: path, in: settings.fileSystem)
      try attempt { () throws(FileSystemError) in try file.keep(owners, settings.random()) }
      hasNewOwners = false
    }
    guard hasNewEntries else { return }
    // A handle that has ended at an earlier try tells nothing of what is on the drive.
    if file == nil { file = try DocumentFile.open(path, settings) }
    do {
      try file?.commit(list)
      // What was read and not written may be in the memory of the system only.
      try file?.makeDurable()
    } catch {
      file = nil
      throw error
    }
    hasNewEntries = false
  }
}

/// Whose the replicas of a document are, beside its file.
struct OwnersFile {
  private let path: String
  private let fileSystem: any FileSystem

  private static let word = "betwixt-owners-1"
  private static let sizeLimit = 1 << 30

  init(beside document: String, in fileSystem: any FileSystem) {
    path = document + ".owners"
    self.fileSystem = fileSystem
  }

  /// - Throws: `unreadable` if it is damaged: a replica without its owner would become another's.
  func owners() throws(DocumentFileFailure) -> [ReplicaID: String] {
    let bytes: [UInt8]
    do {
      bytes = try fileSystem.contents(of: path, limit: OwnersFile.sizeLimit)
    } catch {
      guard error.reason == .notFound else { throw .fileSystem(error) }
      return [:]
    }
    guard bytes.count > 9,
      Hex.encode(UInt64(CRC32C.checksum(bytes.dropLast(17)))).utf8
        .elementsEqual(bytes.suffix(17).dropLast())
    else { throw .unreadable(DecodeFailure(.badChecksum, at: max(0, bytes.count - 17))) }
    var owners: [ReplicaID: String] = [:]
    let lines = String(decoding: bytes.dropLast(17), as: UTF8.self).split(separator: "\n")
    guard lines.first == OwnersFile.word[...] else {
      throw .unreadable(DecodeFailure(.badMagic, at: 0))
    }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let replica = Hex.decodeUInt64(words[0].utf8),
        let name = Hex.decode(words[1].utf8)
      else { throw .unreadable(DecodeFailure(.reserved, at: 0)) }
      owners[ReplicaID(rawValue: replica)] = String(decoding: name, as: UTF8.self)
    }
    return owners
  }

  /// Keeps all of them; they are on the drive when this returns.
  func keep(_ owners: [ReplicaID: String], _ random: UInt64) throws(FileSystemError) {
    var text = OwnersFile.word + "\n"
    for (replica, name) in owners.sorted(by: { $0.key < $1.key }) {
      text += "\(Hex.encode(replica.rawValue)) \(Hex.encode(Array(name.utf8)))\n"
    }
    let checked = Array(text.utf8)
    let checksum = Hex.encode(UInt64(CRC32C.checksum(checked[...])))
    try fileSystem.replace(
      path, checked + Array("\(checksum)\n".utf8), temporary: "\(path).tmp-\(Hex.encode(random))")
  }
}
