import Foundation
import Testing

/// The table of the documentation names tests that exist.
struct RequirementTableTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test("Every cell names a test that carries the id of its row")
  func rowsNameTests() throws {
    let table = RequirementTableTests.tests
      .appendingPathComponent("../../Sources/BetwixtDrag/BetwixtDrag.docc/Requirements.md")
    let suites = try RequirementTableTests.suites()
    var ids: Set<Substring> = []
    for line in try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("| ") && line.contains("Tests.") {
      let cells = line.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }
      let id = cells[0].prefix { !$0.isWhitespace }
      ids.insert(id)
      for name in cells[2...].joined(separator: ",").split(whereSeparator: { "`, ".contains($0) })
      where name != "–" {
        let parts = name.split(separator: ".")
        let source = try #require(suites[String(parts[0])], "\(name)")
        #expect(source.contains("func \(parts[1])("), "\(name)")
        #expect(source.contains("\"\(id):"), "\(name) does not carry \(id)")
      }
    }
    #expect(ids.count == 71)
  }

  /// The sources of the suites by name.
  private static func suites() throws -> [String: String] {
    var suites: [String: String] = [:]
    for folder in ["Requirements", "Criteria"].map({ tests.appendingPathComponent($0) }) {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        suites[String(file.dropLast(".swift".count))] = source
      }
    }
    return suites
  }
}
