public import BetwixtSync

/// Why a document file could not be opened or written.
///
/// The list in memory is that of the last
/// commit, and nothing was acknowledged.
public enum DocumentFileFailure: Error, Hashable, Sendable {
  /// There is no file.
  case notFound

  /// There is no file, and an earlier generation of it stands beside its place.
  case onlyEarlierGeneration

  /// A new document was to be made where there is a file.
  case exists

  /// Another program, or another part of this one, has the file open for writing.
  case locked

  /// The file was opened for reading, or a newer version wrote what only it may change.
  case readOnly

  /// An earlier failure left open what is on the drive; only opening the file again can tell.
  case ended

  /// Somebody else changed or replaced the file, or took another id for this installation.
  case surprise

  /// The file's container is of a newer version.
  case needsUpgrade(DecodeFailure)

  /// The file is no document, or so damaged that nothing of it can be trusted.
  case unreadable(DecodeFailure)

  /// What was written could not be read back. The old file stays.
  case notVerified

  /// The content is larger than a file may hold.
  case tooLarge

  /// Who writes could not be noted; nothing was written.
  case identity(IdentityStoreFailure)

  /// The file system failed.
  case fileSystem(FileSystemError)

  /// One of these, at a path: where a failure is told to whoever has many documents.
  indirect case inFile(String, DocumentFileFailure)
}

extension DocumentFileFailure {
  /// The same, with where it was if that is not known yet.
  func at(_ path: String) -> DocumentFileFailure {
    guard case .fileSystem(let error) = self, error.path == nil else { return self }
    return .fileSystem(error.at(path))
  }

  /// The same, with where it was whatever it is.
  func named(_ path: String) -> DocumentFileFailure {
    switch self {
    case .fileSystem: at(path)
    case .inFile: self
    default: .inFile(path, self)
    }
  }
}

extension DocumentFileFailure {
  /// Whether the drive is full, for whichever file.
  var isLackOfSpace: Bool {
    switch self {
    case .fileSystem(let error): error.reason == .noSpace
    case .inFile(_, let failure): failure.isLackOfSpace
    default: false
    }
  }
}

extension DocumentFileFailure: CustomStringConvertible {
  /// The case as one word, with what it carries.
  public var description: String {
    switch self {
    case .notFound: "not-found"
    case .onlyEarlierGeneration: "only-earlier-generation"
    case .exists: "exists"
    case .locked: "locked"
    case .readOnly: "read-only"
    case .ended: "ended"
    case .surprise: "surprise"
    case .needsUpgrade(let failure): "needs-upgrade: \(failure)"
    case .unreadable(let failure): "unreadable: \(failure)"
    case .notVerified: "not-verified"
    case .tooLarge: "too-large"
    case .identity(let failure): "identity: \(failure.cause)"
    case .fileSystem(let error): "file-system: \(error)"
    case .inFile(let path, let failure): "\(path): \(failure)"
    }
  }
}
