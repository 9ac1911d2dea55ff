import Betwixt
import BetwixtFiles
import BetwixtSync
import Foundation

/// What clients do that nobody wants.
enum Attack: String, CaseIterable {
  case garbage
  case halfFrames = "half-frames"
  case neverReads = "never-reads"
  case smallFrames = "small-frames"
  case inventedReplicas = "invented-replicas"
  case futureClocks = "future-clocks"
  case squatting
  case connections

  /// How many connections do it at once.
  var count: Int {
    switch self {
    case .connections: 3_000
    case .smallFrames, .inventedReplicas: 1
    default: 20
    }
  }

  /// What the name of a socket's file is followed by in that of a file beside it, once somebody was let
  /// in who attacks: what is measured before that is no attack.
  static let mark = ".attacked"

  private static func open(_ path: String) async throws -> SocketConnection {
    let socket = try await Login.open(.path(path), as: "mallory")
    _ = FileManager.default.createFile(atPath: path + mark, contents: nil)
    return socket
  }

  func run(_ path: String, _ list: ListID, count: Int?) async {
    await withDiscardingTaskGroup { group in
      for number in 0..<(count ?? self.count) {
        group.addTask {
          while !Task.isCancelled {
            await attack(path, list, number)
            try? await Task.sleep(for: .milliseconds(self == .connections ? 2_000 : 20))
          }
        }
      }
    }
  }

  private func attack(_ path: String, _ list: ListID, _ number: Int) async {
    switch self {
    case .garbage, .halfFrames, .neverReads, .connections: await talk(path, list)
    case .smallFrames, .inventedReplicas, .futureClocks, .squatting:
      await write(path, list, number)
    }
  }

  // MARK: Bytes

  private func talk(_ path: String, _ list: ListID) async {
    guard let socket = try? await Attack.open(path) else { return }
    defer { socket.close() }
    var session = SyncSession(
      SyncSetup(replica: ReplicaID(rawValue: .random(in: 1 << 40 ... .max)), isLive: true),
      list: ReplicatedList(id: list),
      nonce: SessionNonce(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)), now: 0)
    var hello: [UInt8] = []
    for case .send(let bytes) in session.start(now: 0) { hello += bytes }
    switch self {
    case .garbage:
      for _ in 0..<200 {
        let noise = (0..<1_000).map { _ in UInt8.random(in: 0...255) }
        guard (try? await socket.write(noise)) != nil else { return }
      }
    case .halfFrames:
      _ = try? await socket.write(Array(hello.prefix(.random(in: 1..<hello.count))))
      while let bytes = try? await socket.read(), !bytes.isEmpty {}
    case .neverReads:
      _ = try? await socket.write(hello)
      try? await Task.sleep(for: .seconds(3_600))
    default:
      _ = try? await socket.write(hello)
      while let bytes = try? await socket.read(), !bytes.isEmpty {}
    }
  }

  // MARK: Sessions that say what they should not

  private struct Nothing: ClientStorage {
    func store(_ writes: [Delta]) async throws {}
  }

  private func write(_ path: String, _ list: ListID, _ number: Int) async {
    // The replicas of honest clients are 1 and so on.
    let id = self == .squatting ? UInt64(number % 20 + 1) : .random(in: 1 << 40 ... .max)
    let ahead: Int64 = self == .futureClocks ? 1_000_000_000_000 : 0
    let live = LiveClient(
      ReplicatedList(id: list),
      by: Replica(id: ReplicaID(rawValue: id)) { Measuring.wallMilliseconds + ahead },
      storage: Nothing(), random: { UInt64.random(in: .min ... .max) })
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        _ = await live.run { client in
          let socket = try await Attack.open(path)
          await client.converse(
            reading: socket.inbound, writing: { try await socket.write($0) },
            closing: { socket.close() })
        }
      }
      group.addTask { await edit(live) }
      await group.next()
      group.cancelAll()
    }
  }

  private func edit(_ live: LiveClient) async {
    guard
      let item = try? await live.edit({ list, me in try list.append(["x": "0"], by: &me) })
    else { return }
    for number in 0..<1_000_000 {
      guard !Task.isCancelled else { return }
      let isInvented = self == .inventedReplicas
      try? await live.edit { list, me in
        guard isInvented else {
          try list.set("x", of: item, to: .string("\(number)"), by: &me)
          return
        }
        for _ in 0..<100 {
          var other = Replica(id: ReplicaID(rawValue: .random(in: 1 << 40 ... .max))) {
            Measuring.wallMilliseconds
          }
          try list.append(["x": "1"], by: &other)
        }
      }
      // As fast as it can, but for what it would only do to itself.
      while await live.list.version[live.replica] - live.acknowledged > 4_000, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(1))
      }
      if isInvented { try? await Task.sleep(for: .milliseconds(5)) }
      if self != .smallFrames, number % 10 == 9 { try? await Task.sleep(for: .milliseconds(10)) }
    }
  }
}
