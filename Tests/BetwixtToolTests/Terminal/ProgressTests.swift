import BetwixtTool
import Testing

/// Progress is for people who wait: not before a second, and gone at the end.
@Suite struct ProgressTests {
  private final class Clock {
    var now: Int64 = 50
  }

  private let clock = Clock()
  private let sink = MemorySink(isTerminal: true)
  private let progress: Progress

  init() {
    progress = Progress(sink) { [clock] in clock.now }
  }

  @Test func whatIsQuickShowsNothing() {
    clock.now += 999
    progress.show("half")
    progress.finish()
    #expect(sink.text.isEmpty)
  }

  @Test func whatTakesASecondShowsALineAndErasesIt() {
    clock.now += 1_000
    progress.show("one")
    clock.now += 199
    progress.show("too soon")
    clock.now += 1
    progress.show("two\n")
    progress.finish()
    #expect(sink.text == "\rone\u{1b}[K\rtwo \u{1b}[K\r\u{1b}[K")
    progress.finish()
    #expect(sink.text.hasSuffix("\rtwo \u{1b}[K\r\u{1b}[K"))
  }
}
