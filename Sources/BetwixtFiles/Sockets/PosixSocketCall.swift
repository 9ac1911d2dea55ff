#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

// Sockets and the one thread that waits for them: like the rest of `PosixCall`, every name of the C
// library that they need, and all that is unsafe about them.

extension PosixCall {
  static func makeSocket(_ address: SocketAddress) throws(FileSystemError) -> Int32 {
    let domain =
      switch address.place {
      case .path: AF_UNIX
      case .port: AF_INET
      }
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = Int32(SOCK_STREAM)
    #endif
    let descriptor = Int32(
      truncatingIfNeeded: try repeating("socket") { Int(socket(domain, kind, 0)) })
    do {
      try setUp(descriptor)
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
    return descriptor
  }

  /// A socket neither blocks nor outlives the process in another one, nor sends signals.
  private static func setUp(_ descriptor: Int32) throws(FileSystemError) {
    _ = try setNonblocking(descriptor, isOn: true)
    _ = try repeating("socket") { Int(fcntl(descriptor, F_SETFD, FD_CLOEXEC)) }
    #if canImport(Darwin)
    set(descriptor, level: SOL_SOCKET, option: SO_NOSIGPIPE)
    #endif
    // Fails for a socket that has no port, where it is not needed.
    set(descriptor, level: Int32(IPPROTO_TCP), option: TCP_NODELAY)
  }

  private static func set(_ descriptor: Int32, level: Int32, option: Int32) {
    var isOn: Int32 = 1
    unsafe _ = setsockopt(
      descriptor, level, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  static func bind(_ descriptor: Int32, to address: SocketAddress) throws(FileSystemError) {
    if case .port = address.place { set(descriptor, level: SOL_SOCKET, option: SO_REUSEADDR) }
    _ = try repeating("bind") {
      unsafe withAddress(address) { unsafe Int(bindCall(descriptor, to: $0, size: $1)) }
    }
    _ = try repeating("listen") { Int(listen(descriptor, 4_096)) }
  }

  /// Starts to connect; `false` if that goes on and is over when the socket can be written to.
  static func connect(
    _ descriptor: Int32, to address: SocketAddress
  ) throws(FileSystemError) -> Bool {
    let result = unsafe withAddress(address) { unsafe connectCall(descriptor, to: $0, size: $1) }
    if result == 0 { return true }
    let number = errno
    if number == EINPROGRESS || number == EINTR { return false }
    throw failure("connect", number: number)
  }

  /// What became of a connection that was begun.
  static func connectionFailure(_ descriptor: Int32) -> FileSystemError? {
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
    return result == 0 && number == 0
      ? nil : failure("connect", number: result == 0 ? number : errno)
  }

  /// The next connection; `nil` if there is none now.
  static func accept(_ descriptor: Int32) throws(FileSystemError) -> Int32? {
    do throws(FileSystemError) {
      let result = try repeating("accept") { Int(acceptCall(descriptor)) }
      let accepted = Int32(truncatingIfNeeded: result)
      do throws(FileSystemError) {
        try setUp(accepted)
      } catch {
        closeDescriptor(accepted)
        throw error
      }
      return accepted
    } catch {
      if error.reason == .locked || error.number == ECONNABORTED { return nil }
      throw error
    }
  }

  /// The port that a socket has got.
  static func port(of descriptor: Int32) throws(FileSystemError) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = try repeating("bind") {
      unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Int(getsockname(descriptor, $0, &size))
        }
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Reads what has come; empty at the end, `nil` if there is nothing now.
  static func receive(_ descriptor: Int32, limit: Int) throws(FileSystemError) -> [UInt8]? {
    var buffer: [UInt8] = []
    do throws(FileSystemError) {
      _ = try repeating("read") {
        var count = 0
        unsafe buffer = Array(unsafeUninitializedCapacity: limit) { space, length in
          unsafe count = recv(descriptor, space.baseAddress, space.count, 0)
          length = max(0, count)
        }
        return count
      }
    } catch {
      if error.reason == .locked { return nil }
      if error.reason == .closed { return [] }
      throw error
    }
    // A few bytes do not keep the room of many.
    return buffer.count < limit / 4 ? [] + buffer : buffer
  }

  /// Sends some bytes and says how many; `nil` if there is no room now.
  static func send(
    _ descriptor: Int32, bytes: ArraySlice<UInt8>
  ) throws(FileSystemError) -> Int? {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    do throws(FileSystemError) {
      return try repeating("write") {
        unsafe bytes.withUnsafeBytes { space in
          unsafe Int(sendCall(descriptor, space: space, flags: flags))
        }
      }
    } catch {
      if error.reason == .locked { return nil }
      throw error
    }
  }

  /// Ends both directions: who waits for the socket wakes up.
  static func shutDown(_ descriptor: Int32) {
    #if canImport(Glibc)
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    #else
    _ = shutdown(descriptor, SHUT_RDWR)
    #endif
  }

  /// Two ends of a pipe for a thread that waits.
  static func makePipe() throws(FileSystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = try repeating("pipe") { unsafe Int(pipe(&ends)) }
    do {
      for end in ends {
        _ = try setNonblocking(end, isOn: true)
        _ = try repeating("pipe") { Int(fcntl(end, F_SETFD, FD_CLOEXEC)) }
      }
    } catch {
      for end in ends { closeDescriptor(end) }
      throw error
    }
    return (ends[0], ends[1])
  }

  /// How many cores there are.
  static func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs something on a thread of its own, which nobody waits for; whether there is one to be had.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let result = unsafe pthread_create(
      &thread, nil,
      { pointer in
        unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, box)
    #else
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { pointer in
        if let pointer = unsafe pointer {
          unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
        }
        return nil
      }, box)
    #endif
    guard result == 0 else {
      unsafe Unmanaged<ThreadBody>.fromOpaque(box).release()
      return false
    }
    // What it takes is given back when it ends.
    #if canImport(Darwin)
    if let thread = unsafe thread { unsafe _ = pthread_detach(thread) }
    #else
    _ = pthread_detach(thread)
    #endif
    return true
  }

  private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  // MARK: Addresses

  /// The greatest number of bytes of a path that a socket can stand at.
  static var socketPathLimit: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  private static func withAddress<Result>(
    _ address: SocketAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    switch address.place {
    case .path(let path):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &name.sun_path) { space in
        unsafe space.copyBytes(from: path.utf8.prefix(socketPathLimit))
      }
      return unsafe bound(&name, body)
    case .port(let port):
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      // This machine, and nobody else.
      name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      return unsafe bound(&name, body)
    }
  }

  private static func bound<Name, Result>(
    _ name: inout Name, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Name>.size))
      }
    }
  }
}

// Calls whose names are those of methods here.

private func bindCall(
  _ descriptor: Int32, to address: UnsafePointer<sockaddr>, size: socklen_t
) -> Int32 {
  unsafe bind(descriptor, address, size)
}

private func connectCall(
  _ descriptor: Int32, to address: UnsafePointer<sockaddr>, size: socklen_t
) -> Int32 {
  unsafe connect(descriptor, address, size)
}

private func acceptCall(_ descriptor: Int32) -> Int32 {
  accept(descriptor, nil, nil)
}

private func sendCall(
  _ descriptor: Int32, space: UnsafeRawBufferPointer, flags: Int32
) -> Int {
  unsafe send(descriptor, space.baseAddress, space.count, flags)
}

/// Descriptors that are waited for together, in no order.
struct PollRequests {
  private var requests: [pollfd] = []

  /// Adds one of which nothing is asked yet.
  mutating func append(_ descriptor: Int32) {
    requests.append(pollfd(fd: descriptor, events: 0, revents: 0))
  }

  func descriptor(_ index: Int) -> Int32 { requests[index].fd }

  /// Says what is waited for.
  mutating func ask(_ index: Int, toRead reads: Bool, toWrite writes: Bool) {
    requests[index].events = Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))
  }

  /// Takes one out, and puts the last one in its place.
  mutating func remove(at index: Int) {
    requests.swapAt(index, requests.count - 1)
    requests.removeLast()
  }

  /// Waits until some of them can do what is asked, and says how many; none if the wait was
  /// interrupted.
  mutating func wait() throws(FileSystemError) -> Int {
    let count = nfds_t(requests.count)
    let result = unsafe poll(&requests, count, -1)
    if result >= 0 { return Int(result) }
    if errno == EINTR { return 0 }
    throw PosixCall.failure("wait", number: errno)
  }

  /// Whether who reads need not wait: there is something, or it has ended.
  func canRead(_ index: Int) -> Bool { requests[index].revents & ~Int16(POLLOUT) != 0 }

  /// Whether who writes need not wait: there is room, or it has ended.
  func canWrite(_ index: Int) -> Bool { requests[index].revents & ~Int16(POLLIN) != 0 }
}
