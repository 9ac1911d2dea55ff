internal import Synchronization

/// The locks that this process holds.
///
/// Where `flock` is made of locks that belong to a process, as on network drives, a second lock in
/// the same process would succeed; this table refuses it.
final class LockRegistry: Sendable {
  static let shared = LockRegistry()

  private struct Key: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let holders = Mutex<[Key: OpenFile]>([:])

  /// Notes a lock; false if this process holds it already.
  func claim(_ file: OpenFile, status: FileStatus) -> Bool {
    let key = Key(device: status.device, inode: status.inode)
    return holders.withLock { holders in
      guard holders[key] == nil else { return false }
      holders[key] = file
      return true
    }
  }

  /// Forgets the lock of a file that is about to be closed, if it has one.
  func release(_ file: OpenFile) {
    holders.withLock { holders in
      guard let key = holders.first(where: { $0.value == file })?.key else { return }
      holders[key] = nil
    }
  }
}
