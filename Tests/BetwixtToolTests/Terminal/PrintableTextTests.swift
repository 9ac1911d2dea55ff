import BetwixtTool
import Testing

@Suite struct PrintableTextTests {
  @Test func ordinaryTextIsLeftAlone() {
    let text = "Día 1 – Ωμέγα 🚋 e\u{301}"
    #expect(text.printable.utf8.elementsEqual(text.utf8))
  }

  @Test(
    "What would act on a terminal is made visible",
    arguments: [
      ("\u{1b}[31mred", "\u{fffd}[31mred"), ("a\u{7}b", "a\u{fffd}b"), ("a\u{9b}2J", "a\u{fffd}2J"),
      ("a\nb\r\tc", "a b  c"), ("a\u{202e}b", "a\u{fffd}b"), ("a\u{2028}b", "a b"),
    ])
  func hostileText(_ text: String, _ shown: String) { #expect(text.printable == shown) }

  @Test(
    "In JSON it is an escape, which says the same",
    arguments: [
      ("{\"a\":\"x\u{202e}y\"}", #"{"a":"x\u202ey"}"#), ("\u{9b}2J", #"\u009b2J"#),
      ("Día 1 🚋", "Día 1 🚋"), ("\u{10feff}", #"\udbff\udeff"#), ("{}", "{}"),
    ])
  func hostileJSON(_ text: String, _ shown: String) {
    #expect(text.printableJSON.utf8.elementsEqual(shown.utf8))
  }

  @Test func noCommandPrintsItInJSON() throws {
    let device = try TestDevice()
    let (trip, old) = (device.path(), device.path("old.json"))
    try #require(device.run("new", "--name", "Rome", "--days", "3", trip).code == .done)
    try #require(device.run("export", trip, "-o", old).code == .done)
    let title = "a\u{202e}b"
    #expect(device.run("add", trip, "--day", "1", "--title", title).code == .done)
    for arguments in [["show", "--json", trip], ["diff", "--json", old, trip]] {
      let run = device.run(arguments)
      #expect(run.output.contains(#""a\u202eb""#), "\(arguments)")
      #expect(!run.output.unicodeScalars.contains("\u{202e}"), "\(arguments)")
    }
  }
}
