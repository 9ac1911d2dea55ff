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
  /// Whether the clients hold no lists; a few others do, and look on.
  var isLight = false
  /// The server, if it is another program.
  var program: String?
  /// Whether each client has a share of the server's time: not where it is measured how fast one is.
  private var isBounded: Bool { rate > 0 || attack != nil }

  /// What a run measured.
  struct Result {
    var text = ""
    /// Milliseconds within which 99 of 100 edits were seen, and the same before attackers came.
    var most = 0.0
    var calm = Double.nan
    var editsPerSecond = 0.0
    var cores = 0.0
    var memory = 0
  }

  static func list(_ number: Int) -> ListID { ListID(high: 1, low: UInt64(number + 1)) }

  func run() async throws -> Result {
    if isLight { return try await runLight() }
    let site = try Site(program, isBounded: isBounded)
    defer { site.remove() }
    let measuring = Measuring()
    let honest = (0..<clients).map {
      HonestClient($0, list: LoadRun.list($0 % documents), measuring)
    }
    let address = site.address
    let connections = Task { await LoadRun.stay(honest, address) }
    await connect(honest)
    let result = try await measure(honest, measuring, site)
    let digests = await settle(honest)
    connections.cancel()
    await connections.value
    site.server.kill()
    try await check(await promises(of: honest), digests, honest, site.folder)
    return result
  }

  static func stay(_ honest: [HonestClient], _ address: SocketAddress) async {
    await withDiscardingTaskGroup { group in
      for client in honest { group.addTask { await client.run(address) } }
    }
  }

  private func measure(
    _ honest: [HonestClient], _ measuring: Measuring, _ site: Site
  ) async throws -> Result {
    var calm = Double.nan
    var attackers: Child?
    if attack != nil {
      // A replica belongs to whose write under it is stored first.
      for client in honest { await client.edit() }
      await settle(honest)
    }
    let editing = Task { await edit(honest, measuring) }
    if let attack {
      // What one and the same server does without them is what they are held against.
      try await Task.sleep(for: .seconds(1))
      measuring.reset()
      try await Task.sleep(for: .seconds(seconds))
      calm = measuring.times().most
      attackers = try Child(
        ["attack", attack.rawValue, site.folder, "\(self.attackers ?? attack.count)"], isIdle: true)
      await site.attack()
      try await Task.sleep(for: .seconds(2))
    }
    measuring.reset()
    let (start, busy) = (Measuring.now, site.server.seconds)
    for _ in 0..<kills {
      try await Task.sleep(for: .milliseconds(.random(in: 300...700)))
      try site.restart()
    }
    if kills == 0 { try await Task.sleep(for: .seconds(seconds)) }
    let time = Double(Measuring.now - start) / 1e6
    // Those of a rate are all acknowledged in the end, or the run fails.
    let edits = measuring.acknowledged.load(ordering: .relaxed)
    let (cpu, memory) = (site.server.seconds - busy, site.server.memory)
    let times = measuring.times()
    editing.cancel()
    await editing.value
    if let attackers {
      guard attackers.isRunning else { fail("FAILED: the attackers have ended before the run") }
      attackers.kill()
    }
    return result(times, calm: calm, Double(edits) / time, cpu / time, memory)
  }

  private func result(
    _ times: Measuring.Times, calm: Double, _ editsPerSecond: Double, _ cores: Double,
    _ memory: (peak: Int, now: Int)
  ) -> Result {
    var result = Result()
    result.editsPerSecond = editsPerSecond
    result.most = times.most
    result.calm = calm
    result.cores = cores
    result.memory = memory.peak
    result.text =
      "\(clients) clients, \(documents) documents"
      + (attack.map { ", beside \($0.rawValue)" } ?? "") + (kills > 0 ? ", \(kills) kills" : "")
      + ": \(LoadRun.text(editsPerSecond)) acknowledged edits a second; \(times.count) seen, half of "
      + "them within \(LoadRun.text(times.half)) ms, 99 of 100 within \(LoadRun.text(times.most)) ms, all within "
      + "\(LoadRun.text(times.all)) ms"
      + (attack == nil
        ? ""
        : "; before that 99 of 100 within \(LoadRun.text(calm)) ms, 1 : \(LoadRun.text(times.most / calm))")
      + "; server \(LoadRun.text(cores)) cores, at most \(memory.peak) MB, now \(memory.now) MB"
    return result
  }

  static func text(_ number: Double) -> String {
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
  func connect(_ honest: [HonestClient]) async {
    for client in honest {
      await Patience.wait(for: "a connection of an honest client") {
        await client.live.state == .connected
      }
    }
  }

  /// Waits until all is acknowledged and everybody has everything.
  @discardableResult func settle(_ honest: [HonestClient]) async -> [ListID: Digest] {
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

  /// A number that a client was told its writes are stored up to.
  struct Promise {
    let replica: ReplicaID
    let list: ListID
    let acknowledged: Int64
    /// What the client has written last, if that is acknowledged: nobody else writes its item.
    var written: (item: ItemID, time: Int64)?

    /// Fails unless a list keeps it.
    func check(_ held: ReplicatedList) {
      guard held.version[replica] >= acknowledged else {
        fail("FAILED: \(replica) was told of \(acknowledged), the file has less")
      }
      guard let written else { return }
      guard held[id: written.item]?["time"] == .int64(written.time) else {
        fail("FAILED: the file has another value than \(replica) was told is stored")
      }
    }
  }

  private func promises(of honest: [HonestClient]) async -> [Promise] {
    var promises: [Promise] = []
    for client in honest {
      promises.append(
        Promise(
          replica: client.replica, list: client.list, acknowledged: await client.live.acknowledged))
    }
    return promises
  }

  /// The files hold what every client shows, and every write that was acknowledged.
  func check(
    _ promises: [Promise], _ digests: [ListID: Digest], _ honest: [HonestClient], _ folder: String
  ) async throws {
    // What the journal of a killed server holds goes into the files.
    _ = try ServerFolder.open(
      at: folder, settings: ServerFolder.Settings(random: { .random(in: 0 ... .max) }))
    for number in 0..<documents {
      let list = LoadRun.list(number)
      let held = try DocumentExamination(
        of: ServerFolder.path(of: list, in: folder), in: PosixFileSystem()
      ).list
      if let digest = digests[list] {
        var expected = digest
        if attack != nil, let client = honest.first(where: { $0.list == list }) {
          // What attackers sent last may have been stored when the clients were looked at already.
          expected = held.merging(await client.live.list).digest
        }
        guard held.digest == expected else {
          fail("FAILED: the file of \(list) is not what the clients show")
        }
      }
      for promise in promises where promise.list == list { promise.check(held) }
    }
  }
}
