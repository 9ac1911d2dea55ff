import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Documents that are moved, copied, deleted and put back in any order, some of them open: no number of a
/// writer is used for two writes.
@Suite("Programs that move documents") struct MovedDocumentProgramTests {
  private static let paths = ["/a.trip", "/b.trip"]

  @Test func noNumberIsUsedTwice() throws {
    var (moved, kept) = (0, 0)
    for seed in 0..<(runsLong ? 2_000 : 100) {
      var program = try Program(seed: UInt64(seed))
      do {
        for _ in 0..<50 { try program.step() }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
      moved += program.movedCount
      kept += program.keptCount
      if let twice = program.twice {
        Issue.record("seed \(seed): \(twice) was used twice, by \(program.trace)")
        break
      }
    }
    // What the programs are for does happen.
    #expect(moved > 15 && kept > moved / 2, "\(moved) \(kept)")
  }

  /// One machine with three paths and some programs that have documents open.
  private struct Program: ~Copyable {
    private let disk = SimulatedDisk()
    private let random: SharedRandom
    private var choices: SplitMix64
    private var handles: [Reader] = []
    private var backups: [[UInt8]] = []
    private var written: [Dot: Entry] = [:]
    private var serial = 0
    private(set) var trace: [String] = []
    private(set) var twice: Dot?
    /// How often a document was moved to where nothing was, and went on under the same writer.
    private(set) var (movedCount, keptCount) = (0, 0)

    init(seed: UInt64) throws {
      random = SharedRandom(seed: seed)
      choices = SplitMix64(seed: seed)
      try edit(Reader(try Document.create(at: "/a.trip", settings: settings)))
    }

    private var settings: Document.Settings {
      var settings = Document.Settings(
        stateDirectory: "/state", clock: { 1_780_000_000_000 },
        random: { [random] in random.next() })
      settings.file.fileSystem = disk
      settings.file.lockWaitMilliseconds = 0
      return settings
    }

    private func open(_ path: String) throws -> Reader {
      Reader(try Document.open(at: path, settings: settings))
    }

    private mutating func edit(_ reader: Reader) throws {
      serial += 1
      try reader.document.edit("step \(serial)") { list, me in
        try list.append(["title": .int64(Int64(serial))], by: &me)
      }
    }

    mutating func step() throws {
      let path = MovedDocumentProgramTests.paths[choices.next(below: 2)]
      let other = MovedDocumentProgramTests.paths[choices.next(below: 2)]
      let bytes = disk.bytes(path)
      let choice = choices.next(below: 14)
      trace.append("\(choice) \(path) \(other)")
      switch choice {
      case 0, 1: if bytes != nil { try edit(try open(path)) }
      case 2, 3: if bytes != nil { handles.append(try open(path)) }
      case 4...6: editOpen()
      case 7: if bytes != nil { try edit(path, endingAt: choices.next(below: 25)) }
      case 8: if bytes != nil, path != other { try move(path, to: other) }
      case 9: if let bytes, path != other { try put(bytes, at: other) }
      case 10, 11: if bytes != nil, path != other { try visit(path, as: other) }
      case 12: if bytes != nil, backups.count < 9 { backups += bytes.map { [$0] } ?? [] }
      default:
        if !backups.isEmpty { try put(backups[choices.next(below: backups.count)], at: path) }
      }
      check()
    }

    /// Edits through a handle that has been open for a while, whatever became of its file.
    private mutating func editOpen() {
      guard !handles.isEmpty else { return }
      let index = choices.next(below: handles.count)
      do { try edit(handles[index]) } catch { handles.remove(at: index) }
    }

    /// Edits in a process that ends at some call.
    private mutating func edit(_ path: String, endingAt call: Int) throws {
      let reader = try open(path)
      disk.faults.crashingCall = disk.callCount + call + 1
      try? edit(reader)
      disk.faults.crashingCall = nil
    }

    private mutating func move(_ path: String, to other: String) throws {
      let isFree = disk.bytes(other) == nil
      let before = try writer(at: path)
      try disk.rename(path, to: other)
      guard isFree, let before, choices.next(below: 2) == 0 else { return }
      check()
      movedCount += 1
      let reader = try open(other)
      try edit(reader)
      if reader.document.writer == before { keptCount += 1 }
    }

    /// Moves a document away, looks at it there, and moves it back.
    private func visit(_ path: String, as other: String) throws {
      guard disk.bytes(other) == nil else { return }
      try disk.rename(path, to: other)
      _ = try open(other)
      try disk.rename(other, to: path)
    }

    private func writer(at path: String) throws -> ReplicaID? { try open(path).document.writer }

    /// Copies over what is there, as one file or another.
    private mutating func put(_ bytes: [UInt8], at path: String) throws {
      if disk.bytes(path) != nil, choices.next(below: 2) == 0 { return disk.overwrite(path, bytes) }
      try disk.unlinkIfPresent(path)
      try disk.create(path, holding: bytes)
    }

    private mutating func check() {
      for path in MovedDocumentProgramTests.paths {
        guard let bytes = disk.bytes(path), let content = try? DocumentExamination(bytes) else {
          continue
        }
        for item in content.list.allItems() {
          for entry in item.entries {
            if let before = written[entry.dot], before != entry { twice = entry.dot }
            written[entry.dot] = entry
          }
        }
      }
    }
  }
}
