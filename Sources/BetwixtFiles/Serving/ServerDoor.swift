import BetwixtSync
internal import Synchronization

/// One connection of a server, in whichever room it is.
final class Visitor: Sendable {
  let id: SyncServer.ConnectionID
  let principal: String
  let line = OutgoingLine()
  private let place: Mutex<ServerRoom>

  init(_ id: SyncServer.ConnectionID, principal: String, in room: ServerRoom) {
    self.id = id
    self.principal = principal
    place = Mutex(room)
  }

  var room: ServerRoom {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }
}

/// Who is in any room of a server, and which rooms there are: limits count over all of them.
final class ServerDoor: Sendable {
  private struct Guests {
    var lastID: UInt64 = 0
    var inside: [SyncServer.ConnectionID: Guest] = [:]
    var principals: [String: Int] = [:]
  }

  private struct Guest {
    let principal: String
    /// Why the host has ended it.
    var kick: SyncFailure?
  }

  private struct Documents {
    /// How many have a place, in any room.
    var count = 0
    var rooms: [Entrance] = []
  }

  /// A room, which knows the door itself.
  private struct Entrance {
    weak var room: ServerRoom?
  }

  private let limits: ServerLimits
  private let guests = Mutex(Guests())
  private let documents = Mutex(Documents())

  init(_ limits: ServerLimits) { self.limits = limits }

  var count: Int { guests.withLock { $0.inside.count } }

  func visitor(_ principal: String, in room: ServerRoom) -> Visitor {
    let id = guests.withLock { guests in
      guests.lastID += 1
      return SyncServer.ConnectionID(guests.lastID)
    }
    return Visitor(id, principal: principal, in: room)
  }

  /// Lets a connection in, or says why not: who is turned away takes nobody's room.
  func enter(_ visitor: Visitor) -> SyncFailure? {
    guests.withLock { guests in
      if guests.inside.count >= limits.connections { return .tooManyConnections }
      let own = guests.principals[visitor.principal, default: 0]
      if own >= limits.connectionsPerPrincipal { return .tooManyConnectionsOfOne }
      guests.inside[visitor.id] = Guest(principal: visitor.principal)
      guests.principals[visitor.principal] = own + 1
      return nil
    }
  }

  func leave(_ visitor: Visitor) {
    guests.withLock { guests in
      guard guests.inside.removeValue(forKey: visitor.id) != nil else { return }
      let left = guests.principals[visitor.principal, default: 1] - 1
      guests.principals[visitor.principal] = left > 0 ? left : nil
    }
  }

  /// The connections of a principal, rising.
  func connections(of principal: String) -> [SyncServer.ConnectionID] {
    guests.withLock { guests in
      guests.inside.filter { $0.value.principal == principal }.keys.sorted()
    }
  }

  /// Notes that the host has ended a connection.
  func kick(_ id: SyncServer.ConnectionID, because failure: SyncFailure) {
    guests.withLock { $0.inside[id]?.kick = failure }
  }

  /// Why the host has ended a connection; `nil` if it has not.
  func kick(of id: SyncServer.ConnectionID) -> SyncFailure? {
    guests.withLock { $0.inside[id]?.kick }
  }

  // MARK: Documents

  /// Takes note of the rooms, once they are made.
  func lead(to rooms: [ServerRoom]) {
    documents.withLock { $0.rooms = rooms.map { Entrance(room: $0) } }
  }

  /// Takes a place for a document that is to be opened: one that is free, or that of the document that
  /// nobody has used for longest, in whichever room.
  ///
  /// - Returns: Whether there was one to be had.
  func takePlace() async -> Bool {
    while !takeFreePlace() {
      guard let room = await roomOfOldest() else { return takeFreePlace() }
      // Somebody may use it by now.
      if await room.giveWay() { return true }
    }
    return true
  }

  /// Gives back the place of a document that is closed, or could not be opened.
  func leavePlace() { documents.withLock { $0.count -= 1 } }

  private func takeFreePlace() -> Bool {
    documents.withLock { documents in
      guard documents.count < limits.documents else { return false }
      documents.count += 1
      return true
    }
  }

  private func roomOfOldest() async -> ServerRoom? {
    var oldest: (room: ServerRoom, time: Int64)?
    for room in documents.withLock({ $0.rooms.compactMap(\.room) }) {
      guard let time = await room.idleSince else { continue }
      if oldest.map({ time < $0.time }) ?? true { oldest = (room, time) }
    }
    return oldest?.room
  }
}
