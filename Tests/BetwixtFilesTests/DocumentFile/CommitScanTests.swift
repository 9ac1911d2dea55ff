import BetwixtSync
import Testing

@testable import BetwixtFiles

/// Where the commits of a file stand, and what is said of those that are missing.
struct CommitScanTests {
  private static let log = LogID(rawValue: 0x0102_0304_0506_0708)

  private static func bytes(_ ordinals: [UInt32]) -> [UInt8] {
    ordinals.reduce(into: [UInt8](repeating: 0, count: DocumentHeader.size)) { bytes, ordinal in
      bytes += CommitFrame.encode([1, 2, UInt8(ordinal)], ordinal: ordinal, in: log)
    }
  }

  @Test func commitsBehindOneThatIsForgottenAreIslands() {
    let bytes = Self.bytes([0, 1, 2, 3, 7])
    var scan = CommitScan(bytes, of: Self.log)
    #expect(scan.commits.map(\.ordinal) == [0, 1, 2, 3] && scan.islands.map(\.ordinal) == [7])
    #expect(scan.end == scan.islands[0].start && !scan.isStopped)
    let second = scan.commits[1]
    scan.stop(before: 4)
    #expect(scan.commits.count == 4 && !scan.isStopped)
    scan.stop(before: 1)
    // What commit 1 holds was looked at, and is no commit.
    #expect(scan.commits.map(\.ordinal) == [0] && scan.islands.map(\.ordinal) == [2, 3, 7])
    #expect(scan.end == second.start && scan.isStopped)
  }

  @Test func aGapEndsTheCommits() {
    let scan = CommitScan(Self.bytes([0, 1, 3, 4]), of: Self.log)
    #expect(scan.commits.map(\.ordinal) == [0, 1] && scan.islands.map(\.ordinal) == [3, 4])
    let strange = CommitScan(Self.bytes([0, 1]), of: LogID(rawValue: 1))
    #expect(strange.commits.isEmpty && strange.islands.map(\.ordinal) == [0, 1])
    #expect(strange.end == DocumentHeader.size)
  }

  @Test(
    arguments: [
      (0, nil, "the snapshot is missing, and perhaps commits behind it"),
      (3, nil, "commit 3 is missing, and perhaps commits behind it"),
      (0, 0, "the snapshot is missing"), (4, 4, "commit 4 is missing"),
      (0, 1, "the snapshot and the commits 1 to 1 are missing"),
      (0, 5, "the snapshot and the commits 1 to 5 are missing"),
      (2, 5, "the commits 2 to 5 are missing"),
    ] as [(Int, Int?, String)])
  func whatIsMissingIsNamed(first: Int, last: Int?, text: String) {
    let finding = RecoveryReport.Finding.missingCommits(first: first, last: last)
    #expect(finding.description == text)
  }
}
