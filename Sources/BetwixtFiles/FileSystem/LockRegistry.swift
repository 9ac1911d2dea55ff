internal import Synchronization

/// The locks that this process holds.
///
/// Where `flock` is made of locks that belong to a process, as on network drives, a second lock of a
/// name in the same process would succeed; this table refuses it. And it tells whether a file that
/// is about to be closed has a lock to give back.
final class LockRegistry: Sendable {
  static let shared = LockRegistry()

  private struct Key: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private struct Locks {
    /// Who holds the lock of a name.
    var holders: [Key: OpenFile] = [:]
    /// Files that are locked for all their names.
    var contents: Set<OpenFile> = []
  }

  private let locks = Mutex(Locks())

  /// Notes a lock; false if this process holds it already.
  func claim(_ file: OpenFile, status: FileStatus) -> Bool {
    let key = Key(device: status.device, inode: status.inode)
    return locks.withLock { locks in
      guard locks.holders[key] == nil else { return false }
      locks.holders[key] = file
      return true
    }
  }

  /// Notes that a file is locked for all its names.
  func note(_ file: OpenFile) { locks.withLock { _ = $0.contents.insert(file) } }

  /// Forgets the lock of a file that is about to be unlocked or closed; false if it has none.
  func release(_ file: OpenFile) -> Bool {
    locks.withLock { locks in
      let isLocked = locks.contents.remove(file) != nil
      guard let key = locks.holders.first(where: { $0.value == file })?.key else {
        return isLocked
      }
      locks.holders[key] = nil
      return true
    }
  }
}
