import Betwixt
import BetwixtSync

extension SharedFolder {
  /// What a file of the folder turned out to be.
  enum Verdict {
    case whole(FolderFile, Delta)
    /// Not here yet, or damaged on the way.
    case partial
    /// Written by a newer version.
    case newer
    /// Whole, and nothing of this list.
    case foreign
  }

  /// All regular files of the list, rising by path.
  func files() throws(SharedFolderFailure) -> [(path: String, status: FileStatus)] {
    var found: [(path: String, status: FileStatus)] = []
    // Each replica's directory, and those that a tool may have put beside or into them.
    var directories = [(path: directory, depth: 0)]
    while let next = directories.popLast() {
      for name in try names(next.path) {
        let path = Path.joining(next.path, name)
        if next.path.hasSameBytes(as: ownDirectory), isUnfinished(name) { continue }
        // A file may go while its directory is read.
        guard let status = try? settings.fileSystem.status(at: path) else { continue }
        switch status.kind {
        case .regular: found.append((path, status))
        case .directory where next.depth < 2: directories.append((path, next.depth + 1))
        default: break
        }
      }
    }
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  func names(_ path: String) throws(SharedFolderFailure) -> [String] {
    do {
      return try settings.fileSystem.list(path)
    } catch {
      guard error.reason == .notFound else { throw .fileSystem(error.at(path)) }
      return []
    }
  }

  func file(_ path: String, status: FileStatus) throws(SharedFolderFailure) -> Verdict {
    guard status.size <= SharedFolder.fileLimit else { return .foreign }
    let bytes: [UInt8]
    do {
      bytes = try settings.fileSystem.contents(of: path, limit: SharedFolder.fileLimit)
    } catch {
      switch error.reason {
      // What cannot be read now may be read later: tools lock files while they write them.
      case .notFound, .wrongKind, .notPermitted, .locked, .failed: return .partial
      default: throw .fileSystem(error)
      }
    }
    return verdict(path, inode: status.inode, bytes: bytes)
  }

  private func verdict(_ path: String, inode: UInt64, bytes: [UInt8]) -> Verdict {
    do {
      let block = try SealedBlock.decodeBlock(bytes)
      guard block.list == list, let heads = block.heads else { return .foreign }
      let file = FolderFile(
        path: path, size: bytes.count, inode: inode, hash: SHA256.hash(bytes), heads: heads,
        isSnapshot: block.kind == .folderSnapshot)
      return .whole(file, block.delta)
    } catch {
      return error.code == .needsUpgrade ? .newer : .partial
    }
  }
}
