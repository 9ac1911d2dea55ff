/// One connection between two programs on this machine, for tests and small servers.
///
/// It has what ``LiveServer`` and ``LiveClient`` ask for:
///
///     await server.serve(
///       user, reading: socket.inbound, writing: { try await socket.write($0) },
///       closing: { socket.close() })
///
/// It is no public server: there is no encryption, and nobody says who is at the other end.
public final class SocketConnection: Sendable {
  private let descriptor: Descriptor

  private static let readLimit = 16_384

  init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Connects.
  ///
  /// - Throws: ``FileSystemError`` if nobody listens there.
  public static func open(
    _ address: SocketAddress
  ) async throws(FileSystemError) -> SocketConnection {
    try address.check()
    let descriptor = Descriptor(try PosixCall.makeSocket(address))
    if try !PosixCall.connect(descriptor.number, to: address) {
      try await DescriptorWaiter.wait(for: descriptor, toWrite: true)
      if let failure = PosixCall.connectionFailure(descriptor.number) { throw failure }
    }
    return SocketConnection(descriptor)
  }

  /// What has come; waits until there is something.
  ///
  /// One task at a time reads. To cancel it closes the connection.
  ///
  /// - Returns: At least one byte, or `nil` at the end.
  public func read() async throws(FileSystemError) -> [UInt8]? {
    while true {
      if let bytes = try PosixCall.receive(descriptor.number, limit: SocketConnection.readLimit) {
        return bytes.isEmpty ? nil : bytes
      }
      try await DescriptorWaiter.wait(for: descriptor, toWrite: false)
    }
  }

  /// Sends bytes; returns when the system has taken them.
  ///
  /// One task at a time writes. To cancel it closes the connection.
  ///
  /// - Throws: ``FileSystemError`` once the connection has ended.
  public func write(_ bytes: [UInt8]) async throws(FileSystemError) {
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      if let count = try PosixCall.send(descriptor.number, bytes: rest) {
        rest.removeFirst(count)
      } else {
        try await DescriptorWaiter.wait(for: descriptor, toWrite: true)
      }
    }
  }

  /// Ends the connection: who reads or writes it, here or there, comes to its end.
  public func close() { PosixCall.shutDown(descriptor.number) }

  /// All that comes, piece by piece, for one task.
  public var inbound: Inbound { Inbound(connection: self) }

  /// The bytes of a connection.
  public struct Inbound: AsyncSequence, Sendable {
    let connection: SocketConnection

    /// Reads from the connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let connection: SocketConnection

      /// The next piece; `nil` at the end.
      public func next() async throws -> [UInt8]? { try await connection.read() }

      /// The next piece; `nil` at the end.
      public func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
        try await connection.read()
      }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection) }
  }
}
