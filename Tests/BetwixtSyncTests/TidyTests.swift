import Foundation
import Testing

/// How the sources are built, so that nothing reachable from bytes can trap: the article
/// "Reliability" states the rules, and this searches for what breaks them.
@Suite struct TidyTests {
  private struct Line {
    let file: String
    let number: Int
    let text: String
  }

  /// All lines of code of the modules that read bytes, without comments.
  private static let lines = read("BetwixtSync") + read("BetwixtFiles")

  /// Those of every module: what is decoded here is handed on to them.
  private static let allLines = read("")

  private static func read(_ module: String) -> [Line] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources").appendingPathComponent(module)
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
  }

  private static func matches(_ pattern: String, in lines: [Line]) throws -> [Line] {
    let expression = try NSRegularExpression(pattern: pattern)
    return lines.filter { line in
      let range = NSRange(line.text.startIndex..., in: line.text)
      return expression.firstMatch(in: line.text, range: range) != nil
    }
  }

  /// Expects a pattern only in files that are named, and in each of those: an exception that is
  /// needed no more goes.
  private static func expectNone(
    _ pattern: String, in lines: [Line] = lines, atLeast lineCount: Int = 3_000,
    except allowed: Set<String> = [],
    location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(lines.count > lineCount, "the sources were not found", sourceLocation: location)
    var used: Set<String> = []
    for line in try matches(pattern, in: lines) {
      used.insert(line.file)
      if allowed.contains(line.file) { continue }
      Issue.record("\(line.file):\(line.number): \(line.text)", sourceLocation: location)
    }
    #expect(used.isSuperset(of: allowed), sourceLocation: location)
  }

  @Test func nothingIsForced() throws {
    try Self.expectNone(
      #"\btry!|\bas!|fatalError|preconditionFailure|unsafelyUnwrapped|\bunowned\b"#,
      in: Self.allLines)
    // A name, a bracket or a parenthesis with a mark of force behind it.
    try Self.expectNone(#"[\w\])]!(?!=)"#, in: Self.allLines)
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

  /// Something that was just read.
  private static let reading =
    #"\btry \w*(reader|inner|head|first|second|trailer)\w*\.\w+\([^)]*\)"#

  @Test func decodersDoNotCountOnTheirInput() throws {
    // What is read is named first; where it is counted with, the overflow is reported or the
    // number was compared with a bound.
    try Self.expectNone(Self.reading + #" *([-+*/%]|<<|>>)"#)
    // A number is made another kind of number only where it fits: a byte and two bytes always do.
    try Self.expectNone(
      #"\bU?Int\d*\((?!exactly|clamping|truncatingIfNeeded|bitPattern|bigEndianBytes)[^)]*"#
        + #"\.(varint|zigzag|positive|uint32|uint64|bigEndian)\("#)
    // Numbers that go round are named: those of rounds and frames, places in a stream, the distance
    // of ids that rise, generations of a file, and times of the operating system.
    try Self.expectNone(
      #"&[-+*]|&<<|&>>"#,
      except: [
        "SyncSession+Round.swift", "Frame.swift", "FrameStream.swift", "ItemForm.swift",
        "DocumentFile+Compact.swift", "BirthTime.swift", "PosixCall.swift",
      ])
  }

  @Test func onlyTheReaderLooksIntoInput() throws {
    // The others take parts of it whose bounds they have compared with its length: the seal, the
    // checksums of two headers and of small files, and commits that a search has found; or they
    // write.
    try Self.expectNone(
      #"\b(bytes|payload|input|buffer|content)\["#,
      except: [
        "Reader.swift", "SealedBlock.swift", "DocumentHeader.swift", "StateRecord.swift",
        "Journal.swift", "BlockEncoder.swift", "CommitScan.swift",
        "CommitFrame.swift", "DocumentContent.swift",
        "FrameStream.swift", "UndoHistory+Bytes.swift",
        "CRC32C.swift", "ByteWriter.swift",
        "UTF8Check.swift", "Frame.swift", "FileSystem+Whole.swift",
      ])
  }

  @Test func unsafeCodeStandsInSixFiles() throws {
    try Self.expectNone(
      #"\bunsafe\b|Unsafe[A-Z]"#,
      except: [
        "ByteWriter.swift", "PosixCall.swift", "PosixSocketCall.swift", "BirthTime.swift",
      ])
    try Self.expectNone(
      #"\bunsafe\b|Unsafe[A-Z]"#, in: Self.read("BetwixtWeb"), atLeast: 700,
      except: ["PageMemory.swift", "TripPage.swift"])
    try Self.expectNone(#"nonisolated\(unsafe\)|@unchecked"#)
  }

  @Test func nothingReadsAClockOrDrawsByItself() throws {
    try Self.expectNone(
      #"\bDate\(|UUID\(|SystemRandomNumberGenerator|\.random\(in:|hashValue|shuffled\(\)|ContinuousClock|clock_gettime"#,
      except: ["PosixCall.swift"])
  }
}
