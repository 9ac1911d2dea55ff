import BetwixtTool
import Testing

@Suite struct NearestNameTests {
  private static let names = ["demo", "import", "show", "merge", "diff", "digest"]

  @Test(
    "A slip leads to the name that was meant",
    arguments: [
      ("demo", "demo"), ("mrege", "merge"), ("marge", "merge"), ("shwo", "show"),
      ("shows", "show"), ("imprt", "import"), ("dgest", "digest"), ("dif", "diff"),
    ])
  func slips(_ typed: String, _ meant: String) {
    #expect(NearestName.of(typed, among: Self.names) == meant)
  }

  @Test("Something else leads nowhere", arguments: ["", "explode", "x", "mergemerge", "トリップ"])
  func strangers(_ typed: String) {
    #expect(NearestName.of(typed, among: Self.names) == nil)
  }

  /// Of half a million letters the first 64 are compared: nothing behind them is an edit.
  @Test func aVeryLongWordCostsLittle() {
    let name = String(repeating: "n", count: 64)
    #expect(NearestName.of(name + String(repeating: "e", count: 500_000), among: [name]) == name)
  }
}
