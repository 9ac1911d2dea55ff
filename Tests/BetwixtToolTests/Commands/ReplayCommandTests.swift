import BetwixtTool
import Foundation
import Testing

/// The verb `replay` gives the answers that were recorded of the engine.
@Suite struct ReplayCommandTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("BetwixtDragTests/Resources/sessions")

  private static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".effects.jsonl") }.map { String($0.dropLast(14)) }.sorted()
  }()

  @Test func thereAreRecordedSessions() { #expect(Self.names.count >= 10) }

  @Test(arguments: names) func theAnswersAreThoseThatWereRecorded(name: String) throws {
    let log = Self.folder.appendingPathComponent("\(name).jsonl").path
    let effects = Self.folder.appendingPathComponent("\(name).effects.jsonl")
    let expected = try String(contentsOf: effects, encoding: .utf8)
    let run = ToolRun("replay", "--json", log)
    #expect(run.code == .done && run.messages.isEmpty)
    #expect(run.output == expected)
    // For people: each answer below the event that it is for.
    let lines = ToolRun("replay", log).output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("  ") } == expected.split(separator: "\n").count)
    #expect(lines.first?.hasPrefix("2: ") == true)
  }
}
