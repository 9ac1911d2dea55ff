import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync

// MARK: The article

/// Documents as logs of deltas in PostgreSQL, which any number of processes share.
actor LogStorage: ServerStorage {
  private let driver: any SQLDriver
  private let bell: NewsBell?
  private var logs: [ListID: DeltaLog] = [:]
  private var owners: [ListID: [ReplicaID: String]] = [:]
  // What other processes have stored and the server has yet to hear of.
  private var news: [ListID: [Delta]] = [:]

  init(_ driver: any SQLDriver, _ bell: NewsBell? = nil) {
    self.driver = driver
    self.bell = bell
  }

  func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
    (logs[list], owners[list]) = (DeltaLog(of: list), [:])
    try await refresh(list)
    // The list that is handed over holds all that was read.
    news[list] = nil
    return StoredDocument(
      logs[list]?.list ?? ReplicatedList(id: list), owners: owners[list] ?? [:])
  }

  /// All writes in one transaction, however many clients have made them.
  func store(_ writes: [StoredWrite]) async throws {
    var new: [ListID: [ReplicaID: String]] = [:]
    for write in writes {
      guard let owner = write.owner else { continue }
      new[write.list, default: [:]][owner.replica] = owner.principal
    }
    // Fails if another process was the first to store that one of them is another's.
    let claims = new.sorted { $0.key < $1.key }.flatMap { list, names in
      SQLOwners(.postgres, list: list).claim(names)
    }
    try await add(writes.map { ($0.list, $0.delta) }, with: claims)
    for (list, names) in new { owners[list]?.merge(names) { first, _ in first } }
  }

  private func add(
    _ deltas: [(ListID, Delta)], with claims: [SQLStatement]
  ) async throws {
    var statements: [SQLStatement] = []
    var rows: [(list: ListID, row: LogRow)] = []
    for (list, delta) in deltas {
      let row = try DeltaLog(of: list).row(storing: delta)
      statements.append(SQLLog(.postgres, list: list).append(row))
      rows.append((list, row))
    }
    _ = try await driver.perform(statements + claims)
    for (list, row) in rows { try logs[list]?.take([row]) }
    for list in Set(rows.map { $0.list }) { try await fold(list) }
    await bell?.ring(rows.map { $0.list })
  }

  private func fold(_ list: ListID) async throws {
    guard let log = logs[list], log.isLong, let fold = try log.fold() else { return }
    _ = try await driver.perform(SQLLog(.postgres, list: list).fold(fold))
    logs[list]?.folded(fold)
  }

  private func refresh(_ list: ListID) async throws {
    let (rows, names) = (SQLLog(.postgres, list: list), SQLOwners(.postgres, list: list))
    while let moment = logs[list]?.moment {
      let stored = try rows.names(try await driver.perform([rows.names()])[0])
      let missing = logs[list]?.missing(among: stored, askedAt: moment) ?? []
      guard !missing.isEmpty else { return }
      // Whose a replica is stands there with its first write.
      let answer = try await driver.perform([rows.rows(missing), names.all()])
      owners[list]?.merge(try names.all(answer[1])) { _, stored in stored }
      guard let delta = try logs[list]?.take(try rows.rows(answer[0])) else { return }
      news[list, default: []].append(delta)
    }
  }

  /// Brings what other processes have stored: when a notification wakes it, and now and then.
  func bringNews(to server: LiveServer, of lists: [ListID]? = nil) async throws {
    for list in lists ?? logs.keys.sorted() where logs[list] != nil {
      try await refresh(list)
      // The database was put back to an older state, and this process still holds what it lost.
      if let lost = logs[list]?.lost() {
        let names = SQLOwners(.postgres, list: list).add(owners[list] ?? [:])
        try await add([(list, lost)], with: names)
      }
      guard let held = await server.list(list), let log = logs[list] else { continue }
      var brought = news.removeValue(forKey: list) ?? []
      // What came before what it continues is claimed now. What this process itself has stored is
      // not brought: the server has it, or is about to.
      if lists == nil, brought.isEmpty, !held.version.covers(log.list.version) {
        brought = [log.list.delta(since: held.version, floor: held.floor)]
      }
      let names = owners[list] ?? [:]
      for delta in brought where !delta.isEmpty {
        await server.merge(delta, owners: names, into: list)
      }
    }
  }

  func close(_ list: ListID) {
    logs[list] = nil
    owners[list] = nil
    news[list] = nil
  }
}

/// Documents as registers in rows, which any number of processes share.
actor RegisterStorage: ServerStorage {
  private let driver: any SQLDriver
  private let bell: NewsBell?
  // Of each open list.
  private var owners: [ListID: [ReplicaID: String]] = [:]
  private var rounds = 0

  init(_ driver: any SQLDriver, _ bell: NewsBell? = nil) {
    self.driver = driver
    self.bell = bell
  }

  func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
    let (rows, names) = (SQLRegisters(.postgres, list: list), SQLOwners(.postgres, list: list))
    let answer = try await driver.perform([rows.since([:]), names.all()])
    var document = StoredDocument(ReplicatedList(id: list), owners: try names.all(answer[1]))
    document.list.merge(try rows.delta(answer[0], since: [:]))
    owners[list] = document.owners
    return document
  }

  /// All writes in one transaction, lists in one order, each once.
  func store(_ writes: [StoredWrite]) async throws {
    var statements: [SQLStatement] = []
    let byList = Dictionary(grouping: writes) { $0.list }
    for (list, writes) in byList.sorted(by: { $0.key < $1.key }) {
      statements += SQLRegisters(.postgres, list: list).merge(writes.map { $0.delta })
      var new: [ReplicaID: String] = [:]
      for owner in writes.compactMap({ $0.owner }) { new[owner.replica] = owner.principal }
      // Fails if another process was the first to store that one of them is another's.
      statements += SQLOwners(.postgres, list: list).claim(new)
    }
    _ = try await driver.perform(statements)
    for write in writes {
      guard let owner = write.owner else { continue }
      owners[write.list]?[owner.replica] = owner.principal
    }
    await bell?.ring(byList.keys)
  }

  /// Brings what other processes have stored: when a notification wakes it, and now and then.
  func bringNews(to server: LiveServer, of lists: [ListID]? = nil) async throws {
    if lists == nil { rounds += 1 }
    for list in lists ?? owners.keys.sorted() {
      guard owners[list] != nil, let held = await server.list(list) else { continue }
      let (rows, names) = (SQLRegisters(.postgres, list: list), SQLOwners(.postgres, list: list))
      let version = try await driver.perform([rows.version()])[0]
      let (stored, floor) = (try rows.version(version), try rows.floor(version))
      // What nobody can claim yet, as in a first upload, is read again each time: without a
      // notification only once in a minute.
      if lists != nil || rounds % 60 == 0 || !held.version.covers(stored)
        || !held.floor.covers(floor)
      {
        // Whose a replica is stands there with its first write.
        let answer = try await driver.perform([
          rows.since(held.version, floor: held.floor), names.all(),
        ])
        let news = try rows.delta(answer[0], since: held.version)
        let all = try names.all(answer[1])
        owners[list]?.merge(all) { _, stored in stored }
        if !news.isEmpty { await server.merge(news, owners: all, into: list) }
      }
      // All that is held was stored. Where the database claims less, something came before what it
      // continues, or the database was put back to an older state.
      guard !stored.covers(held.version) || !floor.covers(held.floor) else { continue }
      _ = try await driver.perform(
        rows.merge([held.delta(since: stored, floor: floor)]) + names.add(owners[list] ?? [:]))
      await bell?.ring([list])
    }
  }

  func close(_ list: ListID) { owners[list] = nil }
}

/// Tells the other processes which lists have news, at once, and then at most twenty times a second.
actor NewsBell {
  /// The sender of its notifications: what they tell of, this process knows.
  nonisolated let sender = UInt64.random(in: .min ... .max)
  private let driver: any SQLDriver
  private var lists: Set<ListID> = []
  private var isRinging = false

  init(_ driver: any SQLDriver) { self.driver = driver }

  func ring(_ news: some Sequence<ListID>) {
    lists.formUnion(news)
    guard !isRinging else { return }
    isRinging = true
    Task { await ringUntilAllIsTold() }
  }

  private func ringUntilAllIsTold() async {
    while !lists.isEmpty {
      let told = lists
      lists = []
      _ = try? await driver.perform([SQLNews.notify(of: told, from: sender)])
      try? await Task.sleep(for: .milliseconds(50))
    }
    isRinging = false
  }
}
