import Betwixt

/// The 24-character values of items: 8 digits of identity, 16 of payload.
enum ItemValue {
  /// The value that item `number` starts with.
  static func make(_ number: Int) -> String {
    hexadecimal(UInt64(number), digits: 8) + payload(number)
  }

  /// What an update puts behind the identity.
  static func payload(_ number: Int) -> String {
    var generator = SplitMix64(seed: UInt64(number))
    return hexadecimal(generator.next(), digits: 16)
  }

  /// The value with its payload replaced.
  static func updated(_ value: String, payload number: Int) -> String {
    identity(of: value) + payload(number)
  }

  /// The part of a value that updates keep.
  static func identity(of value: String) -> String { String(value.prefix(8)) }

  /// The first `count` values.
  static func base(_ count: Int) -> [String] { (0..<count).map(make) }

  private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// What two implementations compare: the length and a hash of all values in order.
struct Content: Equatable {
  let length: Int

  /// The first 16 hexadecimal digits of SHA-256 over every value followed by a line feed.
  let hash: String

  init(length: Int, hash: String) {
    self.length = length
    self.hash = hash
  }

  init(of values: some Collection<String>) {
    var message: [UInt8] = []
    for value in values {
      message.append(contentsOf: value.utf8)
      message.append(UInt8(ascii: "\n"))
    }
    self.init(length: values.count, hash: String(Hex.encode(SHA256.hash(message)).prefix(16)))
  }
}
