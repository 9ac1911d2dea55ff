import Betwixt
import BetwixtFiles
import BetwixtSync
import Foundation
import FuzzSupport
import Synchronization

/// A server process under the load of this one.
struct LoadRun {
  var clients = 20
  var documents = 1
  /// Edits a second of all clients together; 0 for edits that each wait for the one before.
  var rate = 20.0
  var seconds = 10.0
  var kills = 0
  var attack: Attack?
  var attackers: Int?
  /// The server, if it is another program.
  var program: String?
  /// Whether each client has a share of the server's time: not where it is measured how fast one is.
  private var isBounded: Bool { rate > 0 || attack != nil }

  /// What a run measured.
  struct Result {
    var text = ""
    var most = 0.0
    var editsPerSecond = 0.0
  }

  static func list(_ number: Int) -> ListID { ListID(high: 1, low: UInt64(number + 1)) }

  func run() async throws -> Result {
    let folder = NSTemporaryDirectory() + "betwixt-load-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let address = SocketAddress.path(folder + "/socket")
    let serving = ["serve", folder, isBounded ? "bounded" : "unbounded"]
    var server = try Child(serving, of: program)
    let measuring = Measuring()
    let honest = (0..<clients).map {
      HonestClient($0, list: LoadRun.list($0 % documents), measuring)
    }
    let connections = Task {
      await withDiscardingTaskGroup { group in
        for client in honest { group.addTask { await client.run(address) } }
      }
    }
    await connect(honest)
    if attack != nil {
      // A replica belongs to whose write under it is stored first.
      for client in honest { await client.edit() }
      await settle(honest)
    }
    let attackers = try attack.map {
      try Child(
        ["attack", $0.rawValue, folder, "\(self.attackers ?? $0.count)"], isIdle: true)
    }
    if attackers != nil { try await Task.sleep(for: .seconds(2)) }
    measuring.reset()
    let (start, busy) = (Measuring.now, server.seconds)
    let editing = Task { await edit(honest, measuring) }
    for _ in 0..<kills {
      try await Task.sleep(for: .milliseconds(.random(in: 300...700)))
      server.kill()
      server = try Child(serving, of: program)
    }
    if kills == 0 { try await Task.sleep(for: .seconds(seconds)) }
    let time = Double(Measuring.now - start) / 1e6
    // Those of a rate are all acknowledged in the end, or the run fails.
    let edits = measuring.acknowledged.load(ordering: .relaxed)
    let (cpu, memory) = (server.seconds - busy, server.memory)
    let times = measuring.times()
    editing.cancel()
    await editing.value
    attackers?.kill()
    let digests = await settle(honest)
    connections.cancel()
    await connections.value
    server.kill()
    try await check(honest, digests, folder)
    var result = Result()
    result.editsPerSecond = Double(edits) / time
    result.most = times.most
    result.text =
      "\(clients) clients, \(documents) documents"
      + (attack.map { ", beside \($0.rawValue)" } ?? "") + (kills > 0 ? ", \(kills) kills" : "")
      + ": \(text(result.editsPerSecond)) acknowledged edits a second; \(times.count) seen, half of "
      + "them within \(text(times.half)) ms, 99 of 100 within \(text(times.most)) ms, all within "
      + "\(text(times.all)) ms; server \(text(cpu / time)) cores, at most \(memory.peak) MB, "
      + "now \(memory.now) MB"
    return result
  }

  private func text(_ number: Double) -> String {
    number.isFinite ? String(format: number < 10 ? "%.2f" : "%.0f", number) : "-"
  }

  private func edit(_ honest: [HonestClient], _ measuring: Measuring) async {
    guard rate > 0 else {
      await withDiscardingTaskGroup { group in
        for client in honest { group.addTask { await client.editAndWait() } }
      }
      return
    }
    // By the clock, so that a slow server does not slow the edits down.
    let start = Measuring.now
    var count = 0
    while !Task.isCancelled {
      count += 1
      let time = start + Int64(Double(count) / rate * 1e6)
      let wait = time - Measuring.now
      if wait > 0 { try? await Task.sleep(for: .microseconds(wait)) }
      if let client = honest.randomElement() { await client.edit() }
      measuring.acknowledged.add(1, ordering: .relaxed)
    }
  }

  /// Waits until all are connected.
  private func connect(_ honest: [HonestClient]) async {
    for client in honest {
      while await client.live.state != .connected {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Waits until all is acknowledged and everybody has everything.
  @discardableResult private func settle(_ honest: [HonestClient]) async -> [ListID: Digest] {
    var digests: [ListID: Digest] = [:]
    for _ in 0..<1_200 {
      digests = [:]
      var isSettled = true
      for client in honest where isSettled {
        let list = await client.live.list
        let digest = digests[client.list, default: list.digest]
        digests[client.list] = digest
        isSettled =
          await client.live.acknowledged >= list.version[client.replica] && digest == list.digest
      }
      if isSettled { return digests }
      try? await Task.sleep(for: .milliseconds(50))
    }
    fail("FAILED: after a minute of quiet the clients differ, or not all is acknowledged")
  }

  /// The files hold what every client shows, and every write that was acknowledged.
  private func check(
    _ honest: [HonestClient], _ digests: [ListID: Digest], _ folder: String
  ) async throws {
    // What the journal of a killed server holds goes into the files.
    _ = try ServerFolder.open(folder, ServerFolder.Settings(random: { .random(in: 0 ... .max) }))
    for (list, digest) in digests {
      let file = try DocumentExamination(
        of: ServerFolder.path(of: list, in: folder), in: PosixFileSystem())
      let held = file.list
      var expected = held
      if attack != nil, let client = honest.first(where: { $0.list == list }) {
        // What attackers sent last may have been stored when the clients were looked at already.
        expected = held.merging(await client.live.list)
      }
      guard held.digest == (attack == nil ? digest : expected.digest) else {
        fail("FAILED: the file of \(list) is not what the clients show")
      }
      for client in honest where client.list == list {
        let number = await client.live.acknowledged
        guard held.version[client.replica] >= number else {
          fail("FAILED: \(client.replica) was told of \(number), the file has less")
        }
      }
    }
  }
}
