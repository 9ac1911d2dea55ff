import BetwixtTool
import Testing

@Suite struct ColorChoiceTests {
  @Test func autoAsksTheTerminalAndTheEnvironment() {
    var environment = Environment()
    #expect(ColorChoice.auto.usesColor(isTerminal: true, environment: environment))
    #expect(!ColorChoice.auto.usesColor(isTerminal: false, environment: environment))
    environment.noColor = ""
    #expect(ColorChoice.auto.usesColor(isTerminal: true, environment: environment))
    environment.noColor = "1"
    #expect(!ColorChoice.auto.usesColor(isTerminal: true, environment: environment))
    environment.noColor = nil
    environment.terminalKind = "dumb"
    #expect(!ColorChoice.auto.usesColor(isTerminal: true, environment: environment))
  }

  @Test func aWordBeatsTheEnvironment() {
    var environment = Environment()
    environment.noColor = "1"
    #expect(ColorChoice.always.usesColor(isTerminal: false, environment: environment))
    #expect(!ColorChoice.never.usesColor(isTerminal: true, environment: Environment()))
  }

  @Test func stylesAreEscapeSequencesOrNothing() {
    #expect(TextStyle(usesColor: true).bold("Day 1") == "\u{1b}[1mDay 1\u{1b}[0m")
    #expect(TextStyle(usesColor: true).bold("").isEmpty)
    #expect(TextStyle(usesColor: false).bold("Day 1") == "Day 1")
  }

  @Test(
    "The width is COLUMNS if that makes sense",
    arguments: [(nil, 80), ("120", 120), ("0", 80), ("-5", 80), ("wide", 80), ("99999999", 80)])
  func width(_ columns: String?, _ width: Int) {
    var environment = Environment()
    environment.columns = columns
    #expect(environment.width == width)
  }
}
