import Betwixt
import BetwixtFiles
import Foundation
import FuzzSupport

extension LoadRun {
  /// At one of so many documents a whole client looks on.
  private static let witnessed = 10

  /// As a run whose edits wait for each other, with clients that hold no lists.
  ///
  /// A client that is alone has no witness: it is the measure of what one can do.
  func runLight() async throws -> Result {
    let site = try Site(program, isBounded: false)
    defer { site.remove() }
    let measuring = Measuring()
    let witnesses =
      clients == 1
      ? []
      : stride(from: 0, to: documents, by: LoadRun.witnessed).map {
        HonestClient(clients + $0, list: LoadRun.list($0), measuring)
      }
    let address = site.address
    let connections = Task { await LoadRun.stay(witnesses, address) }
    let crowd = LightCrowd(
      try (0..<clients).map { try LightClient($0, list: LoadRun.list($0 % documents)) },
      at: await site.socket())
    await crowd.connect()
    await connect(witnesses)
    crowd.edit()
    // The first second is for the server to get going.
    try await Task.sleep(for: .seconds(min(1, seconds / 4)))
    _ = crowd.takeSeen()
    measuring.reset()
    let (start, busy, own) = (Measuring.now, site.server.seconds, ownSeconds)
    try await Task.sleep(for: .seconds(seconds))
    let seen = crowd.takeSeen()
    let time = Double(Measuring.now - start) / 1e6
    let cores = (server: (site.server.seconds - busy) / time, own: (ownSeconds - own) / time)
    let memory = site.server.memory.peak
    await crowd.hold()
    let promises = await crowd.finish()
    let digests = await settle(witnesses, promises)
    connections.cancel()
    await connections.value
    site.server.kill()
    try await check(promises, digests, witnesses, site.folder)
    return result(seen, time, cores, memory, measuring)
  }

  /// Waits until the witnesses hold all that was acknowledged.
  private func settle(
    _ witnesses: [HonestClient], _ promises: [Promise]
  ) async -> [ListID: Digest] {
    for _ in 0..<1_200 {
      let digests = await settle(witnesses)
      var isWhole = true
      for client in witnesses where isWhole {
        let version = await client.live.list.version
        isWhole = promises.allSatisfy {
          $0.list != client.list || version[$0.replica] >= $0.acknowledged
        }
      }
      if isWhole { return digests }
      try? await Task.sleep(for: .milliseconds(50))
    }
    fail("FAILED: after a minute of quiet a client lacks what was acknowledged")
  }

  private func result(
    _ seen: LightSeen, _ time: Double, _ cores: (server: Double, own: Double), _ memory: Int,
    _ measuring: Measuring
  ) -> Result {
    let (waits, times) = (Measuring.times(of: seen.waits), Measuring.times(of: seen.times))
    var result = Result()
    result.editsPerSecond = Double(seen.acknowledged) / time
    result.most = times.most
    result.text =
      "\(clients) light clients, \(documents) documents: \(LoadRun.text(result.editsPerSecond)) "
      + "acknowledged edits a second, half of them within \(LoadRun.text(waits.half)) ms, 99 of 100 within "
      + "\(LoadRun.text(waits.most)) ms; seen by others within \(LoadRun.text(times.half)) and "
      + "\(LoadRun.text(times.most)) ms, by whole clients within \(LoadRun.text(measuring.times().most)) ms; server "
      + "\(LoadRun.text(cores.server)) cores, clients \(LoadRun.text(cores.own)), at most \(memory) MB"
    return result
  }
}
