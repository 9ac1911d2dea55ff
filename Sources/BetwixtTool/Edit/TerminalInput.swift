/// A key, or something that the mouse did; lines and columns from 1.
package enum TerminalInput: Hashable, Sendable {
  case character(Character)
  /// Text that was pasted, which is no keys.
  case paste(String)
  case enter
  case escape
  case backspace
  case delete
  case tab
  case interrupt
  /// A letter with the control key.
  case control(Character)
  case up
  case down
  case left
  case right
  case pageUp
  case pageDown
  case home
  case end
  case press(column: Int, line: Int)
  case drag(column: Int, line: Int)
  case release(column: Int, line: Int)
  case wheel(lines: Int)
}

/// Makes keys and clicks of the bytes that a terminal sends.
///
/// A sequence may be cut by the end of a read: what is not complete waits for the rest.
package struct TerminalInputParser: Sendable {
  /// How long an escape may be the start of something, in milliseconds.
  static let patience: Int64 = 50

  /// How long nothing may come of a paste until a key that interrupts is that, in milliseconds.
  private static let pastePatience: Int64 = 1_000

  private var pending: [UInt8] = []
  /// When the last byte came.
  private var lastTime: Int64 = 0
  /// Whether the end of a paste is looked for that is longer than any title.
  private var dropsPaste = false

  /// Makes a parser that has seen nothing.
  package init() {}

  /// Whether an escape has come that may be the start of something, or a key.
  package var isWaiting: Bool { pending == [0x1b] }

  /// Takes bytes in; without any, an escape that has waited long enough is the key of that name.
  ///
  /// Half of anything else waits for the rest, which a slow line may bring late: it is no key.
  package mutating func parse(_ bytes: [UInt8], now: Int64) -> [TerminalInput] {
    if bytes.isEmpty {
      guard isWaiting, now - lastTime >= Self.patience else { return [] }
      pending = []
      return [.escape]
    }
    // The end of a paste may be lost on the line; then all keys would be text for ever.
    if bytes == [0x03], isPasting, now - lastTime >= Self.pastePatience {
      (pending, dropsPaste) = ([], false)
    }
    lastTime = now
    pending += bytes
    var inputs: [TerminalInput] = []
    while true {
      guard dropPaste(), let (input, count) = next() else { break }
      pending.removeFirst(count)
      if let input { inputs.append(input) }
    }
    return inputs
  }

  /// The first input and how many bytes it took; `nil` if more bytes are needed.
  private func next() -> (TerminalInput?, Int)? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1b: return sequence()
    case 0x0d, 0x0a: return (.enter, 1)
    case 0x7f, 0x08: return (.backspace, 1)
    case 0x09: return (.tab, 1)
    case 0x03: return (.interrupt, 1)
    case 0x01...0x1a: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
    case 0..<0x20: return (nil, 1)
    default: return character(first)
    }
  }

  private func character(_ first: UInt8) -> (TerminalInput?, Int)? {
    let count =
      switch first {
      case 0xc0..<0xe0: 2
      case 0xe0..<0xf0: 3
      case 0xf0..<0xf8: 4
      default: 1
      }
    // A byte that continues nothing begins the next input.
    let rest = pending.dropFirst().prefix(count - 1)
    if let end = rest.firstIndex(where: { $0 & 0xc0 != 0x80 }) { return (nil, end) }
    guard pending.count >= count else { return nil }
    let text = String(decoding: pending[..<count], as: UTF8.self)
    guard text.count == 1, let character = text.first, character != "\u{fffd}" else {
      return (nil, count)
    }
    return (.character(character), count)
  }

  private static let pasteStart = Array("\u{1b}[200~".utf8)
  private static let pasteEnd = Array("\u{1b}[201~".utf8)
  private static let longestPaste = 65_536

  private var isPasting: Bool { dropsPaste || pending.starts(with: Self.pasteStart) }

  /// Drops what is left of a paste that is longer than any title: none of it is keys.
  ///
  /// - Returns: Whether there is nothing more to drop.
  private mutating func dropPaste() -> Bool {
    if !dropsPaste, pending.count > Self.longestPaste, pending.starts(with: Self.pasteStart),
      pending.firstRange(of: Self.pasteEnd) == nil
    {
      dropsPaste = true
    }
    guard dropsPaste else { return true }
    guard let end = pending.firstRange(of: Self.pasteEnd) else {
      // The end itself may be cut.
      pending.removeFirst(max(0, pending.count - Self.pasteEnd.count + 1))
      return false
    }
    pending.removeFirst(end.upperBound)
    dropsPaste = false
    return true
  }

  /// What is pasted, up to its end.
  private func paste() -> (TerminalInput?, Int)? {
    let text = pending.dropFirst(Self.pasteStart.count)
    guard let end = text.firstRange(of: Self.pasteEnd) else { return nil }
    let words = String(decoding: text[..<end.lowerBound], as: UTF8.self)
    return (.paste(words), end.upperBound)
  }

  private func sequence() -> (TerminalInput?, Int)? {
    guard pending.count > 1 else { return nil }
    if pending.starts(with: Self.pasteStart) { return paste() }
    guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
      return (.escape, 1)
    }
    // Parameters, then one letter or a tilde; a control character is in no sequence.
    let isEnd = { (byte: UInt8) in byte >= 0x40 || byte < 0x20 }
    guard let end = pending.dropFirst(2).firstIndex(where: isEnd) else {
      return pending.count > 32 ? (nil, pending.count) : nil
    }
    // What was cut short is none, and the next one begins.
    guard pending[end] >= 0x20 else { return (nil, end) }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    return (TerminalInputParser.input(parameters, final: pending[end]), end + 1)
  }

  private static func input(_ parameters: String, final: UInt8) -> TerminalInput? {
    if parameters.hasPrefix("<") { return mouse(parameters.dropFirst(), final: final) }
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      let keys: [String: TerminalInput] = [
        "1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown,
        "3": .delete,
      ]
      return keys[String(parameters.prefix { $0 != ";" })]
    default: return nil
    }
  }

  private static func mouse(_ parameters: Substring, final: UInt8) -> TerminalInput? {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    let (button, column, line) = (numbers[0], numbers[1], numbers[2])
    // No terminal has other places.
    guard (1...65_535).contains(column), (1...65_535).contains(line) else { return nil }
    switch button {
    case 0 where final == UInt8(ascii: "M"): return .press(column: column, line: line)
    case 0: return .release(column: column, line: line)
    case 32: return .drag(column: column, line: line)
    case 64: return .wheel(lines: -3)
    case 65: return .wheel(lines: 3)
    default: return nil
    }
  }
}
