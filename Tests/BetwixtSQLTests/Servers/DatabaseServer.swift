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

  init(_ driver: any SQLDriver, _ bell: NewsBell? = nil) {
    self.driver = driver
    self.bell = bell
  }

  func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
    logs[list] = DeltaLog(of: list)
    try await refresh(list)
    let rows = SQLOwners(.postgres, list: list)
    let stored = try rows.all(try await driver.perform([rows.all()])[0])
    owners[list] = stored
    return StoredDocument(logs[list]?.list ?? ReplicatedList(id: list), owners: stored)
  }

  /// All writes in one transaction, however many clients have made them.
  func store(_ writes: [StoredWrite]) async throws {
    var new: [ListID: [ReplicaID: String]] = [:]
    for write in writes {
      guard let owner = write.owner else { continue }
      new[write.list, default: [:]][owner.replica] = owner.principal
    }
    try await add(writes.map { ($0.list, $0.delta) }, new)
  }

  private func add(
    _ deltas: [(ListID, Delta)], _ new: [ListID: [ReplicaID: String]]
  ) async throws {
    var statements: [SQLStatement] = []
    var rows: [(list: ListID, row: LogRow)] = []
    for (list, delta) in deltas {
      let row = try DeltaLog(of: list).row(storing: delta)
      statements.append(SQLLog(.postgres, list: list).append(row))
      rows.append((list, row))
    }
    for (list, names) in new.sorted(by: { $0.key < $1.key }) {
      statements += SQLOwners(.postgres, list: list).add(names)
    }
    _ = try await driver.perform(statements)
    for (list, names) in new { owners[list]?.merge(names) { first, _ in first } }
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
    let rows = SQLLog(.postgres, list: list)
    while true {
      let names = try rows.names(try await driver.perform([rows.names()])[0])
      guard let missing = logs[list]?.missing(among: names), !missing.isEmpty else { return }
      let answer = try await driver.perform([rows.rows(missing)])
      try logs[list]?.take(try rows.rows(answer[0]))
    }
  }

  /// Brings what other processes have stored: when a notification wakes it, and now and then.
  func bringNews(to server: LiveServer, of lists: [ListID]? = nil) async throws {
    for list in lists ?? logs.keys.sorted() where logs[list] != nil {
      try await refresh(list)
      // The database was put back to an older state, and this process still holds what it lost.
      if let lost = logs[list]?.lost() {
        try await add([(list, lost)], [list: owners[list] ?? [:]])
      }
      guard let log = logs[list], let held = await server.list(list) else { continue }
      let news = log.list.delta(since: held.version, floor: held.floor)
      if !news.isEmpty { await server.merge(news, into: list) }
    }
  }

  func close(_ list: ListID) {
    logs[list] = nil
    owners[list] = nil
  }
}

/// Documents as registers in rows, which any number of processes share.
actor RegisterStorage: ServerStorage {
  private let driver: any SQLDriver
  private let bell: NewsBell?
  // Of each open list.
  private var owners: [ListID: [ReplicaID: String]] = [:]

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
      statements += SQLOwners(.postgres, list: list).add(new)
      owners[list]?.merge(new) { first, _ in first }
    }
    _ = try await driver.perform(statements)
    await bell?.ring(byList.keys)
  }

  /// Brings what other processes have stored: when a notification wakes it, and now and then.
  func bringNews(to server: LiveServer, of lists: [ListID]? = nil) async throws {
    for list in lists ?? owners.keys.sorted() {
      guard let names = owners[list], let held = await server.list(list) else { continue }
      let rows = SQLRegisters(.postgres, list: list)
      let since = rows.since(held.version, floor: held.floor)
      let answers = try await driver.perform([rows.version(), since])
      let news = try rows.delta(answers[1], since: held.version)
      if !news.isEmpty { await server.merge(news, into: list) }
      // All that is held was stored. Where the database claims less, something came before what it
      // continues, or the database was put back to an older state.
      let (stored, floor) = (try rows.version(answers[0]), try rows.floor(answers[0]))
      guard !stored.covers(held.version) || !floor.covers(held.floor) else { continue }
      _ = try await driver.perform(
        rows.merge([held.delta(since: stored, floor: floor)])
          + SQLOwners(.postgres, list: list).add(names))
      await bell?.ring([list])
    }
  }

  func close(_ list: ListID) { owners[list] = nil }
}

/// Tells the other processes which lists have news, at once, and then at most twenty times a second.
actor NewsBell {
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
      _ = try? await driver.perform([SQLNews.notify(of: told)])
      try? await Task.sleep(for: .milliseconds(50))
    }
    isRinging = false
  }
}
