import Betwixt
import BetwixtFiles

/// Remembers which files of a folder were said not to be whole, so that each is named once and not
/// with every sync for ever.
struct ToldFiles {
  private let path: String

  /// Names the file for a document.
  init(_ stateFolder: String, document: ListID) {
    path = "\(stateFolder)/\(document).pending"
  }

  /// Those of the files that were not named before as they are now.
  ///
  /// - Parameters:
  ///   - pending: All files of the folder that are not whole.
  ///   - root: The folder, which may be mounted under another path the next time.
  /// - Returns: Their names in the folder, in the same order.
  func news(_ pending: [String], in root: String) -> [String] {
    let prefix = root.hasSuffix("/") ? root : root + "/"
    var lines: [[UInt8]] = []
    var news: [String] = []
    let told = known
    for file in pending {
      let name =
        file.utf8.starts(with: prefix.utf8)
        ? String(decoding: file.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : file
      let size = ((try? PosixFileSystem().status(at: file)) ?? nil)?.size ?? 0
      // As bytes, because two spellings of "é" are two files.
      let line = Array("\(size) \(name)".utf8)
      lines.append(line)
      if !told.contains(line) { news.append(name) }
    }
    // Should it not be kept, they are named once more.
    if Set(lines) != told { try? OutputFile(path).write(Array(lines.joined(separator: [0x0a]))) }
    return news
  }

  private var known: Set<[UInt8]> {
    guard let bytes = try? InputFile.read(path, limit: { _ in 1 << 20 }) else { return [] }
    return Set(bytes.split(separator: 0x0a).map { Array($0) })
  }
}
