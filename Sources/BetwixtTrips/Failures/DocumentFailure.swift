/// Why a document was refused, in one line that says where.
///
///     let failure = DocumentFailure(
///       file: "trip.json", place: .text(line: 4, column: 9), reason: .duplicateMember,
///       text: "“day” stands here twice")
///     print(failure)  // trip.json:4:9: duplicate-member: “day” stands here twice
public struct DocumentFailure: Error, Hashable, Sendable {
  /// The kinds of refusal, as the stable words that programs may look for.
  public enum Reason: String, CaseIterable, Sendable {
    /// A byte sequence that is no UTF-8.
    case invalidUTF8 = "invalid-utf8"
    /// The text does not follow the grammar of its format.
    case syntax
    /// The document ends too early.
    case truncated
    /// An object names one member twice.
    case duplicateMember = "duplicate-member"
    /// Values are nested deeper than the format allows.
    case tooDeep = "too-deep"
    /// A number that a `Double` could only hold as infinite.
    case numberOutOfRange = "number-out-of-range"
    /// A known member holds a value of another type.
    case wrongType = "wrong-type"
    /// A required member is absent.
    case missing
    /// A value has the right type and no legal meaning.
    case badValue = "bad-value"
    /// Two items with one identity.
    case duplicateID = "duplicate-id"
    /// An identity that the format keeps for itself.
    case reservedID = "reserved-id"
    /// The document belongs to another trip, or is of another kind than the list that takes it in.
    case wrongTrip = "wrong-trip"
    /// A member that is no part of the format and could not be kept.
    case unknownMember = "unknown-member"
    /// The document was written in a newer version of the format.
    case unsupportedVersion = "unsupported-version"
    /// A limit of the format is passed.
    case tooLarge = "too-large"
  }

  /// Where in the document.
  public enum Place: Hashable, Sendable {
    /// A line and a byte of it, both counted from 1.
    case text(line: Int, column: Int)
    /// A byte of a binary document, counted from 0.
    case binary(offset: Int)
  }

  /// The name that the caller gave the document.
  public var file: String

  /// Where the first problem of its kind stands.
  public var place: Place

  /// What kind of problem it is.
  public var reason: Reason

  /// The problem in plain words.
  public var text: String

  /// Makes a failure.
  public init(file: String, place: Place, reason: Reason, text: String) {
    self.file = file
    self.place = place
    self.reason = reason
    self.text = text
  }
}

extension DocumentFailure: CustomStringConvertible {
  /// `FILE:LINE:COLUMN: reason: text`, or `FILE: offset N: reason: text` for binary documents.
  public var description: String {
    switch place {
    case .text(let line, let column): "\(file):\(line):\(column): \(reason.rawValue): \(text)"
    case .binary(let offset): "\(file): offset \(offset): \(reason.rawValue): \(text)"
    }
  }
}

extension DocumentFailure {
  /// Puts a problem of a text into the words of its file.
  ///
  /// - Complexity: O(*n*) for *n* bytes before the problem
  package init(file: String, bytes: [UInt8], problem: TextProblem) {
    let before = bytes.prefix(Swift.max(problem.offset, 0))
    let lineFeed = UInt8(ascii: "\n")
    let line = before.count { $0 == lineFeed } + 1
    let lineStart = before.lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    self.init(
      file: file, place: .text(line: line, column: before.count - lineStart + 1),
      reason: problem.reason, text: problem.text)
  }
}
