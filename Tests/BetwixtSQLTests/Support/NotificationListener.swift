import BetwixtFiles
import BetwixtSQL

/// A connection of its own that hears notifications, in PostgreSQL's protocol: `psql` tells of them
/// only after it was asked something.
struct NotificationListener {
  struct Failure: Error {}

  private var messages: MessageReader

  /// Connects and listens.
  ///
  /// - Parameter folder: That of a ``PostgresServer``.
  /// - Throws: ``Failure`` if the server does not listen, an error of the socket if there is none.
  init(_ folder: String) async throws {
    let socket = try await SocketConnection.open(.path(folder + "/.s.PGSQL.5432"))
    // Version 3.0 of the protocol.
    try await Self.send(
      nil, [0, 3, 0, 0] + Self.text("user") + Self.text("postgres") + [0], to: socket)
    try await Self.send(0x51, Self.text(SQLNews.listen.text), to: socket)
    // One "ready" after the login, one after the statement.
    var reader = MessageReader(socket)
    for _ in 0..<2 {
      while let (kind, _) = try await reader.next(), kind != 0x5a {
        if kind == 0x45 { throw Failure() }
      }
    }
    messages = reader
  }

  /// The text of the next notification; `nil` once the connection has ended.
  mutating func next() async throws -> String? {
    while let (kind, body) = try await messages.next() {
      guard kind == 0x41 else { continue }
      // The number of the process, the channel, the payload.
      let texts = body.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
      guard texts.count > 1 else { throw Failure() }
      return String(decoding: texts[1], as: UTF8.self)
    }
    return nil
  }

  private static func send(
    _ kind: UInt8?, _ body: [UInt8], to socket: SocketConnection
  ) async throws {
    let length = UInt32(body.count + 4)
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    try await socket.write((kind.map { [$0] } ?? []) + size + body)
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}

private struct MessageReader {
  private let socket: SocketConnection
  private var buffer: [UInt8] = []

  init(_ socket: SocketConnection) { self.socket = socket }

  mutating func next() async throws -> (kind: UInt8, body: [UInt8])? {
    while true {
      if buffer.count >= 5 {
        let length = buffer[1...4].reduce(0) { $0 << 8 | Int($1) }
        if buffer.count > length {
          let message = (buffer[0], Array(buffer[5..<1 + length]))
          buffer.removeFirst(1 + length)
          return message
        }
      }
      guard let more = try await socket.read() else { return nil }
      buffer += more
    }
  }
}
