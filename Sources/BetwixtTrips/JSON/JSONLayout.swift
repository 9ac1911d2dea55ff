/// An array or object of a JSON text, cut into its parts with the white space around each, so that
/// it can be put together again with some of them changed and all others as they stood.
///
/// The text was read before, so nothing here can fail.
struct JSONLayout {
  /// One element, or one member.
  private struct Part {
    /// The white space in front of it.
    var leading: ArraySlice<UInt8>

    /// The name with its quotes; empty in an array.
    var name: ArraySlice<UInt8> = []

    /// The colon and the white space around it; empty in an array.
    var colon: ArraySlice<UInt8> = []

    var value: ArraySlice<UInt8>

    /// The white space behind it.
    var trailing: ArraySlice<UInt8> = []
  }

  /// One part of a container that is put together.
  enum Piece {
    /// One that was there, by its place, with its value or another one.
    case old(Int, [UInt8]?)

    /// One that is new; the name has its quotes, and is empty in an array.
    case new(name: [UInt8], [UInt8])
  }

  private var parts: [Part] = []

  private let isObject: Bool

  // The white space of a container without parts.
  private var inside: ArraySlice<UInt8> = []

  /// Cuts the container that begins at a byte.
  ///
  /// - Complexity: O(*n*) for its bytes
  init(_ text: [UInt8], at start: Int) {
    var cursor = Cursor(text: text, place: start)
    isObject = cursor.byte == UInt8(ascii: "{")
    cursor.place += 1
    var leading = cursor.space()
    guard cursor.byte != UInt8(ascii: "}"), cursor.byte != UInt8(ascii: "]") else {
      inside = leading
      return
    }
    while true {
      var part = Part(leading: leading, value: [])
      if isObject {
        part.name = cursor.value()
        part.colon = cursor.colon()
      }
      part.value = cursor.value()
      part.trailing = cursor.space()
      parts.append(part)
      guard cursor.byte == UInt8(ascii: ",") else { return }
      cursor.place += 1
      leading = cursor.space()
    }
  }

  // The white space between two parts; where there never were two, that before the only one.
  private var between: ArraySlice<UInt8> { (parts.dropFirst().first ?? parts.first)?.leading ?? [] }

  private var spaceBeforeComma: ArraySlice<UInt8> { parts.count > 1 ? parts[0].trailing : [] }

  /// The container put together of some of its parts and of new ones, which get the white space
  /// that their neighbours have.
  ///
  /// - Complexity: O(*n*) for its bytes
  func bytes(of pieces: [Piece]) -> [UInt8] {
    var bytes: [UInt8] = [isObject ? UInt8(ascii: "{") : UInt8(ascii: "[")]
    for (index, piece) in pieces.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      let part = part(piece, isFirst: index == 0, isLast: index == pieces.count - 1)
      for text in [part.leading, part.name, part.colon, part.value, part.trailing] {
        bytes.append(contentsOf: text)
      }
    }
    if pieces.isEmpty { bytes.append(contentsOf: inside) }
    bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    return bytes
  }

  private func part(_ piece: Piece, isFirst: Bool, isLast: Bool) -> Part {
    var part: Part
    switch piece {
    case .old(let index, let value):
      part = parts[index]
      if let value { part.value = value[...] }
      if index == 0 { part.leading = between }
      if index == parts.count - 1 { part.trailing = spaceBeforeComma }
    case .new(let name, let value):
      part = Part(leading: between, value: value[...], trailing: spaceBeforeComma)
      part.name = name[...]
      if isObject { part.colon = parts.first?.colon ?? [UInt8(ascii: ":")] }
    }
    if isFirst { part.leading = parts.first?.leading ?? inside }
    if isLast { part.trailing = parts.last?.trailing ?? inside }
    return part
  }

  /// Where the value ends that begins at a byte.
  static func end(_ text: [UInt8], from start: Int) -> Int {
    var cursor = Cursor(text: text, place: start)
    _ = cursor.value()
    return cursor.place
  }
}

extension JSONLayout {
  // Goes over a text that is known to be JSON.
  private struct Cursor {
    let text: [UInt8]
    var place: Int

    var byte: UInt8? { place < text.count ? text[place] : nil }

    mutating func space() -> ArraySlice<UInt8> {
      let start = place
      while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { place += 1 }
      return text[start..<place]
    }

    mutating func colon() -> ArraySlice<UInt8> {
      let start = place
      _ = space()
      if byte == UInt8(ascii: ":") { place += 1 }
      _ = space()
      return text[start..<place]
    }

    mutating func value() -> ArraySlice<UInt8> {
      let start = place
      var depth = 0
      repeat {
        switch byte {
        case UInt8(ascii: "\"")?: skipString()
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
          depth += 1
          place += 1
        case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
          depth -= 1
          place += 1
        case nil: depth = 0
        case _? where depth > 0: place += 1
        default: skipWord()
        }
      } while depth > 0
      return text[start..<place]
    }

    private mutating func skipString() {
      place += 1
      while let byte, byte != UInt8(ascii: "\"") {
        place += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      place = min(place + 1, text.count)
    }

    // A number, or one of the three words.
    private mutating func skipWord() {
      while let byte, byte > 0x20, byte != UInt8(ascii: ","), byte != UInt8(ascii: "]"),
        byte != UInt8(ascii: "}")
      {
        place += 1
      }
    }
  }
}
