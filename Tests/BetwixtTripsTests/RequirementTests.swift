import Foundation
import Testing

/// The table of requirements in the module's documentation, held against the tests themselves.
@Suite struct RequirementTests {
  private struct Demand {
    let id: String
    let tests: [String]
  }

  private static let ids = [
    "DATA-01", "DATA-02", "DATA-03", "DATA-04", "DATA-05", "CONS-01", "CONS-02", "CONS-03",
    "CONS-04", "FLAT-01", "FLAT-02", "FLAT-03", "PERS-01", "PERS-02", "PERS-03",
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private let page: String
  /// The tests as `Suite.function`, with the attribute in front of each.
  private let attributes: [String: String]

  init() throws {
    let catalogue = "../../Sources/BetwixtTrips/BetwixtTrips.docc/Requirements.md"
    page = try String(
      contentsOf: RequirementTests.folder.appendingPathComponent(catalogue), encoding: .utf8)
    attributes = try RequirementTests.testsOfThisModule()
  }

  // A suite is a struct that is not indented, a test the function that follows an attribute.
  private static func testsOfThisModule() throws -> [String: String] {
    var tests: [String: String] = [:]
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      var suite = ""
      var attribute: String?
      for line in text.split(separator: "\n") {
        if let name = name(in: line, after: "struct "), !line.hasPrefix(" ") { suite = name }
        if line.hasPrefix("  @Test") { attribute = "" }
        attribute?.append(contentsOf: line)
        if let name = name(in: line, after: "  func ") ?? name(in: line, after: ") func "),
          let found = attribute
        {
          tests["\(suite).\(name)"] = found
          attribute = nil
        }
        if let name = name(in: line, after: "  @Test func "), let found = attribute {
          tests["\(suite).\(name)"] = found
          attribute = nil
        }
      }
    }
    return tests
  }

  private static func name(in line: Substring, after word: String) -> String? {
    guard let start = line.range(of: word) else { return nil }
    let name = line[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }

  /// The words in back quotes that name a test.
  private static func testNames(in text: some StringProtocol) -> [String] {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
      .filter { $0.contains("Tests.") }
  }

  private var table: [Demand] {
    page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 3, cells[0].contains("-0") else { return nil }
      return Demand(id: cells[0], tests: RequirementTests.testNames(in: cells[2]))
    }
  }

  @Test func theTableHasEveryDemandOnce() {
    #expect(table.map(\.id) == RequirementTests.ids)
    #expect(table.allSatisfy { !$0.tests.isEmpty })
  }

  @Test func everyTestOfTheTableExistsAndNamesItsDemand() {
    for demand in table {
      for test in demand.tests {
        let attribute = attributes[test]
        #expect(attribute != nil, "no test \(test)")
        #expect(attribute?.contains(demand.id) ?? false, "\(test) does not name \(demand.id)")
      }
    }
  }

  @Test func everyTestThatNamesADemandStandsInItsRow() {
    for (test, attribute) in attributes {
      for id in RequirementTests.ids where attribute.contains(id) {
        let row = table.first { $0.id == id }
        #expect(row?.tests.contains(test) ?? false, "\(test) is not in the row of \(id)")
      }
    }
  }

  @Test func everyOtherTestOfThePageExists() {
    let names = RequirementTests.testNames(in: page)
    #expect(names.count > RequirementTests.ids.count)
    for name in names { #expect(attributes[name] != nil, "no test \(name)") }
    // The reader of the sources sees none that is not there.
    #expect(attributes["RequirementTests.noSuchTest"] == nil)
    #expect(attributes["RequirementTests.everyOtherTestOfThePageExists"] != nil)
  }
}
