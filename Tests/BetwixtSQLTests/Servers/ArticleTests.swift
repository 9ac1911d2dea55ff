import Foundation
import Testing

/// The article "A server in front of PostgreSQL" shows the code that runs here.
@Suite struct ArticleTests {
  @Test func theCodeOfTheArticleIsTheCodeOfTheTests() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BetwixtSQL/BetwixtSQL.docc/AServerOnADatabase.md"), encoding: .utf8)
    let code = try String(
      contentsOf: here.appendingPathComponent("DatabaseServer.swift"), encoding: .utf8)
    let shown = try #require(code.components(separatedBy: "// MARK: The article\n\n").last)
    let trimmed = shown.trimmingCharacters(in: .newlines)
    #expect(trimmed.split(separator: "\n").count > 60)
    #expect(article.contains("```swift\n\(trimmed)\n```"))
  }
}
