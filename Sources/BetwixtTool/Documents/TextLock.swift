import Betwixt
import BetwixtFiles
import BetwixtSync

/// Keeps other commands from replacing a text that is read, changed and replaced as a whole.
///
/// The file itself is locked, so that nothing stays beside it: it may lie where version control looks.
/// Who had to wait for it takes the lock of the file that has the name by then. Where the file system has
/// no locks nobody is kept out.
struct TextLock: ~Copyable {
  private static let fileSystem = PosixFileSystem()
  private static let pause = 10

  private let file: OpenFile

  /// Takes the lock; there is none of a file that cannot be opened, nor where there are no locks.
  ///
  /// - Parameters:
  ///   - path: Where the file is, without symbolic links.
  ///   - patience: How long to wait for another's lock, in milliseconds.
  /// - Throws: `DocumentFileFailure.locked` if another command has it for longer.
  init?(at path: String, patience: Int) throws(DocumentFileFailure) {
    var rest = patience
    while let file = TextLock.open(path) {
      let obstacle = TextLock.obstacle(to: file)
      if obstacle == nil, TextLock.isFile(file, at: path) {
        self.file = file
        return
      }
      TextLock.fileSystem.close(file)
      guard obstacle == nil || obstacle == .locked else { return nil }
      guard rest > 0 else {
        if obstacle == .locked { throw .locked }
        // Some network drives give a file that is open another number.
        return nil
      }
      if obstacle == .locked { TextLock.fileSystem.pause(milliseconds: TextLock.pause) }
      rest -= TextLock.pause
    }
    return nil
  }

  deinit { TextLock.fileSystem.close(file) }

  private static func open(_ path: String) -> OpenFile? {
    // Some network drives lock only what may be written.
    (try? fileSystem.open(path, mode: .appending)) ?? (try? fileSystem.open(path, mode: .reading))
  }

  /// Locks a file; `nil` if that went well.
  private static func obstacle(to file: OpenFile) -> FileSystemError.Reason? {
    do throws(FileSystemError) {
      try fileSystem.lock(file)
      return nil
    } catch {
      return error.reason
    }
  }

  private static func isFile(_ file: OpenFile, at path: String) -> Bool {
    guard let mine = try? fileSystem.status(of: file),
      let there = (try? fileSystem.status(at: path)) ?? nil
    else { return false }
    return mine.device == there.device && mine.inode == there.inode
  }

  /// Frees the lock; going out of scope does the same.
  consuming func release() {}
}

extension Session {
  /// Keeps others from replacing the output, if it is a text that is read before.
  ///
  /// Documents are edited under locks of their own.
  ///
  /// - Parameters:
  ///   - output: Where the result goes; `nil` for standard output.
  ///   - inputs: The files that are read for it.
  /// - Returns: The lock, to be held until the result is written; `nil` if there is none to be taken.
  /// - Throws: `ToolFailure` if another command has it for too long.
  func lockText(
    _ output: String?, amongInputs inputs: [String?]
  ) throws(ToolFailure) -> TextLock? {
    guard let output, output != "-", let place = try? DocumentPlace(output), place.kind == .regular,
      inputs.contains(where: { input in
        guard let input, input != "-", let other = try? DocumentPlace(input) else { return false }
        return other.path.hasSameBytes(as: place.path)
      }),
      let start = try? InputFile.start(of: place.path), !SealedBlock.isSealedBlock(start)
    else { return nil }
    guard try !isLiveDocument(output) else { return nil }
    do {
      return try TextLock(at: place.path, patience: Session.patience)
    } catch {
      throw ToolFailure(place.name, because: error)
    }
  }
}
