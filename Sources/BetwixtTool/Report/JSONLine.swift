import BetwixtTrips

/// One JSON object on one line, its members in the order they were added.
struct JSONLine {
  private var writer = JSONWriter()
  private var isEmpty = true

  /// The object and a line break.
  var text: String {
    isEmpty ? "{}\n" : String(decoding: writer.bytes, as: UTF8.self) + "}\n"
  }

  mutating func add(_ name: String, _ value: String) {
    begin(name)
    writer.string(value)
  }

  mutating func add(_ name: String, _ value: Int64) {
    begin(name)
    writer.integer(value)
  }

  mutating func add(_ name: String, _ value: Double) {
    begin(name)
    writer.double(value)
  }

  mutating func add(_ name: String, _ value: Bool) {
    begin(name)
    writer.raw(value ? "true" : "false")
  }

  mutating func add(_ name: String, json value: JSONValue) {
    begin(name)
    writer.raw(value.canonicalText.utf8)
  }

  private mutating func begin(_ name: String) {
    writer.raw(isEmpty ? "{" : ",")
    isEmpty = false
    writer.string(name)
    writer.raw(":")
  }
}
