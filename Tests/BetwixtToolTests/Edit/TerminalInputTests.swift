import BetwixtTool
import Testing

@Suite struct TerminalInputTests {
  private func parse(_ text: String) -> [TerminalInput] {
    var parser = TerminalInputParser()
    return parser.parse(Array(text.utf8))
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
      #expect(parser.parse(Array(bytes[..<cut])) + parser.parse(Array(bytes[cut...])) == [input])
    }
  }

  @Test func anEscapeAloneIsAKeyOnceNothingFollows() {
    var parser = TerminalInputParser()
    #expect(parser.parse([0x1b]).isEmpty && parser.isWaiting)
    #expect(parser.parse([]) == [.escape] && !parser.isWaiting)
    #expect(parser.parse([]).isEmpty)
    #expect(parse("\u{1b}\u{1b}[Aq") == [.escape, .up, .character("q")])
  }

  @Test func aPasteIsWaitedForButNotForEver() {
    var parser = TerminalInputParser()
    #expect(parser.parse(Array("\u{1b}[200~two ".utf8)).isEmpty)
    #expect(parser.parse([]).isEmpty)
    let rest = parser.parse(Array("words\u{1b}[201~q".utf8))
    #expect(rest == [.paste("two words"), .character("q")])
    #expect(parser.parse(Array("\u{1b}[200~".utf8)).isEmpty)
    #expect(parser.parse([UInt8](repeating: 0x78, count: 70_000)).isEmpty)
    #expect(parser.parse([0x71]) == [.character("q")])
  }

  @Test func nonsenseIsDropped() {
    #expect(parse("\u{1b}[99~\u{1b}[<9;9M\u{1b}[Zx") == [.character("x")])
    var parser = TerminalInputParser()
    #expect(parser.parse([0xff, 0x80, 0x1c, 0x41]) == [.character("A")])
  }

  @Test func textIsFittedByItsColumns() {
    #expect("Lunch".fitted(to: 8) == "Lunch   ")
    #expect("Lunch in town".fitted(to: 8) == "Lunch i…")
    #expect("漢字漢字".displayWidth == 8)
    #expect("漢字漢字".fitted(to: 6) == "漢字… ")
    #expect("e\u{301}".displayWidth == 1)
  }

  @Test func aWindowWithoutBoundsIsDrawnInPart() {
    let size = TerminalSize(columns: 65_535, lines: 65_535)
    #expect(size == TerminalSize(columns: 1_000, lines: 1_000))
  }
}
