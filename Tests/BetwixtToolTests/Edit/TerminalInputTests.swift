import BetwixtTool
import Testing

@Suite struct TerminalInputTests {
  private func parse(_ text: String) -> [TerminalInput] {
    var parser = TerminalInputParser()
    return parser.parse(Array(text.utf8), now: 0)
  }

  @Test(arguments: [
    ("\u{1b}[A", TerminalInput.up), ("\u{1b}OB", .down), ("\u{1b}[5~", .pageUp),
    ("\u{1b}[6~", .pageDown), ("\u{1b}[H", .home), ("\u{1b}[4~", .end), ("\u{1b}[3~", .delete),
    ("\u{1b}[C", .right), ("\u{1b}[D", .left),
    ("\u{1a}", .control("z")), ("\u{1}", .control("a")), ("\r", .enter), ("\u{7f}", .backspace),
    ("\u{3}", .interrupt), (" ", .character(" ")),
    ("é", .character("é")), ("\u{1b}[<0;10;4M", .press(column: 10, line: 4)),
    ("\u{1b}[<32;11;5M", .drag(column: 11, line: 5)),
    ("\u{1b}[200~x\rq\u{1b}[A\u{1b}[201~", .paste("x\rq\u{1b}[A")),
    ("\u{1b}[<0;11;5m", .release(column: 11, line: 5)), ("\u{1b}[<65;1;1M", .wheel(lines: 3)),
  ])
  func keysAndClicks(text: String, input: TerminalInput) {
    #expect(parse(text) == [input])
    // Cut anywhere, it is the same.
    for cut in 1..<max(2, text.utf8.count) where text.utf8.count > 1 {
      var parser = TerminalInputParser()
      let bytes = Array(text.utf8)
      let first = parser.parse(Array(bytes[..<cut]), now: 0)
      // A slow line is no key, unless what came is one.
      let between = cut == 1 ? [] : parser.parse([], now: 9_000)
      #expect(first + between + parser.parse(Array(bytes[cut...]), now: 9_001) == [input])
    }
  }

  @Test func anEscapeAloneIsAKeyOnceNothingFollows() {
    var parser = TerminalInputParser()
    #expect(parser.parse([0x1b], now: 100).isEmpty && parser.isWaiting)
    // Whoever waits may have been woken by something else.
    #expect(parser.parse([], now: 116).isEmpty && parser.isWaiting)
    #expect(parser.parse([], now: 150) == [.escape] && !parser.isWaiting)
    #expect(parser.parse([], now: 900).isEmpty)
    #expect(parse("\u{1b}\u{1b}[Aq") == [.escape, .up, .character("q")])
  }

  @Test func whatIsPastedMayTakeItsTime() {
    var parser = TerminalInputParser()
    #expect(parser.parse(Array("\u{1b}[200~two ".utf8), now: 0).isEmpty)
    #expect(parser.parse([], now: 9_000).isEmpty)
    let rest = parser.parse(Array("words\u{1b}[201~q".utf8), now: 9_000)
    #expect(rest == [.paste("two words"), .character("q")])
  }

  /// The end of a paste may be lost: then Ctrl-C is a key again, once nothing more comes.
  @Test(arguments: [3, 70_000]) func aPasteWithoutAnEndIsInterrupted(count: Int) {
    var parser = TerminalInputParser()
    let text = Array("\u{1b}[200~".utf8) + [UInt8](repeating: 0x78, count: count)
    #expect(parser.parse(text, now: 0).isEmpty)
    #expect(parser.parse([0x03], now: 900).isEmpty)
    #expect(parser.parse([], now: 1_800).isEmpty)
    #expect(parser.parse([0x03], now: 1_900) == [.interrupt])
    #expect(parser.parse([0x71], now: 1_901) == [.character("q")])
  }

  /// None of it is keys, however much there is and wherever it is cut.
  @Test(arguments: [70_000, 65_536, 3]) func aPasteLongerThanAnyTitleIsDropped(first: Int) {
    var parser = TerminalInputParser()
    #expect(parser.parse(Array("\u{1b}[200~".utf8), now: 0).isEmpty)
    #expect(parser.parse([UInt8](repeating: 0x78, count: first), now: 0).isEmpty)
    #expect(parser.parse([UInt8](repeating: 0x78, count: 72_000), now: 0).isEmpty)
    #expect(parser.parse(Array("x\u{1b}[Ax\u{1b}[20".utf8), now: 0).isEmpty)
    #expect(parser.parse([], now: 9_000).isEmpty)
    #expect(parser.parse(Array("1~q".utf8), now: 9_000) == [.character("q")])
  }

  @Test func anEscapeBeginsAnew() {
    #expect(parse("\u{1b}[<0;5\u{1b}[Aq") == [.up, .character("q")])
    #expect(parse("\u{1b}[<35;12\u{1b}[200~xx\u{1b}[201~q") == [.paste("xx"), .character("q")])
  }

  @Test func halfACharacterWaitsForItsRest() {
    var parser = TerminalInputParser()
    #expect(parser.parse([0xc3], now: 0).isEmpty && !parser.isWaiting)
    #expect(parser.parse([], now: 9_000).isEmpty)
    #expect(parser.parse([0xa9], now: 9_000) == [.character("é")])
    // What does not go on with it is an input of its own.
    #expect(parser.parse([0xe2, 0x82], now: 9_000).isEmpty)
    #expect(parser.parse([0x71, 0x1b, 0x5b, 0x41], now: 9_000) == [.character("q"), .up])
  }

  @Test(arguments: [
    "0;5;-9223372036854775808", "0;0;4", "0;65536;4", "32;-1;4", "0;99999999999999999999;4",
  ])
  func aPlaceThatNoTerminalHasIsDropped(report: String) {
    #expect(parse("\u{1b}[<\(report)Mq") == [.character("q")])
  }

  @Test func nonsenseIsDropped() {
    #expect(parse("\u{1b}[99~\u{1b}[<9;9M\u{1b}[Zx") == [.character("x")])
    var parser = TerminalInputParser()
    #expect(parser.parse([0xff, 0x80, 0x1c, 0x41], now: 0) == [.character("A")])
  }

  @Test func textIsFittedByItsColumns() {
    #expect("Lunch".fitted(to: 8) == "Lunch   ")
    #expect("Lunch in town".fitted(to: 8) == "Lunch i…")
    #expect("漢字漢字".displayWidth == 8)
    #expect("漢字漢字".fitted(to: 6) == "漢字… ")
    #expect("e\u{301}".displayWidth == 1)
    let marks = String(repeating: "\u{200b}", count: 3)
    #expect("Lunch\(marks)".fitted(to: 5) == "Lunch\(marks)")
    #expect("Lunch\(marks)es".fitted(to: 6) == "Lunch\(marks)…")
  }

  @Test func aWindowWithoutBoundsIsDrawnInPart() {
    let size = TerminalSize(columns: 65_535, lines: 65_535)
    #expect(size == TerminalSize(columns: 1_000, lines: 1_000))
  }
}
