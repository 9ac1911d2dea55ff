/// What a frame carries.
///
/// A reader skips types that it does not know, unless the frame says that it must be understood.
public struct FrameType: RawRepresentable, Hashable, Sendable {
  /// The byte in the frame's header.
  public let rawValue: UInt8

  /// Makes a type from its byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Versions, limits, which list.
  public static let hello = FrameType(rawValue: 0x01)
  /// Starts a round.
  public static let open = FrameType(rawValue: 0x02)
  /// One block of kind delta.
  public static let delta = FrameType(rawValue: 0x03)
  /// What arrived is durable.
  public static let ack = FrameType(rawValue: 0x04)
  /// Fingerprints of ranges of entries.
  public static let ranges = FrameType(rawValue: 0x05)
  /// Entries that are asked for.
  public static let want = FrameType(rawValue: 0x06)
  /// Entries that were not taken.
  public static let refused = FrameType(rawValue: 0x07)
  /// How many bytes more may be sent.
  public static let credit = FrameType(rawValue: 0x08)
  /// Asks for a sign of life.
  public static let ping = FrameType(rawValue: 0x09)
  /// A sign of life.
  public static let pong = FrameType(rawValue: 0x0a)
  /// The orderly end.
  public static let end = FrameType(rawValue: 0x0b)
  /// The end because of an error.
  public static let error = FrameType(rawValue: 0x0c)
  /// A part of a version that OPEN has no room for.
  public static let version = FrameType(rawValue: 0x0d)
  /// One change of a live session, as a block of kind delta.
  public static let push = FrameType(rawValue: 0x0e)
  /// Changes that were pushed are durable.
  public static let done = FrameType(rawValue: 0x0f)
  /// Compares two lists that no answer has compared.
  public static let check = FrameType(rawValue: 0x10)
}

extension FrameType: CustomStringConvertible {
  /// The byte as two hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }
}
