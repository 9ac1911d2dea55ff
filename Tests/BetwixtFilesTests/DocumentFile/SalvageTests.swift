import Betwixt
import BetwixtSync
import TestSupport
import Testing

@testable import BetwixtFiles

/// A bit that changed, or an end that is gone, anywhere in a document file or in the generation
/// before, with and without that one: every whole commit is in the list, all others are named.
struct SalvageTests {
  private static let path = DocumentWork.path
  private static let previous = DocumentWork.path + ".previous"

  /// A document of two generations, each with commits, and what each commit wrote.
  private struct Sample {
    var disk = SimulatedDisk()
    var bytes: [UInt8] = []
    var previous: [UInt8] = []
    var list = ReplicatedList(id: DocumentWork.listID)
    /// The list of the generation before, at its end.
    var earlier = ReplicatedList(id: DocumentWork.listID)
    /// Where each commit of the file stands, and the list behind it.
    var commits: [(range: Range<Int>, list: ReplicatedList)] = []

    init() throws {
      var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
      list = DocumentWork.edited(list, 1, by: &me)
      var file = try DocumentFile.create(
        at: SalvageTests.path, holding: list, settings: DocumentWork.settings(disk))
      for _ in 0..<2 {
        list = DocumentWork.edited(list, 1, by: &me)
        try file.commit(list)
      }
      try file.compact()
      earlier = list
      commits = [(DocumentHeader.size..<file.byteCount, list)]
      for _ in 0..<3 {
        let start = file.byteCount
        list = DocumentWork.edited(list, 1, by: &me)
        try file.commit(list)
        commits.append((start..<file.byteCount, list))
      }
      bytes = disk.bytes(SalvageTests.path) ?? []
      previous = disk.bytes(SalvageTests.previous) ?? []
    }

    /// What the commits that are whole wrote.
    func list(of whole: [Int]) -> ReplicatedList {
      var list = ReplicatedList(id: DocumentWork.listID)
      for number in whole {
        let before = number == 0 ? VersionVector() : commits[number - 1].list.version
        list.merge(commits[number].list.delta(since: before))
      }
      return list
    }

    /// The commits that a damaged file still has.
    func whole(in damaged: [UInt8]) -> [Int] {
      commits.indices.filter { number in
        let range = commits[number].range
        return range.upperBound <= damaged.count && damaged[range] == bytes[range]
      }
    }

    /// A disk with these files.
    func disk(_ bytes: [UInt8], previous: [UInt8]?) throws -> SimulatedDisk {
      let disk = SimulatedDisk()
      try disk.create(SalvageTests.path, holding: bytes)
      if let previous { try disk.create(SalvageTests.previous, holding: previous) }
      return disk
    }
  }

  @Test func anyBitOfTheFile() throws {
    let sample = try Sample()
    var count = 0
    for bit in bits(of: sample.bytes, seed: 31) {
      let damaged = flipped(sample.bytes, bit)
      for previous in [sample.previous, nil] {
        try check(damaged, previous, sample, "bit \(bit), previous: \(previous != nil)")
        count += 1
      }
    }
    print("salvage: \(count) flipped bits")
  }

  @Test func anyEnd() throws {
    let sample = try Sample()
    for size in 0..<sample.bytes.count where runsLong || size % 7 == 0 || size < 70 {
      let cut = Array(sample.bytes.prefix(size))
      for previous in [sample.previous, nil] {
        try check(cut, previous, sample, "cut to \(size), previous: \(previous != nil)")
      }
    }
  }

  @Test func twoBitsAnywhere() throws {
    let sample = try Sample()
    var random = SplitMix64(seed: 33)
    for _ in 0..<(runsLong ? 6_000 : 150) {
      let first = random.next(below: sample.bytes.count * 8)
      let second = random.next(below: sample.bytes.count * 8)
      let damaged = flipped(flipped(sample.bytes, first), second)
      guard damaged != sample.bytes else { continue }
      for previous in [sample.previous, nil] {
        try check(damaged, previous, sample, "bits \(first), \(second)")
      }
    }
  }

  @Test func theGenerationBeforeIsDamagedToo() throws {
    let sample = try Sample()
    var random = SplitMix64(seed: 34)
    for _ in 0..<(runsLong ? 6_000 : 150) {
      let first = random.next(below: sample.bytes.count * 8)
      let second = random.next(below: sample.previous.count * 8)
      try check(
        flipped(sample.bytes, first), flipped(sample.previous, second), sample,
        "bit \(first), \(second) of the generation before")
    }
  }

  /// A damaged generation before does nothing to a file that is whole.
  @Test func anyBitOfTheGenerationBefore() throws {
    let sample = try Sample()
    for bit in bits(of: sample.previous, seed: 32) {
      let disk = try sample.disk(sample.bytes, previous: flipped(sample.previous, bit))
      let file = try DocumentFile.open(
        at: Self.path, settings: DocumentWork.settings(disk, seed: 3))
      #expect(file.list == sample.list && file.report.findings.isEmpty)
    }
  }

  private func bits(of bytes: [UInt8], seed: UInt64) -> [Int] {
    if runsLong { return Array(0..<bytes.count * 8) }
    var random = SplitMix64(seed: seed)
    return bytes.indices.map { $0 * 8 + random.next(below: 8) }
  }

  private func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }

  // MARK: What must hold

  private func check(
    _ damaged: [UInt8], _ previous: [UInt8]?, _ sample: Sample, _ comment: String
  ) throws {
    let disk = try sample.disk(damaged, previous: previous)
    let whole = sample.whole(in: damaged)
    var expected = sample.list(of: whole)
    if whole.count < sample.commits.count, let previous, previous == sample.previous {
      expected.merge(sample.earlier)
    }
    let examination: DocumentExamination
    do {
      examination = try DocumentExamination(of: Self.path, in: disk)
    } catch {
      // Nothing of it can be told; nobody takes that for a list.
      #expect(whole.isEmpty, "\(comment): \(error)")
      try checkIsRefused(disk, damaged, comment)
      return
    }
    let isCutClean = sample.commits.contains { $0.range.upperBound == damaged.count }
    let isPrefix = isCutClean && damaged == Array(sample.bytes.prefix(damaged.count))
    // An end between two commits is no damage of the file: the identity's evidence shows it.
    #expect(examination.isSound == isPrefix, "\(comment)")
    guard !isPrefix else { return }
    checkHolds(examination.list, expected, comment)
    checkNames(examination.problems, whole, previous, sample, comment)
    try checkRepair(disk, examination, damaged, comment)
  }

  private func checkHolds(
    _ list: ReplicatedList, _ expected: ReplicatedList, _ comment: String
  ) {
    #expect(list.merging(expected).digest == list.digest, "\(comment): a whole commit is missing")
    // The version claims nothing that is not there.
    let dots = list.allItems().flatMap(\.entries).map(\.dot)
    for claim in list.version {
      let held = dots.filter { $0.replica == claim.replica }.map(\.sequence).max() ?? 0
      #expect(held >= claim.sequence, "\(comment): the version is false")
    }
  }

  /// Whether each commit that is gone is named, or its end is.
  private func checkNames(
    _ problems: [RecoveryReport.Finding], _ whole: [Int], _ previous: [UInt8]?, _ sample: Sample,
    _ comment: String
  ) {
    #expect(!problems.isEmpty, "\(comment)")
    for number in sample.commits.indices where !whole.contains(number) {
      let isNamed = problems.contains { problem in
        switch problem {
        case .missingCommits(let first, let last): (first...(last ?? .max)).contains(number)
        case .tornTail: true
        default: false
        }
      }
      let isHeld = number == 0 && previous == sample.previous
      #expect(isNamed || isHeld, "\(comment): commit \(number) is not named: \(problems)")
    }
  }

  /// Opening for writing says the same, keeps the file, and goes on.
  private func checkRepair(
    _ disk: SimulatedDisk, _ examination: DocumentExamination, _ damaged: [UInt8],
    _ comment: String
  ) throws {
    var file = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk, seed: 4))
    #expect(file.list == examination.list, "\(comment)")
    #expect(file.report.hasDamage, "\(comment)")
    #expect(disk.bytes(Self.path + ".damaged-1") == damaged, "\(comment)")
    var me = Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 }
    let edited = DocumentWork.edited(file.list, 1, by: &me)
    try file.commit(edited)
    file.close()
    let again = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk, seed: 5))
    #expect(again.list == edited && again.report.findings.isEmpty, "\(comment)")
    // It is remembered as long as the damaged file is there.
    let later = try DocumentExamination(of: Self.path, in: disk)
    #expect(!later.isSound && later.damage.isEmpty, "\(comment)")
  }

  private func checkIsRefused(
    _ disk: SimulatedDisk, _ damaged: [UInt8], _ comment: String
  ) throws {
    #expect(throws: DocumentFileFailure.self, "\(comment)") {
      try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk, seed: 4)).close()
    }
    #expect(disk.bytes(Self.path) == damaged, "\(comment)")
  }
}
