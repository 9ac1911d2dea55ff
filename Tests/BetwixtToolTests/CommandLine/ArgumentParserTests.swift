import BetwixtTool
import Testing

@Suite struct ArgumentParserTests {
  private static let parser = ArgumentParser(options: [.output, .json, .color, .help])

  private func parse(_ arguments: String...) throws -> ParsedArguments {
    try Self.parser.parse(arguments)
  }

  @Test(
    "A value may follow an option in four ways",
    arguments: [
      ["--output", "x.trip"], ["--output=x.trip"], ["-o", "x.trip"], ["-ox.trip"],
    ])
  func valueForms(_ arguments: [String]) throws {
    let parsed = try Self.parser.parse(arguments)
    #expect(parsed.value(of: .output) == "x.trip")
    #expect(parsed.operands.isEmpty)
  }

  @Test func optionsAndOperandsMayMix() throws {
    let parsed = try parse("a", "--json", "b", "-o", "-", "-", "c")
    #expect(parsed.operands == ["a", "b", "-", "c"])
    #expect(parsed.isSet(.json))
    #expect(!parsed.isSet(.help))
    #expect(parsed.value(of: .output) == "-")
    #expect(parsed.value(of: .color) == nil)
  }

  @Test func twoDashesEndTheOptions() throws {
    let parsed = try parse("--", "--json", "-o", "--")
    #expect(parsed.operands == ["--json", "-o", "--"])
    #expect(!parsed.isSet(.json))
  }

  @Test func anAttachedValueMayHoldAnything() throws {
    #expect(try parse("--output=--json").value(of: .output) == "--json")
    #expect(try parse("--output=a=b").value(of: .output) == "a=b")
  }

  @Test(
    "Refused with the reason",
    arguments: [
      (["--jsom"], "unknown option '--jsom'; did you mean '--json'?"),
      (["--wholly-unknown"], "unknown option '--wholly-unknown'"),
      (["--wholly-unknown=1"], "unknown option '--wholly-unknown'"),
      (["-x"], "unknown option '-x'"),
      (["--json", "--json"], "option '--json' is given twice"),
      (["-o", "a", "--output=b"], "option '--output' is given twice"),
      (["--json=1"], "option '--json' takes no value"),
      (["-hx"], "option '--help' takes no value"),
      (["--output"], "option '--output' needs a value: FILE"),
      (["--output="], "option '--output' needs a value: FILE"),
      (["-o", "--json"], "option '--output' needs a value: FILE"),
    ])
  func refusals(_ arguments: [String], _ problem: String) {
    #expect(throws: ArgumentParser.Refusal(problem: problem)) {
      try Self.parser.parse(arguments)
    }
  }
}
