import Betwixt
import BetwixtSync

extension ServerFolder {
  /// What there is of a document beside its file that goes with it: the generation before, and what a
  /// crash has left of files that were about to replace it or its owners.
  static func remains(
    of list: ListID, in folder: String, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> [String] {
    let file = path(of: list, in: folder)
    let previous = PreviousGeneration.paths(beside: file, of: list).filter {
      PreviousGeneration(at: $0, of: list, in: fileSystem) != nil
    }
    let unfinished = try fileSystem.list(folder).map { Path.joining(folder, $0) }.filter { path in
      isUnfinished(path, of: file) && fileSystem.isFile(at: path, of: list)
        || isUnfinished(path, of: file + ".owners")
    }
    return previous + unfinished
  }

  /// Whether a path is that of a file that was about to replace another one.
  private static func isUnfinished(_ path: String, of file: String) -> Bool {
    let prefix = DocumentFile.temporaryPrefix(of: file).utf8
    return path.utf8.starts(with: prefix)
      && Hex.decodeUInt64(path.utf8.dropFirst(prefix.count)) != nil
  }
}
