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

  @Test func aVeryLongWordCostsLittle() {
    #expect(NearestName.of(String(repeating: "merge", count: 100_000), among: Self.names) == nil)
  }
}
