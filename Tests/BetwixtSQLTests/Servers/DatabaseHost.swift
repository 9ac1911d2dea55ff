import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync
import Foundation

/// A server in front of a database, with what brings it the news of other processes.
struct DatabaseHost: Sendable {
  let server: LiveServer
  let driver: ShellDriver
  private let bell: NewsBell
  private let bringNews: @Sendable ([ListID]?) async throws -> Void

  init(_ database: TestDatabase, withLog isLog: Bool) {
    driver = ShellDriver(database)
    let bell = NewsBell(driver)
    self.bell = bell
    let random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    if isLog {
      let storage = LogStorage(driver, bell)
      let server = LiveServer(SyncServer(), storage: storage, random: random)
      bringNews = { try await storage.bringNews(to: server, of: $0) }
      self.server = server
    } else {
      let storage = RegisterStorage(driver, bell)
      let server = LiveServer(SyncServer(), storage: storage, random: random)
      bringNews = { try await storage.bringNews(to: server, of: $0) }
      self.server = server
    }
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - folders: Those of the database's servers; whichever answers is listened to.
  ///   - asks: Whether it asks once in a second too, whatever it hears.
  func run(listeningTo folders: [String], asks: Bool = true) async {
    await withTaskGroup { group in
      group.addTask { await server.run() }
      group.addTask {
        while asks, !Task.isCancelled {
          try? await bringNews(nil)
          try? await Task.sleep(for: .seconds(1))
        }
      }
      group.addTask {
        while !Task.isCancelled {
          for folder in folders { await listen(to: folder) }
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
    }
  }

  private func listen(to folder: String) async {
    guard var notifications = try? await NotificationListener(folder) else { return }
    while let payload = try? await notifications.next() {
      try? await bringNews(SQLNews.lists(payload, besidesThoseOf: bell.sender))
    }
  }

  /// What a database holds of a list.
  static func stored(
    _ id: ListID, _ connection: ShellConnection, withLog isLog: Bool
  ) throws -> ReplicatedList {
    if isLog {
      var log = DeltaLog(of: id)
      let rows = SQLLog(.postgres, list: id)
      let missing = log.missing(among: try rows.names(connection.perform([rows.names()])[0]))
      try log.take(rows.rows(connection.perform([rows.rows(missing)])[0]))
      return log.list
    }
    var list = ReplicatedList(id: id)
    let rows = SQLRegisters(.postgres, list: id)
    list.merge(try rows.delta(connection.perform([rows.since([:])])[0], since: [:]))
    return list
  }
}

/// Clients of one host on two lists, and what they were told to be stored.
actor Clients {
  static let lists = [ListID(high: 17, low: 3), ListID(high: 17, low: 4)]

  private var devices: [StreamDevice] = []
  private var told: [VersionVector] = [[:], [:]]

  /// The numbers that were acknowledged, for each list.
  var acknowledged: [VersionVector] { told }

  /// What each client waits for, to be said when they do not settle.
  var described: [String] {
    get async {
      var lines: [String] = []
      for device in devices { lines.append(await device.described) }
      return lines
    }
  }

  /// The writes that were acknowledged and that no later one has replaced, for each list.
  ///
  /// A version may not claim all of them yet: it does when both sides were seen to hold the same.
  func acknowledgedEntries() async throws -> [Delta] {
    var builders = [Delta.Builder(), Delta.Builder()]
    for (number, device) in devices.enumerated() {
      let list = await device.list
      for entry in list.delta(since: [:]).entries where told[number % 2].covers(entry.dot) {
        try builders[number % 2].add(entry)
      }
    }
    return builders.map { $0.build() }
  }

  /// Connects clients that write as replicas from a number on.
  func start(_ count: Int, from first: UInt64 = 1, at server: LiveServer) async {
    for number in 0..<count {
      let replica = ReplicaID(rawValue: first + UInt64(number))
      devices.append(
        StreamDevice(Self.lists[number % 2], replica: replica, server: server) {
          [weak self] told, _ in
          Task { await self?.note(told, of: replica, number % 2) }
        })
    }
    for device in devices { await device.start() }
  }

  private func note(_ number: Int64, of replica: ReplicaID, _ place: Int) {
    told[place][replica] = max(told[place][replica], number)
  }

  func turn(to server: LiveServer) async {
    for device in devices { await device.turn(to: server) }
  }

  func step(edits: Bool = false) async {
    for device in devices {
      if edits { await device.edit() }
      await device.tick()
    }
    try? await Task.sleep(for: .milliseconds(20))
  }

  /// Waits until all that was written is acknowledged, and a condition holds; says whether it does.
  func settle(until holds: () async throws -> Bool = { true }) async rethrows -> Bool {
    for _ in 0..<1_500 {
      await step()
      var isWhole = true
      for device in devices where await !device.isAcknowledged { isWhole = false }
      if isWhole, try await holds() { return true }
    }
    return false
  }

  /// Whether all clients of each list hold this, and it claims all that they claim.
  func hold(_ lists: [ReplicatedList], claimingAll: Bool = false) async -> Bool {
    for (number, device) in devices.enumerated() {
      let (mine, whole) = (await device.list, lists[number % 2])
      guard mine == whole, mine.digest == whole.digest else { return false }
      if claimingAll, !whole.version.covers(mine.version) { return false }
    }
    return true
  }
}
