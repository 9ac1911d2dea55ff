import Betwixt
import Testing

@testable import BetwixtSync

/// Files that were cut, flipped, overwritten or shuffled: what is whole is found, and nothing else.
struct DocumentDamageTests {
  /// A file of a snapshot and some commits, and the list behind each of them.
  private struct Sample {
    var bytes: [UInt8] = []
    var commits: [Range<Int>] = []
    var lists: [ReplicatedList] = []
    var deltas: [Delta] = []

    init(commits count: Int) throws {
      let disk = SimulatedDisk()
      var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
      var list = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
      var file = try DocumentFile.create(DocumentWork.path, list, DocumentWork.settings(disk))
      lists = [list]
      deltas = [list.delta(since: VersionVector())]
      commits = [DocumentHeader.size..<file.byteCount]
      for _ in 0..<count {
        let before = (list: list, size: file.byteCount)
        list = DocumentWork.edited(list, 1, by: &me)
        try file.commit(list)
        lists.append(list)
        deltas.append(list.delta(since: before.list.version))
        commits.append(before.size..<file.byteCount)
      }
      bytes = disk.bytes(DocumentWork.path) ?? []
    }

    /// The list of all commits but one.
    func list(without missing: Int) -> ReplicatedList {
      var list = ReplicatedList(id: DocumentWork.listID)
      for (index, delta) in deltas.enumerated() where index != missing { list.merge(delta) }
      return list
    }

    /// The version behind a number of commits.
    func version(of count: Int) -> VersionVector {
      count == 0 ? VersionVector() : lists[count - 1].version
    }
  }

  @Test func everyTruncationKeepsThePrefix() throws {
    let sample = try Sample(commits: 3)
    for size in 0..<sample.bytes.count {
      let bytes = Array(sample.bytes.prefix(size))
      guard size >= DocumentHeader.size else {
        #expect(throws: DecodeFailure.self) { try DocumentContent(bytes) }
        continue
      }
      let content = try DocumentContent(bytes)
      let whole = sample.commits.prefix { $0.upperBound <= size }.count
      let end = whole == 0 ? DocumentHeader.size : sample.commits[whole - 1].upperBound
      #expect(content.nextOrdinal == whole)
      #expect(content.list.version == sample.version(of: whole))
      #expect(
        content.list == (whole == 0 ? .init(id: sample.lists[0].id) : sample.lists[whole - 1]))
      #expect(content.tail == (size == end ? .clean : .torn(bytes: size - end)))
    }
    print("logs: \(sample.bytes.count) cuts, always the commits before")
  }

  @Test func aWholeCommitThatSaysNothingIsKept() throws {
    let sample = try Sample(commits: 2)
    let header = try DocumentHeader(sample.bytes)
    let foreign = CommitFrame.encode([1, 2, 3], ordinal: 3, in: header)
    let content = try DocumentContent(sample.bytes + foreign)
    #expect(content.list == sample.lists[2])
    let size = sample.bytes.count
    #expect(content.tail == .damaged(at: size, salvaged: 0, lost: foreign.count))
    let disk = SimulatedDisk()
    try disk.create(DocumentWork.path, sample.bytes + foreign)
    let file = try DocumentFile.open(DocumentWork.path, DocumentWork.settings(disk))
    #expect(file.list == sample.lists[2])
    #expect(file.report.findings.last == .kept(path: DocumentWork.path + ".damaged-1"))
    #expect(disk.bytes(DocumentWork.path + ".damaged-1") == sample.bytes + foreign)
  }

  @Test func everyFlipIsFoundAndTheRestSalvaged() throws {
    let sample = try Sample(commits: 2)
    var count = 0
    for place in sample.bytes.indices {
      for bit in 0..<8 where runsLong || bit == place % 8 {
        var bytes = sample.bytes
        bytes[place] ^= 1 << UInt8(bit)
        try check(bytes, sample, place)
        count += 1
      }
    }
    print("logs: \(count) flipped bits, all found, all other commits salvaged")
  }

  private func check(_ bytes: [UInt8], _ sample: Sample, _ place: Int) throws {
    guard let hit = sample.commits.firstIndex(where: { $0.contains(place) }) else {
      #expect(throws: DecodeFailure.self) { try DocumentContent(bytes) }
      return
    }
    let content = try DocumentContent(bytes)
    let isLast = hit == sample.commits.count - 1
    let size = sample.commits[hit].count
    #expect(
      content.tail
        == (isLast
          ? .torn(bytes: size)
          : .damaged(
            at: sample.commits[hit].lowerBound, salvaged: sample.commits.count - hit - 1,
            lost: size)),
      "byte \(place)")
    #expect(content.list.digest == sample.list(without: hit).digest, "byte \(place)")
    #expect(content.list.version == sample.version(of: hit), "byte \(place)")
  }

  @Test(arguments: [0x00, 0xff] as [UInt8])
  func overwrittenTailsAreCut(filler: UInt8) throws {
    let sample = try Sample(commits: 3)
    for place in stride(from: sample.commits[0].upperBound, to: sample.bytes.count, by: 3) {
      let rest = sample.bytes.count - place
      let bytes = sample.bytes.prefix(place) + [UInt8](repeating: filler, count: rest)
      let content = try DocumentContent(Array(bytes))
      let whole = sample.commits.prefix { $0.upperBound <= place }.count
      #expect(content.list == sample.lists[whole - 1])
    }
  }

  @Test func swappedAndRepeatedCommitsAreSalvaged() throws {
    let sample = try Sample(commits: 4)
    for first in 0..<sample.commits.count {
      for second in (first + 1)..<sample.commits.count {
        var parts = sample.commits.map { Array(sample.bytes[$0]) }
        parts.swapAt(first, second)
        let bytes = sample.bytes.prefix(DocumentHeader.size) + parts.joined()
        let content = try DocumentContent(Array(bytes))
        #expect(content.list.digest == sample.lists.last?.digest)
        #expect(content.list.version == sample.version(of: first))
      }
      var parts = sample.commits.map { Array(sample.bytes[$0]) }
      parts.insert(parts[first], at: first)
      let bytes = sample.bytes.prefix(DocumentHeader.size) + parts.joined()
      #expect(try DocumentContent(Array(bytes)).list.digest == sample.lists.last?.digest)
    }
  }

  @Test func commitsOfAnotherGenerationDoNotCount() throws {
    let sample = try Sample(commits: 2)
    var header = try DocumentHeader(sample.bytes)
    header.log = LogID(high: header.log.high, low: header.log.low ^ 1)
    let bytes = header.bytes + sample.bytes.dropFirst(DocumentHeader.size)
    let content = try DocumentContent(bytes)
    #expect(!content.hasSnapshot)
    #expect(content.scan.islands.isEmpty)
  }

  @Test func manyMarkersTakeLinearWork() throws {
    let header = DocumentHeader(
      document: DocumentWork.listID, log: LogID(high: 3, low: 4), generation: 1)
    var frame = CommitFrame.encode(
      [UInt8](repeating: 0, count: 100_000), ordinal: 9, in: header)
    // Whole headers of frames whose payloads never verify, one behind another.
    frame.removeLast(frame.count - 24)
    var bytes = header.bytes
    for _ in 0..<8_000 { bytes += frame }
    let scan = CommitScan(bytes, in: header)
    #expect(scan.islands.isEmpty)
  }

  @Test func repairKeepsTheDamagedFile() throws {
    let sample = try Sample(commits: 3)
    let disk = SimulatedDisk()
    try disk.create(DocumentWork.path, sample.bytes)
    var damaged = sample.bytes
    damaged[sample.commits[1].lowerBound + 30] ^= 4
    disk.overwrite(DocumentWork.path, damaged)
    var reading = DocumentWork.settings(disk)
    reading.access = .readOnly
    let seen = try DocumentFile.open(DocumentWork.path, reading)
    #expect(disk.bytes(DocumentWork.path) == damaged)
    var file = try DocumentFile.open(DocumentWork.path, DocumentWork.settings(disk))
    let kept = DocumentWork.path + ".damaged-1"
    #expect(disk.bytes(kept) == damaged)
    #expect(file.report.findings.last == .kept(path: kept))
    #expect(file.report.droppedAnything)
    #expect(file.list == sample.list(without: 1))
    #expect(seen.list == file.list)
    // The other copy has everything: after a join nothing is missing.
    try file.commit(file.list.merging(sample.lists[3]))
    file.close()
    let again = try DocumentFile.open(DocumentWork.path, DocumentWork.settings(disk))
    #expect(again.report.findings.isEmpty)
    #expect(again.list == sample.lists[3])
  }
}
