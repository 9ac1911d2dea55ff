import Betwixt
import BetwixtTrips

/// A value of a log, before it is text.
enum LogValue: Equatable {
  case null
  case bool(Bool)
  case int64(Int64)
  case number(Double)
  case string(String)
  case list([LogValue])
  /// The members' names and their values.
  case members([String], [LogValue])
  /// A list in its own format.
  case document(ReplicatedList)

  static func integer(_ value: Int) -> LogValue { .int64(Int64(value)) }

  static func integer(_ value: Int64) -> LogValue { .int64(value) }

  static func object(_ members: [(String, LogValue)]) -> LogValue {
    .members(members.map { $0.0 }, members.map { $0.1 })
  }

  static func text(_ text: String) -> LogValue { .string(text) }

  static func text(_ value: (some RawRepresentable<String>)?) -> LogValue {
    value.map { .string($0.rawValue) } ?? .null
  }

  static func id(_ id: ItemID?) -> LogValue { id.map { .string($0.description) } ?? .null }
}

extension JSONWriter {
  /// Writes a value of a log; our own shapes are only a few levels deep.
  mutating func log(_ value: LogValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): if value { raw("true") } else { raw("false") }
    case .int64(let value): integer(value)
    case .number(let value) where value.isFinite: double(value)
    // JSON has no words for these, but a host may have sent them.
    case .number(let value): string(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
    case .string(let text): string(text)
    case .list(let values):
      for (place, value) in values.enumerated() {
        raw(place == 0 ? "[" : ",")
        log(value)
      }
      raw(values.isEmpty ? "[]" : "]")
    case .members(let names, let values):
      for (place, name) in names.enumerated() {
        raw(place == 0 ? "{" : ",")
        string(name)
        raw(":")
        log(values[place])
      }
      raw(names.isEmpty ? "{}" : "}")
    case .document(let list):
      // The format of a file has line breaks, a log has a line for each event.
      let file = TripJSON.encode(list)
      guard let value = try? JSONScanner.scan(file) else {
        // It is too large to be read again: whoever tries is told so, and not that nothing was there.
        // Line breaks stand between values alone.
        return raw(file.filter { $0 != UInt8(ascii: "\n") })
      }
      self.value(value)
    }
  }
}

extension LogValue {
  /// The value as a line of JSON, without the line break.
  var line: String {
    var writer = JSONWriter()
    writer.log(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  static func fields(_ fields: Fields) -> LogValue {
    .object(fields.map { ($0.name.text, value($0.value)) })
  }

  private static func value(_ value: FieldValue) -> LogValue {
    // A log has words for numbers that are none.
    if case .double(let number) = value { return .object([("double", .number(number))]) }
    let (tag, content) = value.tagged
    return switch content {
    case .bool(let value): .object([(tag, .bool(value))])
    case .whole(let value): .object([(tag, .integer(value))])
    case .decimal(let value): .object([(tag, .number(value))])
    case .text(let text): .object([(tag, .text(text))])
    }
  }

  static func field(_ value: FieldValue) -> LogValue { self.value(value) }

  static func gap(_ gap: Gap) -> LogValue {
    .object([("day", .integer(gap.day)), ("above", .id(gap.above)), ("below", .id(gap.below))])
  }

  /// An item by its id, a header by its day.
  static func row(_ row: RowRef?) -> LogValue {
    switch row {
    case .item(let id): .id(id)
    case .header(let day): .integer(day)
    case nil: .null
    }
  }

  static func point(_ point: DragPoint) -> LogValue { .list([.number(point.x), .number(point.y)]) }

  static func frame(_ frame: DragFrame) -> LogValue {
    .list([frame.x, frame.y, frame.width, frame.height].map { .number($0) })
  }
}
