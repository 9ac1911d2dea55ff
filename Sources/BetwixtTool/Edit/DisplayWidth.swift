extension Character {
  /// How many columns of a terminal the character takes: 0, 1 or 2.
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}") { return 2 }
    switch first.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x300...0x36f: return 0
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
      return 2
    default: return 1
    }
  }
}

extension String {
  /// The text cut and filled up with spaces to exactly so many columns.
  package func fitted(to columns: Int) -> String {
    guard columns > 0 else { return "" }
    // Once, not for each character beyond the edge: a title may have thousands without a width.
    let isTooWide = displayWidth > columns
    var text = ""
    var width = 0
    for character in self {
      let next = width + character.displayWidth
      if next > columns - 1, isTooWide {
        text.append("…")
        width += 1
        break
      }
      text.append(character)
      width = next
    }
    return text + String(repeating: " ", count: max(0, columns - width))
  }

  /// The text up to the last space within so many columns, and what follows; cut between two
  /// characters where there is no space.
  package func broken(at columns: Int) -> (first: String, rest: String) {
    var width = 0
    var space: Index?
    for index in indices {
      width += self[index].displayWidth
      if width > columns {
        let end = space ?? index
        return (String(self[..<end]), String(self[end...]))
      }
      if self[index] == " ", index > startIndex { space = index }
    }
    return (self, "")
  }

  /// The end of the text, as much of it as so many columns hold.
  func end(within columns: Int) -> Substring {
    var width = 0
    for index in indices.reversed() {
      width += self[index].displayWidth
      if width > columns { return self[self.index(after: index)...] }
    }
    return self[...]
  }

  /// How many columns the text takes.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}
