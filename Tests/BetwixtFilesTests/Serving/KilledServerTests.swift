import Betwixt
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// The server of the article "A whole server", killed under load.
@Suite(.serialized) struct KilledServerTests {
  static let lists = [ListID(high: 7, low: 1), ListID(high: 7, low: 2)]

  /// What a client was told that the server holds is in the file, whenever the process was killed.
  @Test func killedServersLoseNothingAcknowledged() async throws {
    let scratch = ScratchDirectory()
    let notes = scratch.path + "/acknowledged"
    _ = FileManager.default.createFile(atPath: notes, contents: nil)
    var random = SplitMix64(seed: 31)
    for round in 0..<(runsLong ? 100 : 20) {
      let (count, delay) = (random.next(below: 12), random.next(below: 60_000))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          folder = scratch.path as String, notes = notes as String, count = count as Int,
          delay = delay as Int, round = round as Int
        ] in
        await KilledServer(acknowledging: count, microseconds: delay)
          .run(folder, notes, round: round)
      }
    }
    var told: [[ReplicaID: Int64]] = [[:], [:]]
    for line in try String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      try #require(numbers.count == 3)
      let replica = ReplicaID(rawValue: UInt64(numbers[1]))
      told[Int(numbers[0])][replica] = max(told[Int(numbers[0])][replica] ?? 0, numbers[2])
    }
    var count: Int64 = 0
    for (id, told) in zip(Self.lists, told) {
      let file = try DocumentFile.open(
        at: "\(scratch.path)/\(id).trip", settings: DocumentWork.settings(PosixFileSystem()))
      for (replica, number) in told {
        let held = file.list.writes(by: replica, after: 0).filter { $0.sequence <= number }
        #expect(held.map(\.sequence) == Array(1...number), "\(replica)")
        count += number
      }
      // Whoever comes now gets the same.
      var pair = SyncPair(file.list, ReplicatedList(id: id))
      pair.run()
      #expect(pair.b.list.digest == file.list.digest)
    }
    #expect(count > 20)
    print("killed servers: \(count) acknowledged writes, none lost")
  }
}

/// A server and its clients in one process that is killed from inside.
private final class KilledServer: Sendable {
  private let acknowledgedCount = Atomic<Int>(0)
  private let count: Int
  private let microseconds: Int

  /// Once so much is acknowledged, however long that takes, and some time is over, it is killed.
  init(acknowledging count: Int, microseconds: Int) {
    self.count = count
    self.microseconds = microseconds
  }

  private func killOnceAcknowledged() {
    Thread.detachNewThread { [self] in
      while acknowledgedCount.load(ordering: .relaxed) < count { usleep(1_000) }
      usleep(UInt32(microseconds))
      kill(getpid(), SIGKILL)
    }
  }

  func run(_ folder: String, _ notes: String, round: Int) async {
    let listener = StreamListener()
    Task {
      await serve(
        listener.sockets, users: ["a": "ann"],
        folder: DocumentFolder(URL(fileURLWithPath: folder)))
    }
    let system = PosixFileSystem()
    guard let log = try? system.open(notes, mode: .appending) else { return }
    var devices: [(StreamDevice, ReplicaID)] = []
    for number in 0..<6 {
      let replica = UInt64(round * 100 + number + 1)
      let device = StreamDevice(
        ReplicatedList(id: KilledServerTests.lists[number % 2]), replica: replica,
        note: { [self] acknowledged in
          let line = "\(number % 2) \(replica) \(acknowledged)\n"
          try? system.appendAll(log, bytes: Array(line.utf8))
          acknowledgedCount.add(1, ordering: .relaxed)
        }, connect: { listener.connect("a") })
      await device.start()
      devices.append((device, ReplicaID(rawValue: replica)))
    }
    killOnceAcknowledged()
    while true {
      for (device, replica) in devices {
        await device.edit { list in
          var me = Replica(id: replica, sequence: list.known(of: replica)) { 1_777_000_000_000 }
          _ = try? list.append(["title": "x"], by: &me)
        }
      }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }
}
