/// Why an operation of a file system failed.
public struct FileSystemError: Error, Hashable, Sendable {
  /// The reasons that callers tell apart.
  public enum Reason: String, Hashable, Sendable {
    /// Nothing stands at the path.
    case notFound

    /// Something stands at the path already.
    case exists

    /// Another holds the lock.
    case locked

    /// The drive, or what one may use of it, is full.
    case noSpace

    /// One may not do that.
    case notPermitted

    /// Only the owner of the file, or of its folder, may do that: the folder is sticky.
    case notOwner = "not-owner"

    /// Nothing can be written on the drive, by nobody.
    case readOnlyDrive = "read-only-drive"

    /// The file system cannot do that at all.
    case unsupported

    /// The path leads through a symbolic link, or to no regular file.
    case wrongKind

    /// The process, or the system, has as many files open as it may.
    case tooManyOpen = "too-many-open"

    /// Somebody else has written where nobody else should have.
    case foreignWrite = "foreign-write"

    /// The other end is gone.
    case closed

    /// The drive or the system failed.
    case failed
  }

  /// Which operation it was, by its name in ``FileSystem``.
  public let operation: String

  /// The reason, for programs.
  public let reason: Reason

  /// The value of `errno`, or 0.
  public let number: Int32

  /// Where it was, if whoever tells of it knows that.
  public internal(set) var path: String?

  /// Makes an error.
  public init(_ operation: String, because reason: Reason, number: Int32 = 0) {
    self.operation = operation
    self.reason = reason
    self.number = number
  }
}

extension FileSystemError {
  /// The same, with where it was.
  func at(_ path: String) -> FileSystemError {
    var error = self
    error.path = path
    return error
  }
}

extension FileSystemError: CustomStringConvertible {
  /// `operation: reason (number)`; before it the path, and behind it what helps, if the path is known.
  public var description: String {
    let text = "\(operation): \(reason.rawValue) (\(number))"
    guard let path else { return text }
    return "\(path): \(text)" + (advice.map { "; \($0)" } ?? "")
  }

  private var advice: String? {
    switch reason {
    case .noSpace: "make room on that drive, or let this user have more of it"
    case .notPermitted: "let this user write there"
    case .notOwner: "only its owner, or that of the folder, may replace it"
    case .readOnlyDrive: "its drive is read-only: use another one"
    case .wrongKind: "name a folder that is no link"
    case .tooManyOpen: "close some, or let the process open more (ulimit -n)"
    case .notFound, .exists, .locked, .unsupported, .foreignWrite, .closed, .failed: nil
    }
  }
}
