import BetwixtFiles
import BetwixtSync
import Foundation

/// The server process.
enum Serving {
  /// Serves until it is killed; bounded if each client has a share of the server's time.
  static func run(_ address: SocketAddress, folder: String, isBounded: Bool) async throws {
    let random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    let storage = try ServerFolder.open(at: folder, settings: ServerFolder.Settings(random: random))
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

  /// What a user says first.
  static func bytes(_ user: String) -> [UInt8] {
    let name = Array(user.utf8.prefix(size))
    return name + [UInt8](repeating: 0x20, count: size - name.count)
  }

  static func open(_ address: SocketAddress, as user: String) async throws -> SocketConnection {
    let socket = try await SocketConnection.open(address)
    try await socket.write(bytes(user))
    guard try await socket.read() == [1] else { throw SyncFailure(.notAuthorised) }
    return socket
  }
}

/// A folder of its own with a server process.
final class Site {
  let folder: String
  private(set) var server: Child
  private let program: String?
  private let mode: String

  var address: SocketAddress { .path(path) }
  private var path: String { folder + "/socket" }

  /// Makes the folder and begins the server.
  ///
  /// - Parameters:
  ///   - program: The server, if it is another program.
  ///   - isBounded: Whether each client has a share of the server's time.
  /// - Throws: Why there is no folder or no process.
  init(_ program: String?, isBounded: Bool) throws {
    folder = NSTemporaryDirectory() + "betwixt-load-\(UUID().uuidString)"
    self.program = program
    mode = isBounded ? "bounded" : "unbounded"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    server = try Child(["serve", folder, mode], of: program)
  }

  /// Kills the server without a warning, and begins it again.
  func restart() throws {
    server.kill()
    server = try Child(["serve", folder, mode], of: program)
  }

  /// The file of the socket, once it is there.
  func socket() async -> String {
    await Patience.wait(for: "the server's socket") { FileManager.default.fileExists(atPath: path) }
    return path
  }

  /// Waits until somebody was let in who attacks.
  func attack() async {
    await Patience.wait(for: "an attacker who is let in") {
      FileManager.default.fileExists(atPath: path + Attack.mark)
    }
  }

  func remove() {
    server.kill()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
