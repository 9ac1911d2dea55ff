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
}
