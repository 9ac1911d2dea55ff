import Foundation
import Testing

/// The glossary of the documentation, held against the sources.
@Suite struct GlossaryTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of the table: the word, what it is, and what it is never called.
  private static func rows() throws -> [(word: String, meaning: String, never: [String])] {
    let page = root.appendingPathComponent("Sources/Betwixt/Betwixt.docc/Glossary.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst()
      .map { line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
          .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        let never = cells[2].components(separatedBy: ", ").filter { !$0.isEmpty }
        return (cells[0], cells[1], never)
      }
  }

  /// Sources and documentation, but the glossary itself.
  private static func texts() -> [(file: String, text: String)] {
    let files = FileManager.default.enumerator(
      at: root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
    var texts: [(file: String, text: String)] = []
    while let file = files?.nextObject() as? URL {
      guard ["swift", "md"].contains(file.pathExtension),
        file.lastPathComponent != "Glossary.md",
        let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      texts.append((file.lastPathComponent, text.lowercased()))
    }
    return texts
  }

  private static func expression(_ word: String) throws -> NSRegularExpression {
    try NSRegularExpression(
      pattern: #"\b"# + NSRegularExpression.escapedPattern(for: word.lowercased()) + #"s?\b"#)
  }

  private static func holds(_ expression: NSRegularExpression, _ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  @Test func eachWordIsUsedAndNoOtherOneForIt() throws {
    let rows = try Self.rows()
    let texts = Self.texts()
    #expect(rows.count > 20 && texts.count > 300, "the sources were not found")
    for row in rows {
      #expect(!row.meaning.isEmpty, "\(row.word) has no meaning")
      let word = try Self.expression(row.word)
      #expect(texts.count { Self.holds(word, $0.text) } > 2, "nobody says '\(row.word)'")
      for other in row.never {
        let expression = try Self.expression(other)
        for (file, text) in texts where Self.holds(expression, text) {
          Issue.record("\(file) says '\(other)' for '\(row.word)'")
        }
      }
    }
  }

  @Test func eachWordStandsOnce() throws {
    let words = try Self.rows().map(\.word)
    #expect(Set(words).count == words.count)
  }
}
