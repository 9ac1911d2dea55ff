import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Power cuts: after each call, with each part of what was not synced lost or torn.
struct DocumentCrashTests {
  typealias Step = DocumentWork.Step

  @Test(arguments: [
    [Step.commit, .commit], [.commit, .compact, .commit], [.commitMany, .reopen, .compact],
    [.compact, .compact, .reopen, .commit],
  ])
  func reopensAsWhatWasAcknowledged(steps: [Step]) {
    var random = SplitMix64(seed: 11)
    let count = checkEveryCrash(steps, .full, samples: runsLong ? 60 : 4, &random)
    #expect(count > 50)
  }

  /// One commit: every combination of what is lost, whole and torn.
  @Test func everyCombinationOfOneCommit() {
    var random = SplitMix64(seed: 15)
    let count = checkEveryCrash([.commit], .full, samples: runsLong ? 729 : 27, &random)
    #expect(count > 50)
    print("crash states of one commit: \(count)")
  }

  @Test(.enabled(if: runsLong))
  func everyShortLife() {
    var random = SplitMix64(seed: 12)
    var count = 0
    for steps in Step.sequences(upTo: 3) {
      count += checkEveryCrash(steps, .full, samples: 5, &random)
    }
    print("crash states:", count)
  }

  @Test func keepsAPrefixWithBarriers() {
    var random = SplitMix64(seed: 13)
    let count = checkEveryCrash(
      [.commit, .commit, .compact, .commit], .ordered, samples: runsLong ? 40 : 3, &random)
    #expect(count > 50)
  }

  @Test func holdsWithoutSecondNames() {
    var random = SplitMix64(seed: 14)
    let count = checkEveryCrash(
      [.compact, .commit], .full, samples: 4, &random, hasLinks: false)
    #expect(count > 50)
  }

  /// Crashes at each call and checks what is there afterwards, and after a crash of the recovery.
  private func checkEveryCrash(
    _ steps: [Step], _ level: DocumentFile.SyncLevel, samples: Int, _ random: inout SplitMix64,
    hasLinks: Bool = true
  ) -> Int {
    var count = 0
    var call = 1
    while true {
      let disk = SimulatedDisk()
      disk.faults.crashingCall = call
      disk.faults.hasLinks = hasLinks
      let work = DocumentWork(steps, on: disk, level)
      let drive = disk.drive
      for fates in Fates.all(of: drive.unsyncedCount, samples: samples, &random) {
        check(work, drive.crashed(fates), level, "call \(call), \(fates.list)", &random)
        count += 1
      }
      if work.failure == nil { return count }
      call += 1
    }
  }

  private func check(
    _ work: DocumentWork, _ drive: SimulatedDrive, _ level: DocumentFile.SyncLevel,
    _ comment: String, _ random: inout SplitMix64
  ) {
    let first = reopened(SimulatedDisk(drive), work, level, comment)
    // The recovery itself crashes, at a call drawn, and is done again.
    let disk = SimulatedDisk(drive)
    disk.faults.crashingCall = 1 + random.next(below: 12)
    _ = try? DocumentFile.open(
      at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 3)
    ).close()
    let fates = Fates.all(of: disk.drive.unsyncedCount, samples: 1, &random)
    for fate in fates.suffix(1) {
      let again = reopened(
        SimulatedDisk(disk.drive.crashed(fate)), work, level, comment + " twice")
      #expect(again == first, "\(comment)")
    }
  }

  /// The list of the file after a crash, checked against what the work acknowledged.
  private func reopened(
    _ disk: SimulatedDisk, _ work: DocumentWork, _ level: DocumentFile.SyncLevel,
    _ comment: String
  ) -> Digest? {
    do {
      var file = try DocumentFile.open(
        at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 2))
      let digest = file.list.digest
      var allowed = level == .full ? work.acknowledged.suffix(1) : work.acknowledged[...]
      if let tried = work.tried { allowed.append(tried) }
      #expect(allowed.contains { $0.digest == digest }, "\(comment)")
      #expect(
        allowed.contains { $0.version == file.list.version }, "\(comment): the version is false")
      checkGoesOn(&file, comment)
      return digest
    } catch {
      // Only a file that was never acknowledged may be missing.
      #expect(error == .notFound, "\(comment): \(error)")
      #expect(work.acknowledged.isEmpty, "\(comment)")
      return nil
    }
  }

  private func checkGoesOn(_ file: inout DocumentFile, _ comment: String) {
    var me = Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 }
    let list = DocumentWork.edited(file.list, 1, by: &me)
    do {
      try file.commit(list)
      #expect(file.list == list, "\(comment)")
    } catch {
      Issue.record("\(comment): \(error)")
    }
  }
}

/// What becomes of each operation that was not synced.
final class Fates {
  let list: [SimulatedDrive.Fate]
  private var next = 0

  init(_ list: [SimulatedDrive.Fate]) { self.list = list }

  func draw() -> SimulatedDrive.Fate {
    defer { next += 1 }
    return next < list.count ? list[next] : .lost
  }

  /// Every combination if there are at most `samples`, else some of them, nothing lost and all
  /// lost among them.
  static func all(of count: Int, samples: Int, _ random: inout SplitMix64) -> [Fates] {
    let fates = SimulatedDrive.Fate.allCases
    var combinations = 1
    for _ in 0..<count where combinations <= samples { combinations *= fates.count }
    guard combinations > samples else {
      return (0..<combinations).map { number in
        var rest = number
        return Fates(
          (0..<count).map { _ in
            defer { rest /= fates.count }
            return fates[rest % fates.count]
          })
      }
    }
    var all = [
      Fates([SimulatedDrive.Fate](repeating: .lost, count: count)),
      Fates([SimulatedDrive.Fate](repeating: .whole, count: count)),
    ]
    for _ in 0..<samples {
      all.append(Fates((0..<count).map { _ in fates[random.next(below: fates.count)] }))
    }
    return all
  }
}

extension SimulatedDrive {
  func crashed(_ fates: Fates) -> SimulatedDrive { crashed { fates.draw() } }
}
