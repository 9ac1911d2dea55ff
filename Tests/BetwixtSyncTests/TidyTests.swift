import Foundation
import Testing

/// How the module is built, so that nothing reachable from bytes can trap: a search of its sources.
@Suite struct TidyTests {
  private struct Line {
    let file: String
    let number: Int
    let text: String
  }

  /// All lines of code of the module, without comments.
  private static let lines: [Line] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/BetwixtSync")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var lines: [Line] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift",
        let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let code = line.components(separatedBy: "//").first ?? ""
        lines.append(Line(file: file.lastPathComponent, number: index + 1, text: code))
      }
    }
    return lines
  }()

  private static func matches(_ pattern: String) throws -> [Line] {
    let expression = try NSRegularExpression(pattern: pattern)
    return lines.filter { line in
      let range = NSRange(line.text.startIndex..., in: line.text)
      return expression.firstMatch(in: line.text, range: range) != nil
    }
  }

  private static func expectNone(
    _ pattern: String, except allowed: Set<String> = [],
    location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(lines.count > 3_000, "the sources were not found", sourceLocation: location)
    for line in try matches(pattern) where !allowed.contains(line.file) {
      Issue.record("\(line.file):\(line.number): \(line.text)", sourceLocation: location)
    }
  }

  @Test func nothingIsForced() throws {
    try Self.expectNone(#"\btry!|\bas!|fatalError|preconditionFailure|unsafelyUnwrapped"#)
    // A name, a bracket or a parenthesis with a mark of force behind it.
    try Self.expectNone(#"[\w\])]!(?!=)"#)
  }

  @Test func preconditionsGuardCallersOnly() throws {
    // Block and FolderHeads: which kind a caller makes. SealedBlock: the same. Frame: what a caller
    // sends. SharedFolder: the caller's own list.
    try Self.expectNone(
      #"\bprecondition\("#,
      except: [
        "Block.swift", "FolderHeads.swift", "SealedBlock.swift", "Frame.swift",
        "SharedFolder.swift",
      ])
  }

  @Test func decodersDoNotCountOnTheirInput() throws {
    // Where numbers come out of bytes, sums and products report their overflow or are bounded by
    // what was checked: the only plain arithmetic there is on offsets and counts of the Reader.
    let decoders: Set<String> = ["BlockDecoder.swift", "Hello.swift", "TagList.swift"]
    for line in try Self.matches(#"\btry reader\.(varint|zigzag|positive|uint\d+)\(\) *[-+*]"#) {
      Issue.record("\(line.file):\(line.number): \(line.text)")
    }
    for line in try Self.matches(#"bytes\[[^\]]*reader"#) where decoders.contains(line.file) {
      Issue.record("\(line.file):\(line.number): \(line.text)")
    }
  }

  @Test func unsafeCodeStandsInTwoFiles() throws {
    try Self.expectNone(
      #"\bunsafe\b|Unsafe[A-Z]"#, except: ["PosixCall.swift", "BirthTime.swift"])
    try Self.expectNone(#"nonisolated\(unsafe\)|@unchecked"#)
  }

  @Test func nothingReadsAClockOrDrawsByItself() throws {
    try Self.expectNone(
      #"\bDate\(|UUID\(|SystemRandomNumberGenerator|\.random\(in:|hashValue|shuffled\(\)|ContinuousClock|clock_gettime"#,
      except: ["PosixCall.swift"])
  }
}
