import BetwixtTrips

/// One JSON object on one line, its members in the order they were added.
struct JSONLine {
  private var writer = JSONWriter()
  private var isEmpty = true

  /// The object and a line break, safe on a terminal.
  var text: String {
    isEmpty ? "{}\n" : String(decoding: writer.bytes, as: UTF8.self).printableJSON + "}\n"
  }

  /// The line of an object that is JSON already, and has members.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - file: Which document it is about, where that is not plain: its first member is then `in`.
  /// - Returns: The object and a line break, safe on a terminal.
  static func text(of object: String, in file: String? = nil) -> String {
    guard let file else { return object.printableJSON + "\n" }
    var line = JSONLine()
    line.add("in", file)
    return "\(line.text.dropLast(2)),\(String(object.dropFirst()).printableJSON)\n"
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
