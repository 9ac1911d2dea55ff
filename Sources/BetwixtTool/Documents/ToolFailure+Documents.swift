import Betwixt
import BetwixtFiles
import BetwixtSync

extension ToolFailure {
  /// A document that could not be opened, read or written.
  init(_ failure: Document.Failure) {
    let path = failure.path
    switch failure.cause {
    case .file(let failure): self.init(path, because: failure)
    case .noStateDirectory:
      self.init(
        .cannotCreate,
        "Error: no place for the identity of the writer: set BETWIXT_STATE to a folder")
    case .identity(let failure): self.init(path, because: failure)
    case .edit(let failure): self.init(failure, of: path)
    case .otherDocument(let id):
      self.init(.badData, "Error: \(path): document \(id) is another one")
    case .sameFile(let other):
      self.init(.badData, "Error: \(path) and \(other) are one and the same file")
    case .folder(let failure): self.init(path, because: failure)
    case .missingFolder: self.init(.noInput, "Error: there is no folder \(path)")
    case .busyFolder(let error):
      self.init(
        .tryAgain, "Error: \(path): another program puts something into it: \(error.sentence)")
    case .folderState(let error):
      self.init(
        .cannotCreate,
        """
        Error: \(path): how far it was written cannot be kept (\(error.sentence))\
        \(error.stateCure)
        """)
    case .contestedFolder:
      self.init(
        .tryAgain, "Error: \(path): others write into the directory of this writer; try again")
    case .doubtfulClock(let doubt):
      self.init(doubt, of: path)
    case .connection(let error):
      self.init(.inputOutput, "Error: the connection failed: \(error.sentence)")
    }
  }

  /// A document file that could not be opened or written.
  init(_ path: String, because failure: DocumentFileFailure) {
    switch failure {
    case .notFound, .onlyEarlierGeneration:
      self.init(.noInput, "Error: cannot read \(path): there is no such file")
    case .exists: self.init(.cannotCreate, "Error: cannot write \(path): it exists")
    case .locked:
      self.init(.tryAgain, "Error: \(path): another program writes it; try again later")
    case .unreadable(let failure) where failure.reason == .badMagic:
      if let words = HollowFile.words(at: path) {
        self.init(.badData, "Error: \(path) \(words)")
        return
      }
      self.init(
        .badData,
        """
        \(path): offset \(failure.offset): this is no document of betwixt: its first bytes are \
        others; if it was one, 'betwixt doctor -o NEW.trip \(path.shellPath)' saves what can be found in it
        """)
    case .unreadable(let failure):
      self.init(
        .badData,
        """
        \(path): \(failure); 'betwixt doctor -o NEW.trip \(path.shellPath)' saves what can be found in it
        """)
    case .needsUpgrade(let failure):
      self.init(.badData, "\(path): \(failure)")
    case .readOnly: self.init(.badData, "\(path): a newer version of betwixt wrote this")
    case .tooLarge:
      self.init(
        .badData,
        "Error: \(path): a document has up to \(DocumentFile.growthLimit >> 20) MiB: remove something"
      )
    case .surprise:
      self.init(
        .tryAgain,
        """
        Error: \(path): another file took its place: try again, or open that one if it is another \
        document
        """)
    case .identity(let failure): self.init(path, because: failure)
    case .fileSystem(let error) where error.operation == "lock" && error.reason == .wrongKind:
      self.init(
        .cannotCreate,
        "Error: \(path): \(path).lock beside it is in the way, which is no file: move it away")
    case .fileSystem(let error):
      self.init(.inputOutput, "Error: \(path): \(error.sentence)\(error.cure)")
    case .ended:
      self.init(
        .inputOutput,
        """
        Error: \(path): what the drive holds of it is unknown since a write failed; nothing more is \
        written until it is opened anew: try again
        """)
    case .notVerified:
      self.init(
        .inputOutput,
        """
        Error: \(path): what was written reads differently, so the file stays as it was: the drive \
        may be failing
        """)
    case .inFile(let path, let failure): self.init(path, because: failure)
    }
  }

  /// Writes that are ahead of a clock that may be wrong.
  init(_ doubt: Document.ClockDoubt, of path: String) {
    self.init(
      .negative,
      """
      Error: \(path): \(doubt), which shows \(WithheldText.now): is it right? If not, set it, and nothing \
      needs to be mended; if so, say --force
      """)
  }

  /// An edit that was not made.
  init(_ failure: Document.EditFailed<ToolFailure>) {
    switch failure {
    case .refused(let failure): self = failure
    case .failed(let failure): self.init(failure)
    }
  }

  /// An identity that cannot be read or kept.
  init(_ path: String, because failure: IdentityStoreFailure) {
    self.init(
      .cannotCreate,
      """
      Error: \(path): the identity of the writer cannot be kept (\(failure.cause.sentence))\
      \(failure.cause.stateCure)
      """)
  }

  /// A shared folder that could not be used.
  private init(_ root: String, because failure: SharedFolderFailure) {
    switch failure {
    case .identity(let evidence): self.init(.tryAgain, "Error: \(root): \(evidence.sentence)")
    case .tooLarge: self.init(.badData, "Error: \(root): the document is too large for a folder")
    case .notVerified:
      self.init(.inputOutput, "Error: \(root): what was written there reads differently")
    case .fileSystem(let error) where error.number == SystemCall.notDirectory:
      let place = ToolFailure.obstacle(under: root).map { "\($0.printable) is" } ?? "a file is"
      self.init(
        .cannotCreate,
        "Error: \(root): \(place) in the way, where a folder has to be: move it away")
    case .fileSystem(let error):
      let place = error.path?.printable ?? root
      let cure =
        switch error.reason {
        case .notPermitted, .notOwner:
          "; a folder that several users share has to let each of them read, write and remove"
        case .readOnlyDrive: "; its drive is read-only, and whoever syncs writes there"
        default: error.cure
        }
      self.init(.inputOutput, "Error: \(place): \(error.sentence)\(cure)")
    }
  }
}

extension ToolFailure {
  /// What stands in a shared folder where the folders of documents and of their writers stand.
  ///
  /// Both are called by many hexadecimal digits; what is called otherwise is nobody's business.
  private static func obstacle(under root: String) -> String? {
    func names(in folder: String) -> [String] {
      ((try? PosixFileSystem().list(folder)) ?? []).sorted()
    }
    let ours = "\(root)/betwixt-1"
    guard SystemCall.isFolder(ours) else { return SystemCall.isThere(ours) ? ours : nil }
    var folders = [ours]
    for _ in 1...2 {
      var below: [String] = []
      for folder in folders {
        for name in names(in: folder) where name.utf8.count >= 16 {
          guard name.allSatisfy(\.isHexDigit) else { continue }
          let path = "\(folder)/\(name)"
          guard SystemCall.isFolder(path) else { return path }
          below.append(path)
        }
      }
      folders = below
    }
    return nil
  }
}

extension IdentityEvidence {
  /// What was found, in words.
  var sentence: String {
    switch self {
    case .wentBack: "the file is not as it was left here"
    case .unfinished:
      "a program ended here while it was about to write an edit, which was not made"
    case .copied: "what is kept about this installation was copied or restored"
    case .foreignWrite: "writes under the old one came from elsewhere"
    case .foreignClaim: "another copy knows writes under the old one that are not here"
    case .foreignFile: "the folder holds files under the old one that are not from here"
    case .droppedBytes: "some bytes of the file could not be read"
    case .inUse: "another copy writes under the old one too"
    case .notEqual: "two copies differed after all was exchanged"
    case .givenUp: "another program gave the old one up, or what is kept here was taken away"
    case .requested: "as asked for"
    }
  }
}

extension FileSystemError {
  /// What failed and why, in words.
  var sentence: String {
    if reason == .wrongKind, number == 0 { return "it is no regular file" }
    let words = number == 0 ? reason.rawValue : SystemCall.reason(of: number)
    return "\(deed): \(words)"
  }

  /// What failed, in words.
  private var deed: String {
    switch operation {
    case "append", "truncate", "sync", "barrier", "syncDirectory": "writing"
    case "link", "rename": "naming a file"
    case "lock": "locking"
    case "makeDirectory": "making a folder"
    case "list": "reading the folder"
    case "open", "read": "\(operation)ing"
    default: operation
    }
  }

  /// What helps, as the end of a sentence; empty where nobody can know.
  var cure: String {
    switch reason {
    case .noSpace: "; make room on its drive"
    case .notPermitted:
      """
      ; whoever writes a document has to have the right to write the file and its folder, and to read \
      FILE.lock beside it
      """
    case .notOwner:
      """
      ; its folder is sticky, where only the owner of a file or of the folder may replace it: let one \
      of them do that
      """
    case .readOnlyDrive: "; its drive is read-only: put the document on another one"
    case .tooManyOpen: "; close other programs, or let this one open more files (ulimit -n)"
    case .failed where number == SystemCall.nameTooLong:
      "; a shorter one leaves room for the names of what lies beside the file"
    case .failed where deed == "writing":
      "; look with 'betwixt show' whether it is there before you do it again, and at the drive"
    default: ""
    }
  }

  /// What helps what is kept beside documents, as the end of a sentence.
  fileprivate var stateCure: String {
    switch reason {
    case .noSpace:
      "; make room on the drive of the folder that BETWIXT_STATE names, and delete nothing in it"
    case .locked: "; another program is at work there: try again"
    case .tooManyOpen: cure
    case .notPermitted, .notOwner, .readOnlyDrive, .notFound, .exists, .unsupported, .wrongKind:
      "; BETWIXT_STATE names the folder for it: name one that you may write in, on one drive"
    case .failed, .closed, .foreignWrite:
      "; look at the drive of the folder that BETWIXT_STATE names"
    }
  }
}
