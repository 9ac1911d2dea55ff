/// A line of text that is typed, with the keys that shells have for it.
package struct LineEditor: Hashable, Sendable {
  private var characters: [Character]

  /// How many characters stand before the cursor.
  package private(set) var cursor: Int

  /// Begins with a text, the cursor behind it.
  package init(_ text: String) {
    characters = Array(text)
    cursor = characters.count
  }

  /// The whole text.
  package var text: String { String(characters) }

  /// The text before the cursor, and that from it on.
  package var parts: (before: String, after: String) {
    (String(characters[..<cursor]), String(characters[cursor...]))
  }

  /// Takes another text, the cursor behind it.
  mutating func become(_ text: String) { self = LineEditor(text) }

  /// Takes a key.
  ///
  /// - Returns: Whether the text is another one; `nil` for a key that is none of a line's.
  package mutating func take(_ input: TerminalInput) -> Bool? {
    let before = characters
    switch input {
    case .character(let character): insert([character])
    case .paste(let words):
      insert(Array(words.split(whereSeparator: \.isNewline).joined(separator: " ")))
    case .backspace: remove(from: cursor - 1, to: cursor)
    case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"): remove(from: 0, to: cursor)
    case .control("k"): remove(from: cursor, to: characters.count)
    case .control("w"): remove(from: startOfWord, to: cursor)
    default: return nil
    }
    return characters != before
  }

  private mutating func insert(_ new: [Character]) {
    characters.insert(contentsOf: new, at: cursor)
    // A mark may have joined the character before it.
    let (joined, after) = (
      String(characters[..<(cursor + new.count)]), characters[(cursor + new.count)...]
    )
    let whole = Array(joined)
    characters = whole + after
    cursor = whole.count
  }

  private mutating func remove(from start: Int, to end: Int) {
    guard start >= 0, end <= characters.count, start < end else { return }
    characters.removeSubrange(start..<end)
    cursor = min(start, characters.count)
  }

  private var startOfWord: Int {
    var place = cursor
    while place > 0, characters[place - 1].isWhitespace { place -= 1 }
    while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
    return place
  }
}
