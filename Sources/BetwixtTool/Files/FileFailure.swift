/// Why a file was not read or written.
package struct FileFailure: Error, Hashable, Sendable {
  /// What went wrong.
  package enum Kind: Hashable, Sendable {
    /// The file cannot be opened.
    case unreadable

    /// Reading stopped half-way.
    case brokenRead

    /// The file has more bytes than are allowed.
    case tooLarge(limit: Int)

    /// The file cannot be made, or must not be replaced; nothing was changed.
    case cannotCreate

    /// Writing stopped half-way; a file that stood there before is unharmed.
    case brokenWrite
  }

  /// What went wrong.
  package let kind: Kind

  /// The file as the caller named it, in quotes if it could be overlooked.
  package let path: String

  /// The reason in words.
  package let reason: String

  init(_ kind: Kind, at path: String, because reason: String) {
    self.kind = kind
    self.path = path.isEmpty ? "''" : path.printable
    self.reason = reason
  }

  init(_ kind: Kind, at path: String, error: SystemError) {
    self.init(kind, at: path, because: error.reason)
  }
}
