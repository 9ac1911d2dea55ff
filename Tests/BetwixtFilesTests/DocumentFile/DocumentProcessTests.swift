import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Other processes: killed in the middle of writing, or writing at the same time.
@Suite(.serialized)
struct DocumentProcessTests {
  @Test func killedWritersLoseNothingAcknowledged() async throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    let acknowledgments = scratch.path + "/acknowledged"
    _ = FileManager.default.createFile(atPath: acknowledgments, contents: nil)
    var random = SplitMix64(seed: 21)
    let settings = DocumentWork.settings(PosixFileSystem(), seed: 31)
    try DocumentFile.create(
      at: path, holding: ReplicatedList(id: DocumentWork.listID), settings: settings
    ).close()
    var survived = 0
    for round in 0..<(runsLong ? 500 : 5) {
      let delay = 1_000 + random.next(below: 60_000)
      let seed = UInt64(round)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, acknowledgments = acknowledgments as String, delay = delay as Int,
          seed = seed as UInt64
        ] in
        KilledWriter.run(path, acknowledgments, microseconds: delay, seed: seed)
      }
      let count = Set(
        try String(contentsOfFile: acknowledgments, encoding: .utf8).split(separator: "\n"))
      let file = try DocumentFile.open(at: path, settings: settings)
      let titles = Set((0..<file.list.count).map { title(of: file.list[$0]) })
      for acknowledged in count { #expect(titles.contains(String(acknowledged))) }
      // One more than was acknowledged may be there for each kill.
      #expect(titles.count <= count.count + round + 1)
      survived = count.count
    }
    #expect(survived > 0)
  }

  private func title(of item: ListItem) -> String {
    guard case .string(let title) = item["title"] else { return "" }
    return title
  }

  @Test func anotherProcessIsLockedOut() async throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    let settings = DocumentWork.settings(PosixFileSystem())
    let file = try DocumentFile.create(
      at: path, holding: ReplicatedList(id: DocumentWork.listID), settings: settings)
    await #expect(processExitsWith: .exitCode(75)) { [path = path as String] in
      do {
        try DocumentFile.open(at: path, settings: DocumentWork.settings(PosixFileSystem())).close()
      } catch DocumentFileFailure.locked {
        exit(75)
      }
    }
    file.close()
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      try DocumentFile.open(at: path, settings: DocumentWork.settings(PosixFileSystem())).close()
      exit(0)
    }
  }

  @Test func processesShareAFile() async throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    var settings = DocumentWork.settings(PosixFileSystem())
    settings.access = .shared
    settings.lockWaitMilliseconds = 20_000
    var file = try DocumentFile.create(
      at: path, holding: ReplicatedList(id: DocumentWork.listID), settings: settings)
    async let other: Void = {
      await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
        var settings = DocumentWork.settings(PosixFileSystem(), seed: 77)
        settings.access = .shared
        settings.lockWaitMilliseconds = 20_000
        var file = try DocumentFile.open(at: path, settings: settings)
        var me = Replica(id: ReplicaID(rawValue: 77)) { 1_777_000_000_000 }
        for _ in 0..<20 { try file.commit(DocumentWork.edited(file.list, 1, by: &me)) }
        exit(0)
      }
    }()
    var me = Replica(id: ReplicaID(rawValue: 76)) { 1_777_000_000_000 }
    for round in 0..<20 {
      try file.commit(DocumentWork.edited(file.list, 1, by: &me))
      if round % 7 == 6 { try file.compact() }
    }
    await other
    try file.refresh()
    #expect(file.list.count == 40)
  }
}

/// A process that commits until it is killed, and notes each commit that returned.
enum KilledWriter {
  static func run(_ path: String, _ notes: String, microseconds: Int, seed: UInt64) {
    do {
      var file = try DocumentFile.open(
        at: path, settings: DocumentWork.settings(PosixFileSystem(), .none, seed: seed &+ 1000))
      var me = Replica(id: ReplicaID(rawValue: seed &+ 100)) { 1_777_000_000_000 }
      let system = PosixFileSystem()
      let log = try system.open(notes, mode: .appending)
      // Half of them have acknowledged something before, however long that takes.
      if seed % 2 == 0 { killSoon(microseconds) }
      var number = 0
      while true {
        if number == 1, seed % 2 == 1 { killSoon(microseconds) }
        number += 1
        var list = file.list
        let title = "\(seed)-\(number)"
        try list.append(["title": .string(title)], by: &me)
        try file.commit(list)
        try system.appendAll(log, bytes: Array((title + "\n").utf8))
        if number % 9 == 0 { try file.compact() }
      }
    } catch {
      print("the writer failed:", error)
    }
  }

  private static func killSoon(_ microseconds: Int) {
    Thread.detachNewThread {
      usleep(UInt32(microseconds))
      kill(getpid(), SIGKILL)
    }
  }
}
