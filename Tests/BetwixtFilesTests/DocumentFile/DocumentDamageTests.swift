import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
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
      var file = try DocumentFile.create(
        at: DocumentWork.path, holding: list, settings: DocumentWork.settings(disk))
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
      #expect(!content.isSound || sample.commits.contains { $0.upperBound == size })
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
    let foreign = CommitFrame.encode([1, 2, 3], ordinal: 3, in: header.log)
    let content = try DocumentContent(sample.bytes + foreign)
    #expect(content.list == sample.lists[2])
    let size = sample.bytes.count
    #expect(content.tail == .damaged(at: size, salvaged: 0, lost: foreign.count))
    let disk = SimulatedDisk()
    try disk.create(DocumentWork.path, holding: sample.bytes + foreign)
    let file = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(disk))
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
    let content = try DocumentContent(bytes)
    guard let hit = sample.commits.firstIndex(where: { $0.contains(place) }) else {
      // Of the header only which generation it was is nowhere else.
      #expect(content.headerDamage != nil && !content.isSound, "byte \(place)")
      #expect(content.header.document == sample.lists[0].id)
      #expect(content.tail == .clean && content.list == sample.lists.last, "byte \(place)")
      return
    }
    let (count, size) = (sample.commits.count, sample.commits[hit].count)
    #expect(
      content.tail
        == .damaged(at: sample.commits[hit].lowerBound, salvaged: count - hit - 1, lost: size),
      "byte \(place)")
    #expect(
      content.missing == [MissingCommits(hit, last: hit == count - 1 ? nil : hit)], "byte \(place)")
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

  @Test func commitsOfAnotherGenerationAreOnlySalvaged() throws {
    let sample = try Sample(commits: 2)
    var header = try DocumentHeader(sample.bytes)
    header.log = LogID(rawValue: header.log.rawValue ^ 1)
    let bytes = header.bytes + sample.bytes.dropFirst(DocumentHeader.size)
    let content = try DocumentContent(bytes)
    #expect(!content.hasSnapshot)
    #expect(content.scan.islands.count == 3)
    #expect(content.list.digest == sample.lists[2].digest)
    #expect(content.list.version == VersionVector())
    #expect(content.missing == [])
  }

  @Test func commitsOfAnotherDocumentAreNotSalvaged() throws {
    let sample = try Sample(commits: 1)
    var header = try DocumentHeader(sample.bytes)
    header.document = ListID(high: 1, low: 1)
    let content = try DocumentContent(
      header.bytes + sample.bytes.dropFirst(DocumentHeader.size))
    #expect(!content.hasSnapshot && content.list.isEmpty)
    guard case .damaged(_, 0, let lost) = content.tail else {
      Issue.record("the commits count")
      return
    }
    #expect(lost == sample.bytes.count - DocumentHeader.size)
  }

  /// Whatever the first 64 bytes hold, and whatever stands before and between them.
  @Test func everyWholeCommitIsFoundWithoutAHeader() throws {
    let sample = try Sample(commits: 3)
    let parts = sample.commits.map { Array(sample.bytes[$0]) }
    var random = SplitMix64(seed: 64)
    for round in 0..<(runsLong ? 2_000 : 60) {
      var bytes = (0..<random.next(below: 200)).map { _ in UInt8(random.next(below: 256)) }
      var list = ReplicatedList(id: DocumentWork.listID)
      for (part, delta) in zip(parts, sample.deltas) {
        guard random.next(below: 4) > 0 else { continue }
        bytes += part + [UInt8](repeating: UInt8(round % 5), count: random.next(below: 40))
        list.merge(delta)
      }
      let content = try? DocumentContent(bytes)
      #expect(content?.isSound != true, "round \(round)")
      #expect(
        (content?.list.digest ?? ReplicatedList(id: list.id).digest) == list.digest, "\(round)")
    }
  }

  @Test func anUnfinishedWriteIsToldFromAChangedBit() throws {
    let sample = try Sample(commits: 2)
    let last = sample.commits[2]
    for count in 1..<last.count {
      // A write that was cut, and one whose length came to the drive before its bytes.
      let cut = Array(sample.bytes.prefix(last.lowerBound + count))
      #expect(try DocumentContent(cut).tail == .torn(bytes: count))
      let filled = cut + [UInt8](repeating: 0, count: max(8, last.count - count))
      #expect(try DocumentContent(filled).tail == .torn(bytes: filled.count - last.lowerBound))
    }
    for place in last {
      var bytes = sample.bytes
      bytes[place] ^= 0x40
      guard case .damaged = try DocumentContent(bytes).tail else {
        Issue.record("byte \(place) looks like a write that was cut")
        continue
      }
    }
  }

  @Test func manyMarkersTakeLinearWork() throws {
    let header = DocumentHeader(
      document: DocumentWork.listID, log: LogID(rawValue: 3), generation: 1)
    var frame = CommitFrame.encode(
      [UInt8](repeating: 0, count: 100_000), ordinal: 9, in: header.log)
    // Whole headers of frames whose payloads never verify, one behind another.
    frame.removeLast(frame.count - 24)
    var bytes = header.bytes
    for _ in 0..<8_000 { bytes += frame }
    let scan = CommitScan(bytes, of: header.log)
    #expect(scan.islands.isEmpty)
    // All of them together would read 800 megabytes. The last one may begin just below the limit.
    #expect(scan.islandWork > 8 * bytes.count && scan.islandWork <= 9 * bytes.count)
  }

  @Test func repairKeepsTheDamagedFile() throws {
    let sample = try Sample(commits: 3)
    let disk = SimulatedDisk()
    try disk.create(DocumentWork.path, holding: sample.bytes)
    var damaged = sample.bytes
    damaged[sample.commits[1].lowerBound + 30] ^= 4
    disk.overwrite(DocumentWork.path, damaged)
    var reading = DocumentWork.settings(disk)
    reading.access = .readOnly
    let seen = try DocumentFile.open(at: DocumentWork.path, settings: reading)
    #expect(disk.bytes(DocumentWork.path) == damaged)
    var file = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(disk))
    let kept = DocumentWork.path + ".damaged-1"
    #expect(disk.bytes(kept) == damaged)
    #expect(file.report.findings.last == .kept(path: kept))
    #expect(file.report.droppedAnything)
    #expect(file.list == sample.list(without: 1))
    #expect(seen.list == file.list)
    // The other copy has everything: after a join nothing is missing.
    try file.commit(file.list.merging(sample.lists[3]))
    file.close()
    let again = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(disk))
    #expect(again.report.findings.isEmpty)
    #expect(again.list == sample.lists[3])
  }
}
