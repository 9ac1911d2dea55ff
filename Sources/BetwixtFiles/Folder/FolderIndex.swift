import Betwixt
import BetwixtSync

/// One verified file of a shared folder, without its content.
struct FolderFile: Sendable {
  var path: String
  var size: Int
  /// Which file of the drive it is: another one under the same name is read again.
  var inode: UInt64
  var hash: [UInt8]
  var heads: FolderHeads
  var isSnapshot: Bool
}

/// What was read of a shared folder, whatever the order in which its files came.
///
/// A file counts as read once the one that it names as the one before it in its directory was read,
/// or a snapshot has taken its place. Only what counts as read is left out of the files that are
/// written here.
///
/// Claims stand on more: on all that the directories that are named ever held. A writer whose files were
/// lost or absorbed goes on above a gap, and what those held is in its next file or in others that this
/// one names; until they are here too, nothing is believed that stands on what is in the gap.
struct FolderIndex: Sendable {
  private struct Key: Hashable {
    let directory: ReplicaID
    let ordinal: Int64
  }

  /// Up to where each directory was read.
  private(set) var heads: [ReplicaID: FolderHeads.Head] = [:]

  // Up to where all is here that each directory ever held, in whichever files.
  private var complete: [ReplicaID: Int64] = [:]

  /// What the files up to the heads hold.
  private(set) var covered: ReplicatedList

  /// What any file has claimed.
  private(set) var claimed = VersionVector()

  /// What files have claimed that stand on nothing that is missing: all of it is in the folder.
  private(set) var believed = VersionVector()

  /// For each directory, up to where each other one says that it read it.
  private(set) var readBy: [ReplicaID: [ReplicaID: Int64]] = [:]

  /// For each directory, what its writer has said that it holds.
  private(set) var acknowledgements: [ReplicaID: VersionVector] = [:]

  private var hashes: [Key: [[UInt8]]] = [:]
  // Files that came before those they stand on.
  private var waiting: [(file: FolderFile, delta: Delta)] = []
  private var claims: [(heads: FolderHeads, ranges: [CoveredRange])] = []
  // Files that were read, and perhaps not all that their directories held before them.
  private var aboveGaps: [FolderHeads] = []

  init(list: ListID) { covered = ReplicatedList(id: list) }

  /// The hashes of the files with an ordinal in a directory; of an honest writer only one.
  func hashes(_ directory: ReplicaID, ordinal: Int64) -> [[UInt8]] {
    hashes[Key(directory: directory, ordinal: ordinal)] ?? []
  }

  /// The highest ordinal that was seen in a directory.
  func newestOrdinal(_ directory: ReplicaID) -> Int64 {
    hashes.keys.lazy.filter { $0.directory == directory }.map(\.ordinal).max() ?? 0
  }

  /// Notes a file, unless the same one was noted before.
  mutating func add(_ file: FolderFile, holding delta: Delta) {
    let key = Key(directory: file.heads.directory, ordinal: file.heads.ordinal)
    guard !hashes[key, default: []].contains(file.hash) else { return }
    hashes[key, default: []].append(file.hash)
    waiting.append((file, delta))
    claims.append((file.heads, delta.ranges))
    let said = Dictionary(
      delta.ranges.filter { $0.after == 0 }.map { ($0.replica, $0.through) },
      uniquingKeysWith: max)
    let version = VersionVector(said.map { .init(replica: $0.key, sequence: $0.value) })
    claimed.formUnion(version)
    acknowledgements[key.directory, default: [:]].formUnion(version)
    for head in file.heads.heads {
      let before = readBy[head.directory]?[key.directory] ?? 0
      readBy[head.directory, default: [:]][key.directory] = max(before, head.ordinal)
    }
  }

  /// Moves the heads as far as the files allow.
  ///
  /// - Returns: The ranges that may be believed from now on.
  /// - Complexity: O(*f* ^ 2) for *f* files that came since, O(*f*) if they came in order
  mutating func settle() -> [CoveredRange] {
    waiting.sort {
      ($0.file.heads.ordinal, $0.file.heads.directory)
        < ($1.file.heads.ordinal, $1.file.heads.directory)
    }
    var isMoving = true
    while isMoving {
      isMoving = false
      var rest: [(file: FolderFile, delta: Delta)] = []
      for (file, delta) in waiting {
        if canCount(file) {
          count(file, holding: delta)
          isMoving = true
        } else {
          rest.append((file, delta))
        }
      }
      waiting = rest
    }
    closeGaps()
    return believedRanges()
  }

  /// Whether the file that this one names as the one before it in its directory counts.
  ///
  /// A file that was lost is none that a later one names: its content was put in again.
  private func canCount(_ file: FolderFile) -> Bool {
    file.isSnapshot || file.heads.predecessor <= heads[file.heads.directory]?.ordinal ?? 0
  }

  private mutating func count(_ file: FolderFile, holding delta: Delta) {
    // Its claims stand on files that may not have come yet.
    let floor = covered.floor
    covered.merge(delta.withoutRanges)
    if covered.floor != floor { covered = covered.withoutWhatWasRestored() }
    raise(
      FolderHeads.Head(
        directory: file.heads.directory, ordinal: file.heads.ordinal, hash: file.hash))
    guard file.isSnapshot else { return aboveGaps.append(file.heads) }
    completeUp(to: file.heads.ordinal, of: file.heads.directory)
    for head in file.heads.heads {
      raise(head)
      completeUp(to: head.ordinal, of: head.directory)
    }
  }

  private mutating func completeUp(to ordinal: Int64, of directory: ReplicaID) {
    complete[directory] = max(complete[directory] ?? 0, ordinal)
  }

  /// Finds which of the files that were read have everything below them.
  ///
  /// One that follows the file before it adds to that alone. One above a gap stands for what was in the
  /// gap together with all that it names.
  private mutating func closeGaps() {
    aboveGaps.sort { ($0.ordinal, $0.directory) < ($1.ordinal, $1.directory) }
    var isMoving = true
    while isMoving {
      isMoving = false
      var rest: [FolderHeads] = []
      for file in aboveGaps {
        if hasAllBelow(file) {
          completeUp(to: file.ordinal, of: file.directory)
          isMoving = true
        } else {
          rest.append(file)
        }
      }
      aboveGaps = rest
    }
  }

  private mutating func raise(_ head: FolderHeads.Head) {
    if let present = heads[head.directory], present.ordinal >= head.ordinal { return }
    heads[head.directory] = head
  }

  private func hasAllBelow(_ file: FolderHeads) -> Bool {
    let isNext = file.ordinal - file.predecessor == 1
    return isNext
      ? file.predecessor <= complete[file.directory] ?? 0
      : file.heads.allSatisfy { reaches($0) }
  }

  private mutating func believedRanges() -> [CoveredRange] {
    let (counted, later) = (
      claims.filter { isBelievable($0.heads) }, claims.filter { !isBelievable($0.heads) }
    )
    claims = later
    let ranges = counted.flatMap(\.ranges)
    for range in ranges where range.after <= believed[range.replica] {
      believed[range.replica] = max(believed[range.replica], range.through)
    }
    return ranges
  }

  /// Whether a file and all that its writer had read before it count as read.
  private func isBelievable(_ file: FolderHeads) -> Bool {
    isCounted(file) && file.heads.allSatisfy { reaches($0) }
  }

  private func isCounted(_ file: FolderHeads) -> Bool {
    file.ordinal <= heads[file.directory]?.ordinal ?? 0
  }

  private func reaches(_ head: FolderHeads.Head) -> Bool {
    guard head.ordinal <= complete[head.directory] ?? 0 else { return false }
    // If that very file was read, it must be the one that is meant.
    let known = hashes(head.directory, ordinal: head.ordinal)
    return known.isEmpty || known.contains(head.hash)
  }
}

extension FolderHeads {
  /// The number of the file that the writer had read of its own directory; 0 for none.
  fileprivate var predecessor: Int64 {
    heads.first { $0.directory == directory }?.ordinal ?? 0
  }
}

extension ReplicatedList {
  /// This list without what restored items held below the floor.
  ///
  /// Others may have dropped it before they heard of the restoring: it counts as not there, and
  /// whoever has it puts it in again.
  fileprivate func withoutWhatWasRestored() -> ReplicatedList {
    let all = delta(since: VersionVector())
    var restored: Set<ItemID> = []
    for row in all.rows where all.isRestored(row) { restored.insert(row.item) }
    guard !restored.isEmpty else { return self }
    let gone = all.rows.indices.filter { index in
      let row = all.rows[index]
      return row.register != .life && restored.contains(row.item)
        && floor.covers(all.entry(row).dot)
    }
    var rest = ReplicatedList(id: id)
    rest.join(all.leavingOut(gone))
    return rest
  }
}
