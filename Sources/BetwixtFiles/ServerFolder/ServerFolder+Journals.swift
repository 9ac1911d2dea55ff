import Betwixt
import BetwixtSync

// The journals that a process has left, and the one that takes their place.

extension ServerFolder {
  /// A journal as a process has left it, open until another one has its name.
  struct LeftJournal {
    let path: String
    let file: OpenFile
    let content: Journal.Content
  }

  /// Opens journals, locked: one that another process writes has its lock, though that of the folder was
  /// taken away.
  static func leftJournals(
    _ paths: [String], in fileSystem: any FileSystem
  ) throws(DocumentFileFailure) -> [LeftJournal] {
    var left: [LeftJournal] = []
    do throws(DocumentFileFailure) {
      for path in paths {
        let found = try attempt { () throws(FileSystemError) in
          try openIfPresent(path, in: fileSystem)
        }
        guard let file = found else { continue }
        do throws(DocumentFileFailure) {
          try attempt { () throws(FileSystemError) in try lock(file, in: fileSystem) }
          let content = try Journal.content(of: file, in: fileSystem)
          left.append(LeftJournal(path: path, file: file, content: content))
        } catch {
          fileSystem.close(file)
          throw error.at(path)
        }
      }
    } catch {
      for one in left { fileSystem.close(one.file) }
      throw error
    }
    return left
  }

  private static func openIfPresent(
    _ path: String, in fileSystem: any FileSystem
  ) throws(FileSystemError) -> OpenFile? {
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        return try fileSystem.open(path, mode: .appending)
      } catch {
        // One that another user has put there is read and replaced.
        guard error.reason == .notPermitted else { throw error }
        return try fileSystem.open(path, mode: .reading)
      }
    } catch {
      guard error.reason == .notFound else { throw error.at(path) }
      return nil
    }
  }

  private static func lock(
    _ file: OpenFile, in fileSystem: any FileSystem
  ) throws(FileSystemError) {
    for _ in 0..<5 {
      do {
        return try fileSystem.lockContentIfPossible(file)
      } catch {
        // Who copies the folder looks for a moment whether somebody writes.
        guard error.reason == .locked else { throw error }
        fileSystem.pause(milliseconds: 20)
      }
    }
    try fileSystem.lockContentIfPossible(file)
  }

  /// Makes a journal in the place of those that were left.
  ///
  /// - Throws: `surprise` if a process that no lock kept out has stored something since they were read:
  ///   it is in the journal of what documents lack then, and nothing more is acknowledged there.
  static func journal(
    inPlaceOf left: [LeftJournal], _ paths: [String], stranded: [StoredWrite],
    in folder: String, settings: Settings
  ) throws(DocumentFileFailure) -> Journal {
    let fileSystem = settings.fileSystem
    let new = try attempt { () throws(FileSystemError) in
      try Journal(at: paths[0], in: fileSystem, settings.random)
    }
    do throws(DocumentFileFailure) {
      // Whoever stores looks last whether the journal has its name, so what counts is there by now.
      var missed: [StoredWrite] = []
      try attempt { () throws(FileSystemError) in try fileSystem.unlinkIfPresent(paths[1]) }
      for one in left where one.path != Path.joining(folder, restName) {
        let size = try attempt { () throws(FileSystemError) in
          try fileSystem.status(of: one.file).size
        }
        guard size != one.content.byteCount else { continue }
        for bytes in try Journal.content(of: one.file, in: fileSystem).records {
          missed += try record(bytes).writes
        }
      }
      guard !missed.isEmpty else { return new }
      try keepRest(stranded + missed, in: folder, settings: settings)
      throw .surprise
    } catch {
      new.close()
      throw error
    }
  }
}
