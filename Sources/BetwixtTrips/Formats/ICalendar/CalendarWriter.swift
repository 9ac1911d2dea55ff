/// Appends the content lines of an iCalendar file.
struct CalendarWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends `name:value`, folded at 75 bytes and never within a character.
  mutating func line(_ name: String, _ value: String) {
    let line = Array("\(name):\(value)".utf8)
    var start = 0
    var room = 75
    while line.count - start > room {
      var end = start + room
      while line[end] & 0xc0 == 0x80 { end -= 1 }
      bytes.append(contentsOf: line[start..<end])
      bytes.append(contentsOf: "\r\n ".utf8)
      start = end
      // The space that starts a continuation counts.
      room = 74
    }
    bytes.append(contentsOf: line[start...])
    bytes.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a text.
  mutating func text(_ name: String, _ value: String) {
    line(name, CalendarText.escaped(value))
  }
}
