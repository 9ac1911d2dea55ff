/// A row of a ``DeltaLog`` as it is stored: what one edit wrote, or all that was there at some time.
public struct LogRow: Hashable, Sendable {
  /// Its name, which follows from the bytes.
  public let name: RowName

  /// A sealed block.
  public let bytes: [UInt8]

  /// Takes a row that came out of a storage; ``DeltaLog/take(_:)`` looks at it.
  public init(name: RowName, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  init(sealed bytes: [UInt8]) {
    self.init(name: RowName(ofSealed: bytes), bytes: bytes)
  }
}

/// Why a row of a log was refused, and which one.
public struct LogFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which row.
  public let row: RowName

  /// What is wrong with its bytes.
  public let failure: DecodeFailure

  /// The name of the row, and what is wrong with it.
  public var description: String { "row \(row): \(failure)" }
}
