import Betwixt
import BetwixtSync

// The snapshot of a large document as it lies in memory: decoding it takes most of the time of opening
// the document for one edit.

extension DocumentFile.Settings {
  /// Lets decoded snapshots be found again where the state of a document is kept.
  package mutating func keepImages(of path: String, _ settings: Document.Settings) {
    snapshots = DocumentState(of: path, settings: settings)?.snapshots(settings)
  }
}

extension DocumentState {
  static let imageName = "image"

  /// Where the decoded snapshot of the document is found again; `nil` if none is to be kept.
  ///
  /// It is kept once a document has been written here: what is only read leaves no trace.
  fileprivate func snapshots(_ settings: Document.Settings) -> SnapshotCache? {
    guard let leastByteCount = settings.imageByteCount else { return nil }
    let isKept = settings.file.access != .readOnly
    return SnapshotCache(
      leastByteCount: leastByteCount, find: { image(of: $0) },
      keep: { if isKept { keepImage(of: $0, mark: $1) } })
  }

  private func image(of mark: SnapshotMark) -> ReplicatedList? {
    let path = Path.joining(folder, DocumentState.imageName)
    guard let file = try? fileSystem.open(path, mode: .reading) else { return nil }
    defer { fileSystem.close(file) }
    return ListImage.list(mark: mark.bytes) { [fileSystem] offset, count in
      let bytes = try? fileSystem.read(file, at: offset, count: count)
      return bytes?.count == count ? bytes : nil
    }
  }

  private func keepImage(of list: ReplicatedList, mark: SnapshotMark) {
    guard let names = try? fileSystem.list(folder) else { return }
    for name in names where name.hasPrefix("\(DocumentState.imageName).tmp-") {
      // Left by a program that was stopped; whoever is writing one now goes without.
      try? fileSystem.unlink(Path.joining(folder, name))
    }
    // A power cut may leave less of it than its name promises: the checksum tells.
    try? put(DocumentState.imageName, isSynced: false) { file throws(FileSystemError) in
      var failure: FileSystemError?
      _ = ListImage.write(list, mark: mark.bytes) { bytes in
        do throws(FileSystemError) {
          try fileSystem.appendAll(file, bytes: bytes)
        } catch {
          failure = error
        }
        return failure == nil
      }
      if let failure { throw failure }
    }
  }
}
