import Betwixt
import BetwixtSync

// What a server framework with WebSockets offers, as far as the article needs it.

struct ByteBuffer: Sendable {
  let bytes: [UInt8]
}

extension [UInt8] {
  init(buffer: ByteBuffer) { self = buffer.bytes }
}

enum SocketMessage: Sendable {
  case text(String)
  case binary(ByteBuffer)
}

struct SocketInput: Sendable {
  let stream: AsyncThrowingStream<SocketMessage, any Error>

  func messages(maxSize: Int) -> AsyncThrowingStream<SocketMessage, any Error> { stream }
}

struct SocketOutput: Sendable {
  let send: @Sendable (SocketMessage) async throws -> Void

  func write(_ message: SocketMessage) async throws { try await send(message) }
}

struct SocketContext: Sendable {
  let user: String
}

final class SocketRouter {
  typealias Handler =
    @Sendable (SocketInput, SocketOutput, SocketContext) async throws -> Void

  private(set) var handlers: [String: Handler] = [:]

  func ws(_ path: String, onUpgrade: @escaping Handler) { handlers[path] = onUpgrade }
}

// MARK: The article

func addRoutes(to router: SocketRouter, _ server: TripServer) {
  router.ws("/sync") { inbound, outbound, context in
    let (peer, stream) = await server.open(user: context.user)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await bytes in stream { try await outbound.write(.binary(ByteBuffer(bytes: bytes))) }
      }
      do {
        for try await message in inbound.messages(maxSize: 1 << 21) {
          guard case .binary(let buffer) = message else { continue }
          await server.receive(Array(buffer: buffer), from: peer)
        }
      } catch {
        // A connection that breaks has ended like one that is closed.
      }
      await server.close(peer)
      try await group.next()
    }
  }
}
