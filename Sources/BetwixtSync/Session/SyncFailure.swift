/// Why a session ended before its time.
public struct SyncFailure: Error, Hashable, Sendable {
  /// What went wrong; the raw value travels in the ERROR frame.
  public enum Code: UInt8, Hashable, Sendable {
    /// No version is known to both.
    case versionRange = 1
    /// One side needs a feature, or sent a frame, that the other does not know.
    case unsupported = 2
    /// Bytes or a message where none such belongs.
    case malformed = 3
    /// A frame was damaged, lost or repeated.
    case checksum = 4
    /// More than the other side takes.
    case limitExceeded = 5
    /// The other side has no such list.
    case documentUnknown = 6
    /// Both sides write under one replica id.
    case identityInUse = 7
    /// The other side must not.
    case notAuthorised = 8
    /// Nothing came for too long.
    case timeout = 9
    /// The comparison went on without getting anywhere.
    case noProgress = 10
    /// After everything was exchanged the lists differ: a defect, to be reported.
    case notConverged = 11
    /// The host could not store what arrived.
    case storage = 12
    /// A newer connection of the same replica has taken the place of this one.
    case replaced = 13
    /// The other side stops, or has no room now: come back later.
    case unavailable = 14
  }

  /// What went wrong.
  public let code: Code

  /// More about it, for people; of more than 256 bytes the peer gets to know the first ones.
  public let detail: String

  /// Makes a failure.
  public init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  init(_ failure: DecodeFailure) {
    let code: Code =
      switch failure.reason {
      case .badChecksum: .checksum
      case .newerVersion, .criticalContent: .unsupported
      default: failure.code == .limitExceeded ? .limitExceeded : .malformed
      }
    self.init(code, failure.description)
  }
}

extension SyncFailure: CustomStringConvertible {
  /// The code's name and the detail.
  public var description: String { detail.isEmpty ? "\(code)" : "\(code): \(detail)" }
}
