package import Betwixt
import BetwixtSync
package import BetwixtWeb

/// A request of a page, being written.
package struct Request {
  package private(set) var bytes: [UInt8]

  package init(
    _ operation: Operation, _ handle: UInt64 = 0, now: Int64 = 1_780_000_000_000, random: UInt64
  ) {
    self.init(number: operation.rawValue, handle, now: now, random: random)
  }

  package init(number: UInt8, _ handle: UInt64, now: Int64, random: UInt64) {
    bytes = [number]
    bytes.appendVarint(handle)
    bytes.appendZigzag(now)
    bytes.appendBigEndian(random)
  }

  package func adding(_ body: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = bytes
    body(&bytes)
    return bytes
  }
}

extension [UInt8] {
  package mutating func appendField(_ name: String, _ value: FieldValue?) {
    append(text: name)
    append(run: value?.canonicalBytes ?? [])
  }

  package mutating func appendOffset(_ offset: UInt32, section: Int64 = 0) {
    append(0)
    appendZigzag(section)
    appendBigEndian(offset)
  }
}
