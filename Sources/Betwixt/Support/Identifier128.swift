/// What the two 128-bit ids of the model share: two halves, bytes, and two text forms.
public protocol Identifier128: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, as a big-endian number.
  var high: UInt64 { get }

  /// The last eight bytes, as a big-endian number.
  var low: UInt64 { get }

  /// Makes an id from its two halves.
  init(high: UInt64, low: UInt64)
}

extension Identifier128 {
  /// The order of the bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// Makes an id from exactly 16 bytes; `nil` for any other number of them.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    let middle = bytes.index(bytes.startIndex, offsetBy: 8)
    self.init(high: Self.number(bytes[..<middle]), low: Self.number(bytes[middle...]))
  }

  /// Reads 32 lower-case hexadecimal digits, the form that ``description`` writes.
  public init?(_ text: String) {
    guard let bytes = Hex.decode(text.utf8) else { return nil }
    self.init(bytes: bytes)
  }

  /// Reads the UUID form: digits of either case, grouped 8-4-4-4-12.
  ///
  ///     ItemID(uuid: "C5714910-6435-57EE-BAE2-0E0C2BDC7A35")?.description
  ///     // "c5714910643557eebae20e0c2bdc7a35"
  public init?(uuid text: String) {
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    var index = 0
    for character in text.utf8 {
      let isSeparator = index == 8 || index == 13 || index == 18 || index == 23
      index += 1
      if isSeparator {
        guard character == UInt8(ascii: "-") else { return nil }
      } else {
        guard index <= 36, let digit = Hex.value(character, uppercase: true) else { return nil }
        if index <= 18 {
          halves.high = halves.high << 4 | UInt64(digit)
        } else {
          halves.low = halves.low << 4 | UInt64(digit)
        }
      }
    }
    guard index == 36 else { return nil }
    self.init(high: halves.high, low: halves.low)
  }

  /// The 16 bytes, first byte first.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    for half in [high, low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { Hex.encode(high) + Hex.encode(low) }

  /// The UUID form: lower-case digits, grouped 8-4-4-4-12.
  public var uuid: String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (half, separators) in [(high, [28, 12]), (low, [60, 44])] {
      for shift in stride(from: 60, through: 0, by: -4) {
        if separators.contains(shift) { text.append(UInt8(ascii: "-")) }
        text.append(Hex.digit(UInt8(truncatingIfNeeded: half >> UInt64(shift)) & 15))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
    var number: UInt64 = 0
    for byte in bytes { number = number << 8 | UInt64(byte) }
    return number
  }
}
