internal import Synchronization

/// Takes connections from programs on this machine, for tests and small servers.
///
///     let listener = try SocketListener(.path("/run/trips/sync"))
///     while let socket = try await listener.next() { … }
public final class SocketListener: Sendable {
  private let descriptor: Descriptor
  // What stands at the path for this socket, and for none that takes its place.
  private let file: FileStatus?
  private let isClosed = Atomic(false)
  // When the last connection was taken.
  private let lastTime = Atomic(Int64.min)

  /// Where it listens, with the port that it has got.
  public let address: SocketAddress

  private static let fullTablePause = 20

  /// Listens.
  ///
  /// A file that a killed program has left where the socket is to stand is taken away if nobody
  /// listens there any more.
  ///
  /// - Throws: ``FileSystemError``: `exists` if something else is there already.
  public init(_ address: SocketAddress) async throws(FileSystemError) {
    try address.check()
    let descriptor = Descriptor(try PosixCall.makeSocket(address))
    do throws(FileSystemError) {
      try PosixCall.bind(descriptor.number, to: address)
    } catch {
      guard error.reason == .exists, case .path(let path) = address.place,
        await SocketListener.isDeserted(path)
      else { throw error }
      try PosixCall.unlinkFile(path)
      try PosixCall.bind(descriptor.number, to: address)
    }
    self.descriptor = descriptor
    if case .path(let path) = address.place {
      file = (try? PosixCall.status(at: path)) ?? nil
    } else {
      file = nil
    }
    self.address =
      address.port == nil ? address : .loopback(port: try PosixCall.port(of: descriptor.number))
  }

  /// Whether a socket stands there that nobody listens at.
  private static func isDeserted(_ path: String) async -> Bool {
    do throws(FileSystemError) {
      _ = try await SocketConnection.open(.path(path))
      return false
    } catch {
      // Nobody listens; or it is no socket at all, which the system refuses in the same words.
      return error.reason == .closed && (try? PosixCall.status(at: path))??.kind == .socket
    }
  }

  /// The next connection; waits until there is one.
  ///
  /// At most one in a millisecond: those who are connected have their turn while thousands come. When
  /// too many files are open it waits until there is room. To cancel it ends the listener.
  ///
  /// - Returns: `nil` after ``close()``.
  public func next() async throws(FileSystemError) -> SocketConnection? {
    while !isClosed.load(ordering: .relaxed), !Task.isCancelled {
      do throws(FileSystemError) {
        await pause()
        if let accepted = try PosixCall.accept(descriptor.number) {
          lastTime.store(PipeDriver.now(), ordering: .relaxed)
          return SocketConnection(Descriptor(accepted))
        }
        try await DescriptorWaiter.wait(for: descriptor, toWrite: false)
      } catch {
        if error.reason == .tooManyOpen {
          try? await Task.sleep(for: .milliseconds(SocketListener.fullTablePause))
        } else if isClosed.load(ordering: .relaxed) || Task.isCancelled {
          return nil
        } else {
          throw error
        }
      }
    }
    return nil
  }

  private func pause() async {
    guard lastTime.load(ordering: .relaxed) == PipeDriver.now() else { return }
    try? await Task.sleep(for: .milliseconds(1))
  }

  /// Stops: ``next()`` returns `nil`, and the file of the socket is taken away.
  ///
  /// A file that another listener has put there since stays, and so it does when this is called again.
  public func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    if case .path(let path) = address.place, let file,
      (try? PosixCall.status(at: path))??.isSameFile(as: file) == true
    {
      try? PosixCall.unlinkFile(path)
    }
    PosixCall.shutDown(descriptor.number)
  }
}
