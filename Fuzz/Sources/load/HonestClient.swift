import Betwixt
import BetwixtFiles
import BetwixtSync
import Foundation
import FuzzSupport
import Synchronization

/// A client that edits one item of its own and looks at what others do.
final class HonestClient: Sendable {
  /// Keeps nothing, and looks at what comes.
  private final class Eye: ClientStorage {
    let replica: ReplicaID
    let measuring: Measuring

    init(_ replica: ReplicaID, _ measuring: Measuring) {
      self.replica = replica
      self.measuring = measuring
    }

    func store(_ writes: [Delta]) async throws {
      let now = Measuring.now
      var times: [Int64] = []
      for entry in writes.lazy.flatMap(\.entries) where entry.stamp.replica != replica {
        if case .field(.int64(let time)) = entry.value, time > 0, time <= now {
          times.append(now - time)
        }
      }
      measuring.add(times)
    }
  }

  let live: LiveClient
  let replica: ReplicaID
  let list: ListID
  private let user: String
  private let item = Mutex<ItemID?>(nil)
  private let measuring: Measuring
  private let acknowledgements: AsyncStream<Int64>

  init(_ number: Int, list: ListID, _ measuring: Measuring) {
    replica = ReplicaID(rawValue: UInt64(number + 1))
    user = "u\(number)"
    self.list = list
    self.measuring = measuring
    let (stream, acknowledgement) = AsyncStream.makeStream(
      of: Int64.self, bufferingPolicy: .bufferingNewest(1))
    acknowledgements = stream
    live = LiveClient(
      ReplicatedList(id: list),
      by: Replica(id: replica, clock: { Measuring.wallMilliseconds }),
      storage: Eye(replica, measuring), backOff: BackOff(first: 50, longest: 500),
      random: { UInt64.random(in: .min ... .max) },
      note: {
        if case .acknowledged(let number) = $0 { acknowledgement.yield(number) }
      })
  }

  /// Stays connected until it is cancelled.
  func run(_ address: SocketAddress) async {
    let user = user
    while !Task.isCancelled {
      let end = await live.run { client in
        let socket = try await Login.open(address, as: user)
        await client.converse(
          reading: socket.inbound, writing: { try await socket.write($0) },
          closing: { socket.close() })
      }
      if end == .finished { return }
      // Nothing that an attacker does may turn an honest client away for good.
      fail("Error: \(user) was turned away: \(end)")
    }
  }

  /// Writes the time into its item.
  func edit() async {
    let known = item.withLock { $0 }
    let made = try? await live.edit { list, me in
      guard let known else {
        return try list.append(["time": .int64(Measuring.now)], by: &me) as ItemID?
      }
      try list.set("time", of: known, to: .int64(Measuring.now), by: &me)
      return known
    }
    item.withLock { $0 = made ?? known }
  }

  /// Edits, waits until that is acknowledged, and so on.
  func editAndWait() async {
    var iterator = acknowledgements.makeAsyncIterator()
    while !Task.isCancelled {
      await edit()
      let number = await live.list.version[replica]
      while await live.acknowledged < number, await iterator.next() != nil {}
      measuring.acknowledged.add(1, ordering: .relaxed)
    }
  }
}
