import Betwixt
import BetwixtSync

// The snapshot of a large document as it lies in memory: decoding it takes most of the time of opening
// the document for one edit.

extension Document.Settings {
  /// The same for the document at a path, whose decoded snapshot is found again where its state is
  /// kept, and makes room when a drive is full.
  ///
  /// - Parameter path: Where the document is, without symbolic links.
  /// - Returns: Settings for no other document.
  package func keepingImage(of path: String) -> Document.Settings {
    guard let leastByteCount = imageByteCount, let state = DocumentState(of: path, settings: self)
    else { return self }
    var settings = self
    settings.file.snapshots = state.snapshots(from: leastByteCount, for: file.access)
    settings.file.fileSystem = YieldingFileSystem(fileSystem, sparing: state.imagePath)
    return settings
  }
}

extension DocumentState {
  static let imageName = "image"

  fileprivate var imagePath: String { Path.joining(folder, DocumentState.imageName) }

  /// Where the decoded snapshot of the document is found again.
  ///
  /// It is kept once a document has been written here: what is only read leaves no trace.
  fileprivate func snapshots(
    from leastByteCount: Int, for access: DocumentFile.Access
  ) -> SnapshotCache {
    SnapshotCache(
      leastByteCount: leastByteCount, find: { image(of: $0) },
      keep: { if access != .readOnly { keepImage(of: $0, mark: $1) } })
  }

  private func image(of mark: SnapshotMark) -> ReplicatedList? {
    guard let file = try? fileSystem.open(imagePath, mode: .reading) else { return nil }
    defer { fileSystem.close(file) }
    return ListImage.list(mark: mark.bytes) { [fileSystem] offset, count in
      let bytes = try? fileSystem.read(file, at: offset, count: count)
      return bytes?.count == count ? bytes : nil
    }
  }

  private func keepImage(of list: ReplicatedList, mark: SnapshotMark) {
    guard let names = try? fileSystem.list(folder) else { return }
    // The one before says nothing any more. Others were left by programs that were stopped; whoever is
    // writing one now goes without.
    for name in names
    where name == DocumentState.imageName || name.hasPrefix("\(DocumentState.imageName).tmp-") {
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
