import BetwixtTool
import Foundation
import Testing

/// The report on round trips says what the command says, loss by loss.
@Suite struct RoundTripCommandTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../BetwixtTripsTests/Resources/formats")

  /// The cells of a row, without the spaces around them.
  private static func rows() throws -> [[String]] {
    let report = folder.appendingPathComponent("ROUND-TRIPS.md")
    return try String(contentsOf: report, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && $0.contains("/") }
      .map { line in
        line.replacing("\\|", with: "\u{0}").dropFirst().dropLast().split(
          separator: "|", omittingEmptySubsequences: false
        ).map { $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
      }
  }

  @Test func whatTheReportNamesTheCommandNames() throws {
    let device = try TestDevice()
    let rows = try RoundTripCommandTests.rows()
    #expect(rows.count >= 60)
    let formats = [
      "iCalendar": "ics", "CSV": "csv", "GPX": "gpx", "Markdown": "md", "Org mode": "org",
      "TaskPaper": "taskpaper", "todo.txt": "todo.txt", "Taskwarrior JSON": "taskwarrior",
    ]
    for row in rows {
      let path = RoundTripCommandTests.folder.appendingPathComponent(row[0]).path
      let document = device.path("\(row[0].replacing("/", with: "-")).trip")
      let taken = device.run("import", path, "-o", document)
      #expect(taken.code == .done, "\(row[0]): \(taken.messages)")
      let notes = taken.messages.split(separator: "\n").filter { $0.hasPrefix(path) }
        .map { $0.dropFirst(path.count + 1) }
      #expect(notes.joined(separator: "; ") == row[7], "\(row[0])")
      guard let format = formats[row[2]] else { continue }
      let written = device.run("export", "--format", format, document)
      #expect(written.code == .done, "\(row[0]): \(written.messages)")
      if row[6].isEmpty {
        #expect(!written.messages.contains("not written"), "\(row[0]): \(written.messages)")
      } else {
        #expect(written.messages.contains(row[6]), "\(row[0]): \(written.messages)")
      }
    }
  }
}
