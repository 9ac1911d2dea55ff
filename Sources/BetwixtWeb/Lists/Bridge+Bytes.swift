package import Betwixt
package import BetwixtSync

extension Reader {
  /// Reads parts of a request.
  package mutating func read<Value>(
    _ body: (inout Reader) throws(DecodeFailure) -> Value
  ) throws(BridgeFailure) -> Value {
    do {
      return try body(&self)
    } catch {
      throw BridgeFailure("request", "the request is none: \(error.description)")
    }
  }

  /// Reads the end of a request.
  package func end() throws(BridgeFailure) {
    guard remaining == 0 else { throw BridgeFailure("request", "the request is too long") }
  }

  package mutating func flag() throws(DecodeFailure) -> Bool { try byte() != 0 }

  package mutating func bytes() throws(DecodeFailure) -> [UInt8] {
    Array(try take(try count(ofAtLeast: 1)))
  }

  /// Reads a text; what is not UTF-8 in it is replaced.
  package mutating func text() throws(DecodeFailure) -> String {
    String(decoding: try take(try count(ofAtLeast: 1)), as: UTF8.self)
  }

  package mutating func item() throws(DecodeFailure) -> ItemID {
    ItemID(high: try uint64(), low: try uint64())
  }

  mutating func listID() throws(DecodeFailure) -> ListID {
    ListID(high: try uint64(), low: try uint64())
  }

  /// Reads names and values; a value of no bytes is none.
  mutating func changes() throws(BridgeFailure) -> [(name: FieldName, value: FieldValue?)] {
    let parts = try read { (reader) throws(DecodeFailure) in
      var parts: [(name: String, value: [UInt8])] = []
      for _ in 0..<(try reader.count(ofAtLeast: 2)) {
        parts.append((try reader.text(), try reader.bytes()))
      }
      return parts
    }
    var changes: [(name: FieldName, value: FieldValue?)] = []
    for part in parts {
      let limit = EditLimits().nameByteCount
      guard let name = FieldName(part.name), part.name.utf8.count <= limit else {
        throw BridgeFailure("edit", "the name of a field has 1 to \(limit) bytes")
      }
      changes.append((name, try FieldValue.ofRequest(part.value)))
    }
    return changes
  }

  mutating func version() throws(DecodeFailure) -> VersionVector {
    var version = VersionVector()
    for _ in 0..<(try count(ofAtLeast: 9)) {
      let replica = ReplicaID(rawValue: try uint64())
      version[replica] = try positive()
    }
    return version
  }
}

extension FieldValue {
  /// The value with these canonical bytes, of the kinds that a page can name.
  fileprivate static func ofRequest(_ bytes: [UInt8]) throws(BridgeFailure) -> FieldValue? {
    guard let tag = bytes.first else { return nil }
    let isWhole =
      switch tag {
      case Tag.false, Tag.true: bytes.count == 1
      case Tag.int64, Tag.double: bytes.count == 9
      case Tag.string: isUTF8(bytes[1...])
      case Tag.bytes: true
      default: false
      }
    guard isWhole, let value = FieldValue(canonicalBytes: bytes[...]) else {
      throw BridgeFailure("edit", "this is no value of a field")
    }
    return value
  }
}

extension [UInt8] {
  package mutating func append(text: String) {
    appendVarint(text.utf8.count)
    append(contentsOf: text.utf8)
  }

  package mutating func append(run bytes: some Collection<UInt8>) {
    appendVarint(bytes.count)
    append(contentsOf: bytes)
  }

  package mutating func append(_ item: ItemID) {
    appendBigEndian(item.high)
    appendBigEndian(item.low)
  }

  mutating func append(_ item: ListItem) {
    append(item.id)
    appendZigzag(item.section ?? 0)
    let fields = item.fields
    appendVarint(fields.count)
    for field in fields {
      append(text: field.name.text)
      append(run: field.value.canonicalBytes)
    }
  }

  mutating func append(_ version: VersionVector) {
    appendVarint(version.count)
    for component in version {
      appendBigEndian(component.replica.rawValue)
      appendVarint(UInt64(component.sequence))
    }
  }
}
