import Betwixt

extension JSONWriter {
  /// Writes the whole state of a list.
  mutating func document(_ list: ReplicatedList) {
    raw("{\n\"format\":")
    string(TripJSON.formatWord)
    raw(",\n\"id\":")
    string(list.id.description)
    raw(",\n\"items\":[")
    var isFirst = true
    for item in list.allItems() {
      raw(isFirst ? "\n" : ",\n")
      isFirst = false
      state(of: item)
    }
    raw(isFirst ? "],\n\"vector\":{" : "\n],\n\"vector\":{")
    for (index, component) in list.version.enumerated() {
      if index > 0 { raw(",") }
      string(component.replica.description)
      raw(":")
      integer(component.sequence)
    }
    raw("},\n\"version\":")
    integer(TripJSON.version)
    raw("\n}\n")
  }

  private mutating func state(of item: ListItem) {
    var fields: [(name: String, entry: Entry)] = []
    var others: [(name: String, entry: Entry)] = []
    var life: Entry?
    var position: Entry?
    for entry in item.entries {
      switch entry.register {
      case .field(let name): fields.append((name.text, entry))
      case .life: life = entry
      case .position: position = entry
      case .other(let kind, let name):
        others.append((OtherRegister.text(kind: kind, name: name), entry))
      }
    }
    raw("{")
    if !fields.isEmpty {
      registers("fields", registers: fields)
      raw(",")
    }
    raw("\"id\":")
    string(item.id == .root ? "root" : item.id.description)
    if let life {
      raw(",\"life\":")
      register(life)
    }
    if !others.isEmpty {
      raw(",")
      registers("other", registers: others)
    }
    if let position {
      raw(",\"position\":")
      register(position)
    }
    raw("}")
  }

  private mutating func registers(
    _ name: String, registers: [(name: String, entry: Entry)]
  ) {
    raw("\"")
    raw(name)
    raw("\":{")
    for (index, element) in registers.enumerated() {
      if index > 0 { raw(",") }
      string(element.name)
      raw(":")
      register(element.entry)
    }
    raw("}")
  }

  private mutating func register(_ entry: Entry) {
    raw("{\"at\":[")
    string(entry.stamp.time.description)
    raw(",")
    string(entry.stamp.replica.description)
    raw(",")
    integer(entry.sequence)
    raw("],")
    switch entry.value {
    case .life(let length):
      raw("\"length\":")
      integer(Int64(length))
    case .position(let section, let key):
      raw("\"key\":")
      string(Hex.encode(key.bytes))
      raw(",\"section\":")
      integer(section)
    case .field(nil): raw("\"none\":true")
    case .field(let value?): field(value)
    case .other(let bytes):
      raw("\"raw\":")
      string(Hex.encode(bytes))
    }
    raw("}")
  }

  private mutating func field(_ value: FieldValue) {
    let (tag, content) = value.tagged
    raw("\"")
    raw(tag)
    raw("\":")
    switch content {
    case .bool(let value): raw(value ? "true" : "false")
    case .whole(let value): integer(value)
    case .decimal(let value): double(value)
    case .text(let text): string(text)
    }
  }
}

/// How registers of newer versions are named: `kk:name`, the kind as two hexadecimal digits.
enum OtherRegister {
  static func text(kind: UInt8, name: [UInt8]) -> String {
    Hex.encode([kind]) + ":" + String(decoding: name, as: UTF8.self)
  }

  static func parse(_ text: String) -> (kind: UInt8, name: [UInt8])? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 3, bytes[2] == UInt8(ascii: ":"), let kind = Hex.decode(bytes[..<2])
    else { return nil }
    return (kind[0], Array(bytes[3...]))
  }
}
