public import Betwixt
import BetwixtSync

extension Document {
  /// Why a document could not be opened, read or written.
  ///
  /// What was acknowledged before is on the drive, and ``Document/list`` is as it was told last.
  public struct Failure: Error, Hashable, Sendable {
    /// What went wrong.
    public enum Cause: Hashable, Sendable {
      /// The document file.
      case file(DocumentFileFailure)

      /// There is no folder to keep who writes.
      case noStateDirectory

      /// Who writes could not be noted.
      case identity(IdentityStoreFailure)

      /// What a new document starts with was refused.
      case edit(EditFailure)

      /// The other one is another list.
      case otherDocument(ListID)

      /// Both are one and the same file, by another name.
      case sameFile(String)

      /// The shared folder at ``Failure/path``.
      case folder(SharedFolderFailure)

      /// There is no such folder: it is never made, because it may be a drive that comes back.
      case missingFolder

      /// Another program of this installation is at work in the folder.
      case busyFolder(FileSystemError)

      /// How far the folder was written, or that this installation is at work in it, could not be noted.
      case folderState(FileSystemError)

      /// Others write into the own directory of the folder again and again.
      case contestedFolder

      /// What is ahead of the clock is not written again: the clock may be the one that is wrong.
      case doubtfulClock(ClockDoubt)

      /// A descriptor failed.
      case connection(FileSystemError)
    }

    /// The document or folder, as the caller named it.
    public let path: String

    /// What went wrong.
    public let cause: Cause

    package init(_ path: String, cause: Cause) {
      self.path = path
      self.cause = cause
    }
  }
}

extension Document.Failure: CustomStringConvertible {
  /// The path, what went wrong and what helps.
  public var description: String { "\(path): \(sentence)" }

  private var sentence: String {
    switch cause {
    case .file(let failure): failure.advice
    case .noStateDirectory:
      "nobody can write without a place for the writer's identity; set Settings.stateDirectory"
    case .identity(let failure):
      "the identity of the writer cannot be kept (\(failure.cause))\(failure.cause.stateCure)"
    case .edit(let failure): "a new document cannot start so: \(failure)"
    case .otherDocument(let id): "the other one is another document, \(id); open a copy of this one"
    case .sameFile(let other): "\(other) is one and the same file; name two"
    case .folder(let failure): failure.advice
    case .missingFolder: "there is no such folder; make it, or bring its drive back"
    case .busyFolder(let error): "another program is at work in it (\(error)); try again"
    case .folderState(let error):
      "how far it was written cannot be noted (\(error))\(error.stateCure)"
    case .contestedFolder: "others write into the directory of this writer; try again"
    case .doubtfulClock(let doubt):
      "\(doubt): is it right? If so, call repairClock(force: true)"
    case .connection(let error): "the connection failed (\(error)); what arrived is kept"
    }
  }
}

extension Document.ClockDoubt: CustomStringConvertible {
  /// A clause about the clock.
  public var description: String {
    switch self {
    case .othersAreAhead: "writes of others are ahead of the clock here, too"
    case .othersHaveThem: "others have let in what is ahead of the clock here"
    case .allIsAhead: "nothing was written before at a time that the clock here has passed"
    }
  }
}

extension DocumentFileFailure {
  /// What went wrong and what helps.
  fileprivate var advice: String {
    switch self {
    case .notFound:
      "there is no such file; if it was open, it was moved or deleted: open it where it is now, or "
        + "make a new document that starts with the list"
    case .onlyEarlierGeneration:
      "there is no such file; an earlier generation stands beside it under its name with .previous "
        + "behind it, or one that begins so: rename a copy of that"
    case .exists: "there is a file already; open it, or choose another name"
    case .locked: "another program has it open for writing; try again, or close it there"
    case .readOnly: "it is open for reading only; open it for writing, with this version's format"
    case .ended: "an earlier failure left open what is on the drive; open it again"
    case .surprise:
      "somebody else changed or replaced it; make the edit again, and if that fails too, another "
        + "document has its name: open that"
    case .needsUpgrade: "a newer version wrote it; use that one"
    case .unreadable(let failure):
      "it is no document, or nothing of it can be read (\(failure)); take another copy"
    case .notVerified: "what was written reads differently; the old file stays: look at the drive"
    case .tooLarge: "it would become larger than a file may be; remove something"
    case .identity(let failure):
      "who writes cannot be noted (\(failure.cause))\(failure.cause.stateCure)"
    case .fileSystem(let error): "\(error)\(error.cure)"
    case .inFile(let path, let failure): "\(path): \(failure.advice)"
    }
  }
}

extension FileSystemError {
  /// What helps a document, as the end of a sentence; empty where nobody can know.
  fileprivate var cure: String {
    switch reason {
    case .noSpace: "; make room on its drive"
    case .notPermitted:
      "; whoever writes it needs the right to write the file and its folder, and to read NAME.lock "
        + "beside it: get that, or open it "
        + "with Settings.file.access = .readOnly"
    case .notOwner:
      "; its folder is sticky, where only the owner of a file or of the folder may replace it: let one "
        + "of them do that"
    case .readOnlyDrive:
      "; its drive is read-only: open a copy elsewhere, or open it with Settings.file.access = .readOnly"
    case .wrongKind: "; it is a folder or no regular file: name a document"
    case .tooManyOpen: "; close other files, or let the process open more (ulimit -n)"
    case .failed
    where ["append", "sync", "barrier"].contains(operation) && number != PosixCall.nameTooLong:
      "; look what the document holds before you write it again, and at the drive"
    default: number == PosixCall.nameTooLong ? "; choose a shorter name" : ""
    }
  }

  /// What helps what is kept beside documents.
  fileprivate var stateCure: String {
    switch reason {
    case .noSpace: "; make room on the drive of Settings.stateDirectory, and delete nothing in it"
    case .notPermitted, .notOwner, .readOnlyDrive:
      "; name a folder in Settings.stateDirectory that this app may write in"
    case .locked: "; try again"
    case .tooManyOpen: "; close other files, or let the process open more (ulimit -n)"
    default: "; look at Settings.stateDirectory"
    }
  }
}

extension SharedFolderFailure {
  /// What went wrong and what helps.
  fileprivate var advice: String {
    switch self {
    case .identity(let evidence):
      "another writer has the same id (\(evidence.rawValue)); try again, under a new one"
    case .tooLarge: "the document is too large for a folder"
    case .notVerified: "what was written there reads differently; look at the drive"
    // With its path it says what helps by itself.
    case .fileSystem(let error):
      "\(error)"
        + (error.path == nil && [.noSpace, .tooManyOpen].contains(error.reason) ? error.cure : "")
    }
  }
}
