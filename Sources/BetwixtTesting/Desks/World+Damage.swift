import Betwixt
import BetwixtFiles
import BetwixtSync

// What happens to the bytes of files, and to whole machines.

extension World {
  mutating func damage(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let desk = desk(of: device)
    switch action.kind {
    case .cut: return cut(action, at: desk)
    case .flip: return flip(action, at: desk)
    case .flipIdentity: return flipIdentity(action, at: desk)
    case .image: return keepImage(desk)
    case .restoreImage: return restore(action, at: desk)
    default: return false
    }
  }

  /// Cuts a file exactly behind a commit.
  private func cut(_ action: Action, at desk: Desk) -> Bool {
    guard let path = desk.disk.resolved(Desk.path(action.a)), let inode = desk.disk.inode(path),
      var record = desk.records[inode], let bytes = desk.disk.bytes(path),
      bytes.count == record.size, let size = record.cut(byCommits: action.b)
    else { return false }
    desk.disk.overwrite(path, with: Array(bytes.prefix(size)))
    desk.records[inode] = record
    return true
  }

  /// Flips a bit of a document, an older generation, or any other file that holds one.
  private func flip(_ action: Action, at desk: Desk) -> Bool {
    let files = desk.documents()
    guard !files.isEmpty else { return false }
    let (path, _) = files[action.a % files.count]
    guard let inode = desk.disk.inode(path), let count = desk.disk.bytes(path)?.count, count > 0
    else { return false }
    let byte: Int
    switch action.b {
    case 0: byte = action.c % min(64, count)
    case 1: byte = count - 1 - action.c % min(160, count)
    default: byte = action.c % count
    }
    desk.disk.flip(path, bit: byte * 8 + action.c % 8)
    desk.records[inode]?.damage(at: byte)
    return true
  }

  /// Flips a bit of what is kept about who writes.
  private func flipIdentity(_ action: Action, at desk: Desk) -> Bool {
    let files = desk.disk.files(under: Desk.stateRoot).filter { !$0.bytes.isEmpty }
    guard !files.isEmpty else { return false }
    let (path, bytes) = files[action.a % files.count]
    desk.acts.forgetActsWithoutSteps()
    return desk.disk.flip(path, bit: action.b % (bytes.count * 8))
  }

  // MARK: Backups of machines

  private func keepImage(_ desk: Desk) -> Bool {
    guard desk.disk.inode(Desk.home) != nil else { return false }
    desk.image = Desk.Image(
      drive: desk.disk.drive, records: desk.records, notes: desk.notes, machine: desk.machine,
      acts: desk.acts)
    return true
  }

  /// Puts a part of a backup back, on the same machine or on another one.
  private mutating func restore(_ action: Action, at desk: Desk) -> Bool {
    let source = devices[action.b % devices.count].desk
    guard let image = source?.image else { return false }
    if action.a == 3 {
      // The whole drive, or a whole virtual machine with its name.
      desk.disk = SimulatedDisk(image.drive)
      desk.hasGoneBack = true
      desk.records = image.records
      desk.notes = image.notes
      desk.acts = image.acts
      desk.editors = [:]
      if action.c == 1 { desk.machine = image.machine }
      return true
    }
    let backup = SimulatedDisk(image.drive)
    if action.a != 0 { restoreDocuments(backup, image: image, at: desk, keepsInode: action.c == 1) }
    if action.a != 1 {
      restoreState(backup, at: desk, keepsInode: action.c == 1)
      desk.acts.goBack(to: source === desk ? image.acts : ActShadow())
      if action.a == 2 { desk.acts.forgetActs(since: image.acts) }
    }
    return true
  }

  private func restoreDocuments(
    _ backup: SimulatedDisk, image: Desk.Image, at desk: Desk, keepsInode: Bool
  ) {
    for (path, bytes) in backup.files(under: Desk.home) {
      guard let record = backup.inode(path).flatMap({ image.records[$0] }),
        desk.disk.resolved(path) == path
      else { continue }
      desk.put(path, bytes: bytes, record: record, keepsInode: keepsInode)
    }
  }

  private func restoreState(_ backup: SimulatedDisk, at desk: Desk, keepsInode: Bool) {
    for (path, _) in desk.disk.files(under: Desk.stateRoot) where backup.bytes(path) == nil {
      desk.disk.remove(path)
      for number in 0..<2 where path.hasPrefix(Desk.state(of: Desk.path(number))) {
        desk.acts.forgetActs(at: Desk.path(number))
      }
    }
    for (path, bytes) in backup.files(under: Desk.stateRoot) {
      if keepsInode {
        desk.disk.overwrite(path, with: bytes)
      } else {
        desk.disk.put(path, bytes: bytes)
      }
    }
  }
}
