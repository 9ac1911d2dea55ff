import Betwixt
import Foundation
import Testing

/// The example of the README, word for word, so that it always compiles and holds.
@Suite struct ReadmeTests {
  @Test func theExampleHolds() throws {
    // The example begins here.
    var phone = Replica(id: ReplicaID(rawValue: 0x5eed_0001), clock: { 1_780_000_000_000 })
    var tablet = Replica(id: ReplicaID(rawValue: 0x5eed_0002), clock: { 1_780_000_060_000 })
    var here = ReplicatedList(id: ListID(high: 1, low: 1))
    let museum = try here.append(["title": "Museum"], by: &phone)
    try here.append(["title": "Lunch"], by: &phone)
    var there = here  // a copy for the tablet; both go offline
    try here.set("title", of: museum, to: "Museum of Pop Culture", by: &phone)
    try there.move(museum, toOffset: 2, by: &tablet)
    let changes = here.merge(there.delta(since: here.version))
    there.merge(here.delta(since: there.version))
    assert(here == there && changes.moved.count == 1)  // Lunch, Museum of Pop Culture
    // The example ends here.
    #expect(here == there)
    #expect(changes.moved.count == 1)
    #expect(here.map { $0["title"]?.string } == ["Lunch", "Museum of Pop Culture"])
  }

  @Test func theReadmeShowsThisExample() throws {
    let here = URL(fileURLWithPath: #filePath)
    let source = try String(contentsOf: here, encoding: .utf8)
    let example = try #require(
      source.components(separatedBy: "// The example begins here.\n").dropFirst().first?
        .components(separatedBy: "    // The example ends here.").first)
    let lines = example.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
    let package = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(
      contentsOf: package.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\nimport Betwixt\n\n\(lines)\n```"))
  }
}
