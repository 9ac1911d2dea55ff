import BetwixtFiles
import Foundation

/// The sockets of many clients, used by one thread and without tasks.
struct LightSockets {
  private var requests: [pollfd] = []
  // What a socket had no room for.
  private var unsent: [ArraySlice<UInt8>] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Connects to a socket that is a file; the number of the connection.
  mutating func open(_ path: String) throws -> Int {
    #if os(Linux)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    // The file is there a moment before somebody listens.
    var patience = 5_000
    while !LightSockets.connect(descriptor, path) {
      patience -= 1
      guard patience > 0, errno == ECONNREFUSED || errno == ENOENT else {
        throw POSIXError(.ECONNREFUSED)
      }
      usleep(1_000)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    requests.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    unsent.append([])
    return requests.count - 1
  }

  private static func connect(_ descriptor: Int32, _ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (index, byte) in path.utf8.prefix(place.count - 1).enumerated() {
        unsafe place[index] = byte
      }
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    } == 0
  }

  /// Waits until something can be read or written; the connections that can be read.
  mutating func wait(milliseconds: Int32) -> [Int] {
    for index in requests.indices {
      requests[index].events = Int16(POLLIN) | (unsent[index].isEmpty ? 0 : Int16(POLLOUT))
    }
    guard unsafe poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
    return requests.indices.filter { requests[$0].revents != 0 }
  }

  /// What has come; `nil` if there is nothing.
  mutating func receive(_ index: Int) throws -> [UInt8]? {
    let count = unsafe recv(requests[index].fd, &buffer, buffer.count, 0)
    if count > 0 { return Array(buffer[..<count]) }
    guard count < 0, errno == EAGAIN || errno == EINTR else {
      throw FileSystemError("read", because: .closed)
    }
    return nil
  }

  /// Sends bytes, or keeps them until there is room.
  mutating func send(_ bytes: [UInt8], to index: Int) throws {
    unsent[index] += bytes
    while !unsent[index].isEmpty {
      let descriptor = requests[index].fd
      let count = unsafe unsent[index].withUnsafeBytes {
        unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, 0)
      }
      guard count > 0 else {
        guard errno == EAGAIN || errno == EINTR else {
          throw FileSystemError("write", because: .closed)
        }
        return
      }
      unsent[index].removeFirst(count)
    }
  }

  mutating func close() {
    for request in requests { _ = Foundation.close(request.fd) }
    requests = []
  }
}
