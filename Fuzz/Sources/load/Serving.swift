import BetwixtFiles
import BetwixtSync
import Foundation

/// The server process.
enum Serving {
  /// Serves until it is killed; bounded if each client has a share of the server's time.
  static func run(_ address: SocketAddress, folder: String, isBounded: Bool) async throws {
    let random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    let storage = try ServerFolder.open(folder, ServerFolder.Settings(random: random))
    let limits = isBounded ? HubLimits() : HubLimits(messagesPerSecond: nil)
    let listener = try await SocketListener(address)
    let server = LiveServer(
      SyncServer(hubLimits: limits), storage: storage, random: random,
      wallClock: { Measuring.wallMilliseconds })
    await withDiscardingTaskGroup { group in
      group.addTask { await server.run() }
      while let socket = try? await listener.next() {
        group.addTask {
          guard let user = await Login.take(socket) else {
            socket.close()
            return
          }
          await server.serve(
            user, reading: socket.inbound, writing: { try await socket.write($0) },
            closing: { socket.close() })
        }
      }
    }
  }
}

/// Who is at the other end: the name that it says, as these processes trust each other.
enum Login {
  static let size = 8

  static func take(_ socket: SocketConnection) async -> String? {
    let patience = Task {
      try await Task.sleep(for: .seconds(5))
      socket.close()
    }
    defer { patience.cancel() }
    guard let bytes = try? await socket.read(), bytes.count == size,
      (try? await socket.write([1])) != nil
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func open(_ address: SocketAddress, as user: String) async throws -> SocketConnection {
    let socket = try await SocketConnection.open(address)
    let name = Array(user.utf8.prefix(size))
    try await socket.write(name + [UInt8](repeating: 0x20, count: size - name.count))
    guard try await socket.read() == [1] else { throw SyncFailure(.notAuthorised) }
    return socket
  }
}
