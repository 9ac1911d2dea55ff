import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync
import Foundation
import TestSupport
import Testing

/// Two server processes on one PostgreSQL, ten clients each on the same documents, killed at random
/// times, and their connections to the database too.
@Suite("Servers that share a database", .serialized)
struct SharedDatabaseTests {
  static let lists = [ListID(high: 17, low: 1), ListID(high: 17, low: 2)]

  @Test("nothing acknowledged is lost, and all end with one digest", arguments: [true, false])
  func killed(withLog isLog: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let server = try PostgresServer.here(scratch.path + "/postgres", ["-c", "fsync=off"])
    else { return }
    let connection = try ShellConnection(server.database)
    try connection.perform(SQLSchema.tables(.postgres))
    let notes = scratch.path + "/notes"
    _ = FileManager.default.createFile(atPath: notes, contents: nil)
    var random = SplitMix64(seed: isLog ? 1 : 2)
    let rounds = runsLong ? 40 : 4
    for round in 0..<rounds {
      let delays = (random.next(below: 900), random.next(below: 900))
      async let first: Void = Self.process(server.folder, notes, isLog, round * 2, delays.0)
      async let second: Void = Self.process(server.folder, notes, isLog, round * 2 + 1, delays.1)
      _ = await (first, second)
    }
    async let first: Void = Self.process(server.folder, notes, isLog, rounds * 2, nil)
    async let second: Void = Self.process(server.folder, notes, isLog, rounds * 2 + 1, nil)
    _ = await (first, second)
    try Self.check(connection, isLog, try String(contentsOfFile: notes, encoding: .utf8))
    withExtendedLifetime(server) {}
  }

  /// One server process, which is killed after some milliseconds, or ends when all are equal.
  private static func process(
    _ folder: String, _ notes: String, _ isLog: Bool, _ number: Int, _ delay: Int?
  ) async {
    guard let delay else {
      await #expect(processExitsWith: .success) {
        [
          folder = folder as String, notes = notes as String, isLog = isLog as Bool,
          number = number as Int
        ] in
        guard await ServerProcess(folder, notes, isLog, number)?.runToTheEnd() == true else {
          exit(1)
        }
      }
      return
    }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = folder as String, notes = notes as String, isLog = isLog as Bool,
        number = number as Int, delay = delay as Int
      ] in
      Thread.detachNewThread {
        usleep(UInt32(700_000 + delay * 1_000))
        kill(getpid(), SIGKILL)
      }
      await ServerProcess(folder, notes, isLog, number)?.run(cuttingAfter: 300 + delay / 2)
    }
  }

  private static func check(
    _ connection: ShellConnection, _ isLog: Bool, _ notes: String
  ) throws {
    var told: [[Delta]] = [[], []]
    var writers: Set<ReplicaID> = []
    var digests: [Set<String>] = [[], []]
    for line in notes.split(separator: "\n") {
      let words = line.split(separator: " ")
      let place = try #require(words.first.flatMap { Int($0) })
      switch words[1] {
      case "digest": digests[place].insert(String(words[2]))
      case "told":
        let bytes = try #require(Data(base64Encoded: String(words[2])))
        let delta = try Block(decoding: Array(bytes)).delta
        told[place].append(delta)
        writers.formUnion(delta.entries.map { $0.dot.replica })
      default: break
      }
    }
    var count = 0
    for (place, id) in lists.enumerated() {
      let list = try DatabaseHost.stored(id, connection, withLog: isLog)
      // A version may claim less: who was killed between what came and the end of its round has said
      // to the client that all is there, and not yet claimed it.
      var joined = list
      for delta in told[place] { joined.merge(delta) }
      #expect(joined == list, "an acknowledged write is not stored")
      #expect(digests[place] == [list.digest.description])
      count += told[place].reduce(0) { $0 + $1.count }
    }
    #expect(count > 100)
    print(
      "two processes, \(isLog ? "log" : "rows"): \(writers.count) clients, "
        + "\(count) acknowledged writes, none lost, one digest for each document")
  }
}

/// A server with its clients.
private struct ServerProcess {
  private let host: DatabaseHost
  private let folder: String
  private var devices: [StreamDevice] = []
  private let notes: String
  private let number: Int

  init?(_ folder: String, _ notes: String, _ isLog: Bool, _ number: Int) {
    signal(SIGPIPE, SIG_IGN)
    self.notes = notes
    self.number = number
    self.folder = folder
    host = DatabaseHost(
      TestDatabase(dialect: .postgres, shell: "psql -h '\(folder)' -U postgres -X -q -A -t"),
      withLog: isLog)
    guard let log = FileHandle(forUpdatingAtPath: notes) else { return nil }
    for device in 0..<10 {
      let replica = ReplicaID(rawValue: UInt64(number * 100 + device + 1))
      devices.append(
        StreamDevice(SharedDatabaseTests.lists[device % 2], replica: replica, server: host.server) {
          Self.append("\(device % 2) told \(Self.text(of: $1, device % 2))\n", log)
        })
    }
  }

  private static func text(of delta: Delta, _ place: Int) -> String {
    let block = Block(.delta, of: SharedDatabaseTests.lists[place], holding: delta)
    return Data((try? block.encoded()) ?? []).base64EncodedString()
  }

  private static func append(_ line: String, _ log: FileHandle) {
    var bytes = Array(line.utf8)
    // Opened without O_APPEND: several processes write.
    let descriptor = unsafe open("/proc/self/fd/\(log.fileDescriptor)", O_WRONLY | O_APPEND)
    _ = unsafe write(descriptor, &bytes, bytes.count)
    close(descriptor)
  }

  private func start() async {
    Task { [host, folder] in await host.run(listeningTo: [folder]) }
    for device in devices { await device.start() }
  }

  private func step(edits: Bool) async {
    for device in devices {
      if edits { await device.edit() }
      await device.tick()
    }
    try? await Task.sleep(for: .milliseconds(20))
  }

  /// Until somebody kills the process; on the way it kills its connection to the database.
  func run(cuttingAfter delay: Int) async {
    await start()
    let cut = milliseconds() + Int64(delay)
    var isCut = false
    while true {
      await step(edits: true)
      if !isCut, milliseconds() > cut {
        isCut = true
        await host.driver.kill()
      }
    }
  }

  /// Some edits, and then until all clients of all processes hold the same.
  func runToTheEnd() async -> Bool {
    await start()
    for _ in 0..<20 { await step(edits: true) }
    guard let log = FileHandle(forUpdatingAtPath: notes) else { return false }
    var isTold = false
    for _ in 0..<1_000 {
      await step(edits: false)
      var isWhole = true
      var digests: [Set<Digest>] = [[], []]
      for (place, device) in devices.enumerated() {
        if await !device.isAcknowledged { isWhole = false }
        digests[place % 2].insert(await device.list.digest)
      }
      guard isWhole, digests.allSatisfy({ $0.count == 1 }) else { continue }
      if !isTold { Self.append("0 end \(number)\n", log) }
      isTold = true
      // The other one has stopped to write too, and its news have had time to come.
      let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
      let ends = text.split(separator: "\n").count { $0.hasPrefix("0 end ") }
      guard ends == 2 else { continue }
      for _ in 0..<100 { await step(edits: false) }
      for (place, device) in devices.enumerated() {
        Self.append("\(place % 2) digest \(await device.list.digest)\n", log)
      }
      return true
    }
    return false
  }
}
