import Betwixt
import TestSupport

@testable import BetwixtFiles
@testable import BetwixtSync

/// A device with the one folder of all, on a drive that is everybody's.
final class FolderDevice {
  var list = ReplicatedList(id: DocumentWork.listID)
  var folder: SharedFolder
  var me: Replica

  init(_ number: UInt64, on disk: SimulatedDisk) {
    let id = ReplicaID(rawValue: number)
    let random = SharedRandom(seed: number)
    var settings = SharedFolder.Settings(random: { random.next() })
    settings.fileSystem = disk
    folder = SharedFolder("/shared", list: DocumentWork.listID, replica: id, settings: settings)
    me = Replica(id: id) { 1_777_000_000_000 }
  }

  func read() throws -> SharedFolder.Reading { try folder.read(into: &list, now: 0) }

  @discardableResult
  func sync() throws -> SharedFolder.Reading {
    let reading = try read()
    try folder.write(list)
    return reading
  }

  func add(_ title: String) throws {
    try list.append(["title": .string(title)], by: &me)
  }

  /// The newest file of a writer that was read; `nil` if there is none.
  func head(of replica: ReplicaID) throws -> FolderHeads.Head? {
    _ = try read()
    return folder.index.heads[replica]
  }
}
