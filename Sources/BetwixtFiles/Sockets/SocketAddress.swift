/// Where a socket of this machine listens.
public struct SocketAddress: Hashable, Sendable {
  enum Place: Hashable {
    case path(String)
    case port(UInt16)
  }

  let place: Place

  /// A file that stands for the socket; who may use it is said by its folder's permissions.
  ///
  ///     let address = SocketAddress.path("/run/trips/sync")
  ///
  /// - Parameter path: Its path, of at most a hundred bytes or so: systems differ.
  /// - Returns: The address.
  public static func path(_ path: String) -> SocketAddress {
    SocketAddress(place: .path(path))
  }

  /// A port of the loopback interface, 127.0.0.1; 0 for any that is free.
  public static func loopback(port: UInt16) -> SocketAddress {
    SocketAddress(place: .port(port))
  }

  func check() throws(FileSystemError) {
    guard case .path(let path) = place else { return }
    // A name that is cut would be another one.
    guard path.utf8.count <= PosixCall.socketPathLimit, !path.utf8.contains(0) else {
      throw FileSystemError("socket", because: .unsupported)
    }
  }

  /// The port; `nil` for a path.
  public var port: UInt16? {
    if case .port(let port) = place { port } else { nil }
  }
}
