import Betwixt
import BetwixtFiles
import Foundation
import FuzzSupport
import Synchronization

/// Many light clients on one thread, which waits for all of their sockets at once.
///
/// Each edits again as soon as its last edit is acknowledged: with one edit under way at a time, as
/// an `HonestClient` that edits and waits.
final class LightCrowd: Sendable {
  /// What the thread is to do.
  private enum Order: Int {
    case hold, edit, finish
  }

  private let order = Atomic<Int>(Order.hold.rawValue)
  private let liveCount = Atomic<Int>(0)
  private let waitingCount = Atomic<Int>(0)
  private let seen = Mutex(LightSeen())
  private let results = Mutex<[LoadRun.Promise]>([])
  private let isOver = Atomic(false)
  let count: Int

  init(_ clients: [LightClient], at path: String) {
    count = clients.count
    let thread = Thread { [self] in
      do { try run(clients, path) } catch { fail("Error: a light client failed: \(error)") }
      isOver.store(true, ordering: .sequentiallyConsistent)
    }
    thread.start()
  }

  // MARK: From outside

  /// Waits until all are connected and in step.
  func connect() async {
    await Patience.wait(for: "connections of light clients") {
      liveCount.load(ordering: .relaxed) == count
    }
  }

  func edit() { order.store(Order.edit.rawValue, ordering: .relaxed) }

  /// What was seen since the last time.
  func takeSeen() -> LightSeen {
    seen.withLock { seen in
      defer { seen = LightSeen() }
      return seen
    }
  }

  /// No edit begins any more; waits until all are acknowledged.
  func hold() async {
    order.store(Order.hold.rawValue, ordering: .relaxed)
    for _ in 0..<1_200 {
      // Also what began just now.
      try? await Task.sleep(for: .milliseconds(50))
      if waitingCount.load(ordering: .relaxed) == 0 { return }
    }
    fail("FAILED: after a minute not all edits of light clients are acknowledged")
  }

  /// Ends all connections; up to which number the writes of each are acknowledged.
  func finish() async -> [LoadRun.Promise] {
    order.store(Order.finish.rawValue, ordering: .relaxed)
    await Patience.wait(for: "the end of light clients") {
      isOver.load(ordering: .sequentiallyConsistent)
    }
    return results.withLock { $0 }
  }

  // MARK: The thread

  private func run(_ clients: [LightClient], _ path: String) throws {
    var clients = clients
    var sockets = LightSockets()
    for client in clients {
      let index = try sockets.open(path)
      try sockets.send(client.login, to: index)
    }
    var isEditing = false
    while let order = Order(rawValue: order.load(ordering: .relaxed)), order != .finish {
      var news = LightSeen()
      let wasEditing = isEditing
      isEditing = order == .edit
      if isEditing, !wasEditing {
        for index in clients.indices { try sockets.send(try clients[index].edit(), to: index) }
      }
      let ready = sockets.wait(milliseconds: 20)
      // To look at all of them takes time, which is spent for a few of them at once, not for each.
      if ready.count < clients.count / 64 { usleep(500) }
      for index in ready {
        var output: [UInt8] = []
        while let bytes = try sockets.receive(index) {
          output += try clients[index].receive(bytes, &news)
        }
        if isEditing, clients[index].isLive, !clients[index].isWaiting {
          output += try clients[index].edit()
        }
        try sockets.send(output, to: index)
      }
      tell(clients, news, isEditing: isEditing)
    }
    results.withLock { $0 = clients.map(\.promise) }
    sockets.close()
  }

  private func tell(_ clients: [LightClient], _ news: LightSeen, isEditing: Bool) {
    // To look at all of them takes time, and while they edit nobody asks.
    waitingCount.store(isEditing ? count : clients.count { $0.isWaiting }, ordering: .relaxed)
    if !isEditing { liveCount.store(clients.count { $0.isLive }, ordering: .relaxed) }
    seen.withLock { seen in
      seen.acknowledged += news.acknowledged
      seen.changes += news.changes
      seen.waits += news.waits
      seen.times += news.times
    }
  }
}
