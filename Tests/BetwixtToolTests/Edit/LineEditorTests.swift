import BetwixtTool
import TestSupport
import Testing

@Suite struct LineEditorTests {
  private func typed(_ text: String, _ inputs: [TerminalInput]) -> String {
    var line = LineEditor(text)
    for input in inputs { _ = line.take(input) }
    return line.parts.before + "|" + line.parts.after
  }

  @Test(arguments: [
    ([TerminalInput.left, .character("x")], "Luncx|h"),
    ([.home, .delete], "|unch"), ([.home, .right, .backspace], "|unch"),
    ([.control("a"), .character("A")], "A|Lunch"), ([.left, .left, .control("k")], "Lun|"),
    ([.left, .left, .control("u")], "|ch"), ([.control("w")], "|"),
    ([.home, .left, .backspace], "|Lunch"), ([.end, .right, .delete], "Lunch|"),
    ([.paste(" at\nsea")], "Lunch at sea|"), ([.paste(" at sea"), .control("w")], "Lunch at |"),
  ])
  func keysOfALine(_ inputs: [TerminalInput], _ result: String) {
    #expect(typed("Lunch", inputs) == result)
  }

  @Test func aMarkJoinsTheCharacterBeforeIt() {
    #expect(typed("e", [.character("\u{301}"), .backspace]) == "|")
  }

  @Test func otherKeysAreNoneOfItsOwn() {
    var line = LineEditor("x")
    #expect(line.take(.up) == nil && line.take(.enter) == nil)
    #expect(line.take(.left) == false && line.take(.character("y")) == true)
    #expect(line.text == "yx")
  }

  @Test func whatIsTypedAtRandomIsWhatAModelHolds() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var line = LineEditor("")
      var (before, after): ([Character], [Character]) = ([], [])
      for _ in 0..<60 {
        switch random.next() % 6 {
        case 0:
          _ = line.take(.left)
          if let last = before.popLast() { after.insert(last, at: 0) }
        case 1:
          _ = line.take(.right)
          if !after.isEmpty { before.append(after.removeFirst()) }
        case 2:
          _ = line.take(.backspace)
          _ = before.popLast()
        case 3:
          _ = line.take(.delete)
          if !after.isEmpty { after.removeFirst() }
        default:
          let letter: Character = ["a", "é", "🏟️", " "][Int(random.next() % 4)]
          _ = line.take(.character(letter))
          before.append(letter)
        }
        #expect(line.parts == (String(before), String(after)), "seed \(seed)")
      }
    }
  }
}
