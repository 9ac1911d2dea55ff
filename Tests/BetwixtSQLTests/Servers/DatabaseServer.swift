import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync

// MARK: The article

/// Documents as logs of deltas in PostgreSQL, which any number of processes share.
actor LogStorage: ServerStorage {
  private let driver: any SQLDriver
  private var logs: [ListID: DeltaLog] = [:]

  init(_ driver: any SQLDriver) { self.driver = driver }

  func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
    logs[list] = DeltaLog(of: list)
    try await refresh(list)
    let owners = SQLOwners(.postgres, list: list)
    let answer = try await driver.perform([owners.all()])
    return StoredDocument(
      logs[list]?.list ?? ReplicatedList(id: list), owners: try owners.all(answer[0]))
  }

  /// All writes in one transaction, however many clients have made them.
  func store(_ writes: [StoredWrite]) async throws {
    var statements: [SQLStatement] = []
    var rows: [(list: ListID, row: LogRow)] = []
    for write in writes {
      let row = try DeltaLog(of: write.list).row(storing: write.delta)
      statements.append(SQLLog(.postgres, list: write.list).append(row))
      rows.append((write.list, row))
      guard let owner = write.owner else { continue }
      statements.append(
        SQLOwners(.postgres, list: write.list).add(owner.replica, principal: owner.principal))
    }
    _ = try await driver.perform(statements)
    for (list, row) in rows { try logs[list]?.take([row]) }
    for list in Set(rows.map { $0.list }) { try await fold(list) }
  }

  private func fold(_ list: ListID) async throws {
    guard let log = logs[list], log.isLong, let fold = try log.fold() else { return }
    _ = try await driver.perform(SQLLog(.postgres, list: list).fold(fold))
    logs[list]?.folded(fold)
  }

  private func refresh(_ list: ListID) async throws {
    let rows = SQLLog(.postgres, list: list)
    while true {
      let names = try rows.names(try await driver.perform([rows.names()])[0])
      guard let missing = logs[list]?.missing(among: names), !missing.isEmpty else { return }
      let answer = try await driver.perform([rows.rows(missing)])
      try logs[list]?.take(try rows.rows(answer[0]))
    }
  }

  /// Brings what other processes have stored: when a notification wakes it, and now and then.
  func bringNews(to server: LiveServer) async throws {
    for list in logs.keys.sorted() {
      try await refresh(list)
      guard let log = logs[list], let held = await server.list(list) else { continue }
      await server.merge(log.list.delta(since: held.version), into: list)
    }
  }

  func close(_ list: ListID) { logs[list] = nil }
}

/// Documents as registers in rows, which any number of processes share.
actor RegisterStorage: ServerStorage {
  private let driver: any SQLDriver
  // What the database was last told that each open list knows.
  private var claimed: [ListID: VersionVector] = [:]

  init(_ driver: any SQLDriver) { self.driver = driver }

  func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
    let (rows, owners) = (SQLRegisters(.postgres, list: list), SQLOwners(.postgres, list: list))
    let answer = try await driver.perform([rows.since([:]), owners.all()])
    var document = StoredDocument(ReplicatedList(id: list), owners: try owners.all(answer[1]))
    document.list.merge(try rows.delta(answer[0], since: [:]))
    claimed[list] = [:]
    return document
  }

  /// All writes in one transaction, lists in one order, each once.
  func store(_ writes: [StoredWrite]) async throws {
    var statements: [SQLStatement] = []
    let byList = Dictionary(grouping: writes) { $0.list }
    for (list, writes) in byList.sorted(by: { $0.key < $1.key }) {
      statements += SQLRegisters(.postgres, list: list).merge(writes.map { $0.delta })
      for owner in writes.compactMap({ $0.owner }) {
        statements.append(
          SQLOwners(.postgres, list: list).add(owner.replica, principal: owner.principal))
      }
    }
    _ = try await driver.perform(statements)
  }

  /// Brings what other processes have stored: when a notification wakes it, and now and then.
  func bringNews(to server: LiveServer) async throws {
    for list in claimed.keys.sorted() {
      guard let version = await server.list(list)?.version else { continue }
      let rows = SQLRegisters(.postgres, list: list)
      // All that a list here knows is stored, but not each delta could prove that when it came.
      if claimed[list] != version {
        _ = try await driver.perform(rows.claim(version))
        if claimed[list] != nil { claimed[list] = version }
      }
      let news = try rows.delta(
        try await driver.perform([rows.since(version)])[0], since: version)
      if !news.isEmpty { await server.merge(news, into: list) }
    }
  }

  func close(_ list: ListID) { claimed[list] = nil }
}
