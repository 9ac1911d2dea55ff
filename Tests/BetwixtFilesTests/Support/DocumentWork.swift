import Betwixt
import TestSupport

@testable import BetwixtFiles
@testable import BetwixtSync

/// A short life of a document file, with the digests of what was acknowledged and what was tried.
struct DocumentWork {
  /// One step of a program that uses a document file.
  enum Step: Hashable, CaseIterable {
    case commit
    case commitMany
    case compact
    case reopen
  }

  static let path = "/trip.trip"
  static let listID = ListID(high: 7, low: 9)

  /// The lists that a reopened file may hold: each acknowledged state, rising, then the state that
  /// was being written.
  private(set) var acknowledged: [ReplicatedList] = []
  private(set) var tried: ReplicatedList?
  private(set) var failure: DocumentFileFailure?

  /// Where the identity is kept: on another drive, which never fails.
  let state = SimulatedDisk()

  /// The store of identities on a drive.
  static func store(_ state: SimulatedDisk) -> FileIdentityStore {
    let random = SharedRandom(seed: 17)
    return FileIdentityStore(
      "/state", machine: [1], fileSystem: state, random: { random.next() })
  }

  static func settings(
    _ disk: any FileSystem, _ level: DocumentFile.SyncLevel = .full, seed: UInt64 = 1
  ) -> DocumentFile.Settings {
    let random = SharedRandom(seed: seed)
    var settings = DocumentFile.Settings(random: { random.next() })
    settings.fileSystem = disk
    settings.syncLevel = level
    return settings
  }

  /// Makes a file and takes the steps until one fails.
  init(
    _ steps: [Step], on disk: any FileSystem, _ level: DocumentFile.SyncLevel = .full
  ) {
    do throws(DocumentFileFailure) {
      try run(steps, DocumentWork.settings(disk, level))
    } catch {
      failure = error
    }
  }

  private mutating func run(
    _ steps: [Step], _ settings: DocumentFile.Settings
  ) throws(DocumentFileFailure) {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    var list = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
    tried = list
    let identity = try? Identity.open(
      list, in: DocumentWork.store(state), random: { 5 })
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: list, settings: settings, by: identity)
    acknowledge(list)
    for step in steps {
      switch step {
      case .commit, .commitMany:
        list = DocumentWork.edited(list, step == .commit ? 1 : 20, by: &me)
        tried = list
        try file.commit(list)
        acknowledge(list)
      case .compact:
        try file.compact()
      case .reopen:
        file.close()
        file = try DocumentFile.open(at: DocumentWork.path, settings: settings)
        try? file.identify(in: DocumentWork.store(state), random: { 6 })
      }
    }
  }

  private mutating func acknowledge(_ list: ReplicatedList) {
    acknowledged.append(list)
    tried = nil
  }

  /// The list with some more items.
  static func edited(
    _ list: ReplicatedList, _ count: Int, by me: inout Replica
  ) -> ReplicatedList {
    var list = list
    for _ in 0..<count {
      _ = try? list.append(["title": .string("Stop \(list.count)")], by: &me)
    }
    return list
  }
}

extension DocumentWork.Step {
  /// Every sequence of up to a number of steps.
  static func sequences(upTo length: Int) -> [[DocumentWork.Step]] {
    var all: [[DocumentWork.Step]] = [[]]
    var longest: [[DocumentWork.Step]] = [[]]
    for _ in 0..<length {
      longest = longest.flatMap { before in allCases.map { before + [$0] } }
      all += longest
    }
    return all
  }
}
