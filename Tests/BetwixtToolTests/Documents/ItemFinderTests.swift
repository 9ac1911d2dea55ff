import Betwixt
import BetwixtTool
import Testing

/// How items are named on the command line.
@Suite struct ItemFinderTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try #require(device.run("new", "--days", "3", device.path()).code == .done)
    for number in 1...14 {
      let title = number > 12 ? "Walk \(number)" : "Lunch"
      let run = device.run("add", device.path(), "--day", "1", "--title", title)
      try #require(run.code == .done)
    }
  }

  @Test func aRowATitleAndAnIDNameAnItem() throws {
    let last = try #require(try device.list().last)
    for words in ["1.14", "Walk 14", "walk 14", last.id.uuid, last.id.description] {
      let run = device.run("set", "--dry-run", device.path(), words, "note=x")
      #expect(run.code == .done && run.output.contains("Walk 14"), "\(words): \(run.messages)")
    }
    #expect(device.run("set", device.path(), "1.15", "note=x").code == .negative)
  }

  /// Many items of one name are counted, and some of them named.
  @Test func manyOfOneNameAreCounted() {
    let run = device.run("remove", device.path(), "Lunch")
    #expect(run.code == .negative)
    #expect(run.messages.contains("12 shown items of"), "\(run.messages)")
    #expect(run.messages.contains("1.10 and 2 more; name one of them by that"), "\(run.messages)")
    #expect(!run.messages.contains("1.11"))
  }

  @Test func someRowsAreRemovedAtOnce() throws {
    let run = device.run("remove", device.path(), "1.1", "1.2", "Walk 13")
    #expect(run.code == .done, "\(run.messages)")
    #expect(try device.list().count == 11)
    // The removed one is named by what it was called.
    #expect(device.run("restore", device.path(), "Walk 13").code == .done)
  }
}
