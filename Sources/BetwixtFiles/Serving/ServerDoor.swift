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

/// Who is in any room of a server: the limits of connections count over all of them.
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

  private let limits: ServerLimits
  private let guests = Mutex(Guests())

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
}
