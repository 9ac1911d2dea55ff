import Betwixt

@testable import BetwixtSync

/// A server of many documents, clients that come back, a storage that answers late, and lines that
/// break: all of it in one value, with one clock.
struct ClientRoom {
  /// A device with a client for one document.
  struct Device {
    let user: String
    var list: ReplicatedList
    var client: SyncClient
    var line: SyncServer.ConnectionID?
    var sent: [UInt8] = []
    var states: [SyncClient.State] = []
    var changes: [ListChanges] = []
  }

  var server: SyncServer
  var devices: [Device] = []
  var now: Int64 = 0
  /// What is on the drive.
  var stored: [ListID: ReplicatedList] = [:]
  var owners: [ListID: [ReplicaID: String]] = [:]
  var opening: [ListID] = []
  var storing: [(delta: Delta, ticket: SyncServer.StoreTicket)] = []
  var mail: [SyncServer.ConnectionID: [UInt8]] = [:]
  var evicted: [ListID] = []
  var ends: [SyncServer.ConnectionID: SyncEnd] = [:]
  /// Whether the storage answers, and whether there is a server at all.
  var opensAtOnce = true
  var storesAtOnce = true
  var isUp = true
  var openCount = 0
  var groupCount = 0
  private var lineCount: UInt64 = 0

  init(_ server: SyncServer) { self.server = server }

  // MARK: Devices

  @discardableResult
  mutating func join(_ list: ReplicatedList, as user: String, replica: UInt64) -> Int {
    let client = SyncClient(
      SyncSetup(replica: ReplicaID(rawValue: replica)), list: list, spread: replica &* 0x9e37_79b9)
    devices.append(Device(user: user, list: list, client: client))
    act(devices.count - 1) { $0.start(now: $1) }
    return devices.count - 1
  }

  mutating func edit(_ index: Int, _ body: (inout ReplicatedList) throws -> Void) rethrows {
    try body(&devices[index].list)
    let list = devices[index].list
    act(index) { $0.listChanged(list, now: $1) }
  }

  mutating func act(_ index: Int, _ body: (inout SyncClient, Int64) -> [SyncClient.Output]) {
    perform(body(&devices[index].client, now), index)
  }

  private mutating func perform(_ outputs: [SyncClient.Output], _ index: Int) {
    var outputs = outputs[...]
    while let output = outputs.popFirst() {
      switch output {
      case .connect:
        guard isUp else {
          outputs += devices[index].client.connectionEnded(now: now)
          continue
        }
        lineCount += 1
        let id = SyncServer.ConnectionID(lineCount)
        devices[index].line = id
        devices[index].sent = []
        perform(
          server.connect(
            id, principal: devices[index].user, nonce: SessionNonce(high: 7, low: lineCount),
            now: now))
        outputs += devices[index].client.connected(
          nonce: SessionNonce(high: 8, low: lineCount), now: now)
      case .send(let bytes): devices[index].sent += bytes
      case .merge(let delta, let ticket):
        devices[index].changes.append(devices[index].list.merge(delta))
        outputs += devices[index].client.settled(
          ticket, outcome: .done(), list: devices[index].list, now: now)
      case .makeDurable(_, let ticket):
        outputs += devices[index].client.settled(
          ticket, outcome: .done(), list: devices[index].list, now: now)
      case .disconnect:
        guard let line = devices[index].line else { continue }
        // What was said before goes out.
        let last = devices[index].sent
        devices[index].sent = []
        devices[index].line = nil
        perform(server.receive(last, from: line, now: now))
        perform(server.disconnected(line, now: now))
      case .event: break
      case .state(let state): devices[index].states.append(state)
      }
    }
  }

  /// The line of a device is gone; each end notices it, or only the device does.
  mutating func cut(_ index: Int, bothNotice: Bool = true) {
    guard let line = devices[index].line else { return }
    devices[index].line = nil
    devices[index].sent = []
    mail[line] = nil
    if bothNotice { perform(server.disconnected(line, now: now)) }
    act(index) { $0.connectionEnded(now: $1) }
  }

  // MARK: The server

  mutating func perform(_ outputs: [SyncServer.Output]) {
    var outputs = outputs[...]
    while let output = outputs.popFirst() {
      switch output {
      case .open(let list, _):
        openCount += 1
        opening.append(list)
        if opensAtOnce { outputs += answerOpening() }
      case .evict(let list): evicted.append(list)
      case .send(let bytes, let id): mail[id, default: []] += bytes
      case .own(let replica, let principal, let ticket):
        owners[ticket.list, default: [:]][replica] = principal
      case .store(let delta, let ticket):
        storing.append((delta, ticket))
        if storesAtOnce { outputs += answerStoring() }
      case .changed, .event: break
      case .close(let id, let end): ends[id] = end
      }
    }
  }

  mutating func answerOpening() -> [SyncServer.Output] {
    let lists = opening
    opening = []
    return lists.flatMap { list in
      server.opened(
        stored[list] ?? ReplicatedList(id: list), owners: owners[list] ?? [:], now: now)
    }
  }

  mutating func answerStoring() -> [SyncServer.Output] {
    let group = storing
    storing = []
    groupCount += 1
    for (delta, ticket) in group {
      stored[ticket.list, default: ReplicatedList(id: ticket.list)].merge(delta)
    }
    return server.stored(all: group.map { $0.ticket }, succeeded: true, now: now)
  }

  /// The process ends and another one begins, with what is on the drive.
  mutating func crash(_ next: SyncServer) {
    server = next
    (mail, opening, storing) = ([:], [], [])
    for index in devices.indices { cut(index) }
  }

  // MARK: Time

  /// Moves all bytes and lets some time go by; `true` if nothing moved.
  @discardableResult mutating func step(_ milliseconds: Int64 = 20, piece: Int = .max) -> Bool {
    now += milliseconds
    var isQuiet = true
    if !opening.isEmpty, opensAtOnce { perform(answerOpening()) }
    if !storing.isEmpty, storesAtOnce { perform(answerStoring()) }
    for index in devices.indices {
      act(index) { $0.tick(now: $1) }
      guard let line = devices[index].line else { continue }
      let outgoing = devices[index].sent.prefix(piece)
      devices[index].sent.removeFirst(outgoing.count)
      if !outgoing.isEmpty { perform(server.receive(outgoing, from: line, now: now)) }
      guard devices[index].line == line else { continue }
      let incoming = (mail[line] ?? []).prefix(piece)
      mail[line]?.removeFirst(incoming.count)
      if !incoming.isEmpty { act(index) { $0.receive(incoming, now: $1) } }
      if mail[line]?.isEmpty ?? true, ends[line] != nil, devices[index].line == line {
        devices[index].line = nil
        act(index) { $0.connectionEnded(now: $1) }
      }
      if !outgoing.isEmpty || !incoming.isEmpty { isQuiet = false }
    }
    perform(server.tick(now: now))
    return isQuiet
  }

  mutating func run(_ milliseconds: Int64 = 3_000) {
    let end = now + milliseconds
    while now < end { step() }
  }
}
