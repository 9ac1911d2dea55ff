import Betwixt
import BetwixtDrag
import BetwixtTool
import BetwixtTrips
import TestSupport
import Testing

/// A line that is typed in the editor, whatever happens meanwhile.
@Suite struct EditTypingTests {
  /// Removes the first item as somebody else.
  private func removeFirst(_ desk: inout EditHostTests.Desk) throws {
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_780_000_000_000 }
    var list = desk.document.list
    try list.remove(list[0].id, by: &other)
    desk.document = DragDocument(list)
    desk.host.showNews(list, changes: desk.host.trip.list.difference(to: list), now: 500)
  }

  private func type(_ text: String, on desk: inout EditHostTests.Desk) {
    for character in text { desk.take(.character(character)) }
  }

  /// A title, a note, a time that is none: what is typed on is no command, and all of it is said.
  @Test(arguments: ["e", "n", "t"], [TerminalInput.enter, .escape])
  func whatIsTypedForARemovedItemIsHandedBack(key: Character, end: TerminalInput) throws {
    var desk = try EditHostTests.Desk()
    desk.take(.character(key), .control("u"))
    type("call ", on: &desk)
    try removeFirst(&desk)
    #expect(desk.screen[10].hasSuffix(": call _"), "\(desk.screen[10])")
    #expect(desk.screen[11] == " Its item is gone. Return hands the text ba…")
    type("x q", on: &desk)
    #expect(!desk.host.isDone && desk.document.list.count == 4)
    desk.take(end)
    #expect(desk.screen[10] == " Museum was removed elsewhere. You had")
    #expect(desk.screen[11] == " typed: call x q")
    #expect(desk.commitCount == 0 && desk.host.isAtRest)
    desk.take(.character("x"))
    #expect(desk.commitCount == 1)
  }

  @Test func aLineInWhichNothingWasTypedTakesKeysAllTheSame() throws {
    var desk = try EditHostTests.Desk()
    desk.take(.character("e"))
    try removeFirst(&desk)
    type("!", on: &desk)
    #expect(desk.screen[10] == " Title: Museum!_")
    desk.take(.backspace, .enter)
    #expect(desk.screen[10] == " Museum was removed elsewhere.")
    #expect(desk.commitCount == 0)
  }

  @Test func aLongLineIsDrawnInNoTime() throws {
    var desk = try EditHostTests.Desk()
    let words = String(repeating: "wide 漢字 ", count: 4_000)
    let marks = String(repeating: "é\u{200b}", count: 8_000)
    desk.take(.character("e"), .control("u"), .paste(words + marks + "end"))
    let clock = ContinuousClock()
    // Where each character looked at all others it took many seconds.
    let time = clock.measure { _ = desk.screen }
    #expect(time < .seconds(5), "\(time)")
    #expect(desk.screen[10].hasSuffix("end_"))
    #expect(desk.screen[10].displayWidth == 43)
  }

  @Test func onlyWhatIsRecordedIsKept() throws {
    let desk = try EditHostTests.Desk()
    #expect(desk.host.events.isEmpty)
    let host = EditHost(
      desk.host.trip, size: TerminalSize(columns: 44, lines: 12), isRecording: true)
    #expect(host.events.count == 3)
  }
}
