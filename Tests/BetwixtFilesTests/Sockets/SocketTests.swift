import Betwixt
import BetwixtSync
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles

/// Sockets of this machine, and what can happen to them.
@Suite struct SocketTests {
  /// Far more than a socket holds, in both directions at once.
  @Test func bytesArriveInOrderAndTheirEndToo() async throws {
    let scratch = ScratchDirectory()
    for address in [SocketAddress.path(scratch.path + "/socket"), .loopback(port: 0)] {
      let listener = try await SocketListener(address)
      let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      async let echo: Void = {
        guard let socket = try await listener.next() else { return }
        for try await bytes in socket.inbound { try await socket.write(bytes) }
        socket.close()
      }()
      let socket = try await SocketConnection.open(listener.address)
      async let writing: Void = socket.write(sent)
      var received: [UInt8] = []
      while received.count < sent.count, let bytes = try await socket.read() { received += bytes }
      try await writing
      #expect(received == sent)
      socket.close()
      try await echo
      #expect(try await socket.read() == nil)
      listener.close()
      #expect(try await listener.next() == nil)
    }
  }

  @Test func manyWaitAtOnce() async throws {
    let scratch = ScratchDirectory()
    let listener = try await SocketListener(.path(scratch.path + "/socket"))
    let count = 700
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        var sockets: [SocketConnection] = []
        while sockets.count < count, let socket = try await listener.next() {
          sockets.append(socket)
        }
        // Only when all of them wait.
        for (number, socket) in sockets.enumerated() {
          try await socket.write([UInt8](repeating: 7, count: number % 5 + 1))
          socket.close()
        }
        return 0
      }
      for _ in 0..<count {
        group.addTask {
          let socket = try await SocketConnection.open(listener.address)
          var sum = 0
          for try await bytes in socket.inbound { sum += bytes.count }
          return sum
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == (0..<count).reduce(0) { $0 + $1 % 5 + 1 })
  }

  /// The system takes no more requests at once than a process may have open files.
  @Test func moreMayWaitThanThereMayBeFiles() async {
    await #expect(processExitsWith: .success) { try await SocketTests.waitInACrowd() }
  }

  private static func waitInACrowd() async throws {
    #if canImport(Glibc)
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    #expect(unsafe getrlimit(kind, &limit) == 0)
    limit.rlim_cur = 64
    #expect(unsafe setrlimit(kind, &limit) == 0)
    let scratch = ScratchDirectory()
    let address = SocketAddress.path(scratch.path + "/socket")
    let listening = Descriptor(try PosixCall.makeSocket(address))
    try PosixCall.bind(listening.number, to: address)
    let socket = try await SocketConnection.open(address)
    let accepted = Descriptor(try #require(try PosixCall.accept(listening.number)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { try await DescriptorWaiter.wait(for: accepted, toWrite: false) }
      }
      group.addTask {
        // Only when they wait.
        try await Task.sleep(for: .milliseconds(50))
        // Who may write need not wait for those who read.
        try await DescriptorWaiter.wait(for: accepted, toWrite: true)
        try await socket.write([7])
      }
      try await group.waitForAll()
    }
  }

  @Test func whereNobodyListensIsAnError() async throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/socket"
    await #expect(throws: FileSystemError.self) { try await SocketConnection.open(.path(path)) }
    let long = SocketAddress.path(path + String(repeating: "x", count: 200))
    await #expect(throws: FileSystemError.self) { try await SocketConnection.open(long) }
    await #expect(throws: FileSystemError.self) { try await SocketListener(long) }
    await #expect(throws: FileSystemError.self) {
      try await SocketConnection.open(.path("a\0b"))
    }
    let listener = try await SocketListener(.path(path))
    // Somebody listens there, so it is not taken away.
    do {
      _ = try await SocketListener(.path(path))
      Issue.record("two listeners")
    } catch {
      #expect(error.reason == .exists)
    }
    _ = try await SocketConnection.open(.path(path))
    listener.close()
    await #expect(throws: FileSystemError.self) { try await SocketConnection.open(.path(path)) }
  }

  /// A killed server leaves its socket's file; a user's file of that name stays.
  @Test func whatAKilledListenerLeftIsReplaced() async throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/socket"
    do {
      let descriptor = try PosixCall.makeSocket(.path(path))
      try PosixCall.bind(descriptor, to: .path(path))
      PosixCall.closeDescriptor(descriptor)
    }
    let listener = try await SocketListener(.path(path))
    _ = try await SocketConnection.open(listener.address)
    listener.close()
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    await #expect(throws: FileSystemError.self) { try await SocketListener(.path(path)) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  /// A link to a user's file is none of a listener's.
  @Test func aLinkWhereASocketIsToStandStays() async throws {
    let scratch = ScratchDirectory()
    let (link, target) = (scratch.path + "/socket", scratch.path + "/mine")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let failure = await #expect(throws: FileSystemError.self) {
      try await SocketListener(.path(link))
    }
    #expect(failure?.reason == .exists)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  /// Whoever closes a listener late, or twice, takes nothing away from the one that listens there now.
  @Test func aNewerListenerKeepsItsFile() async throws {
    let scratch = ScratchDirectory()
    let address = SocketAddress.path(scratch.path + "/socket")
    let first = try await SocketListener(address)
    first.close()
    let second = try await SocketListener(address)
    first.close()
    _ = try await SocketConnection.open(address)
    try FileManager.default.removeItem(atPath: scratch.path + "/socket")
    let third = try await SocketListener(address)
    second.close()
    _ = try await SocketConnection.open(address)
    third.close()
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/socket"))
  }

  @Test func whoIsCancelledWaitsNoLonger() async throws {
    let scratch = ScratchDirectory()
    let listener = try await SocketListener(.path(scratch.path + "/socket"))
    let socket = try await SocketConnection.open(listener.address)
    let reader = Task { try await socket.read() }
    let acceptor = Task {
      while try await listener.next() != nil {}
    }
    try await Task.sleep(for: .milliseconds(20))
    reader.cancel()
    acceptor.cancel()
    #expect(try await reader.value == nil)
    try await acceptor.value
  }

  /// Writing to who is gone is an error and no signal.
  @Test func whoIsGoneCannotBeWrittenTo() async throws {
    let scratch = ScratchDirectory()
    let listener = try await SocketListener(.path(scratch.path + "/socket"))
    let socket = try await SocketConnection.open(listener.address)
    let other = try #require(try await listener.next())
    other.close()
    do {
      for _ in 0..<100 { try await socket.write([UInt8](repeating: 1, count: 100_000)) }
      Issue.record("nobody reads it")
    } catch {
      #expect(error.reason == .closed)
    }
  }

  /// A process may have too many files open, and so may all of them together; both pass.
  @Test func aListenerWaitsForRoomInATableThatIsFull() {
    #expect(PosixCall.failure("accept", number: EMFILE).reason == .tooManyOpen)
    #expect(PosixCall.failure("accept", number: ENFILE).reason == .tooManyOpen)
    #expect(PosixCall.failure("accept", number: EINVAL).reason == .failed)
  }

  /// Whoever reads from it has other connections to look after.
  @Test func whatIsAcceptedDoesNotBlock() async throws {
    let scratch = ScratchDirectory()
    let address = SocketAddress.path(scratch.path + "/socket")
    let listening = Descriptor(try PosixCall.makeSocket(address))
    try PosixCall.bind(listening.number, to: address)
    #expect(try PosixCall.accept(listening.number) == nil)
    let socket = try await SocketConnection.open(address)
    let accepted = Descriptor(try #require(try PosixCall.accept(listening.number)))
    try #require(try PosixCall.setNonblocking(accepted.number, isOn: true))
    #expect(try PosixCall.receive(accepted.number, limit: 8) == nil)
    socket.close()
  }

  /// Wherever it stands when it is closed: before it waits, in the pause after a connection, or later.
  @Test func aListenerThatIsClosedHasNoMore() async throws {
    for turn in 0..<60 {
      // To accept at a port that is closed is an error, unlike at a path.
      let listener = try await SocketListener(.loopback(port: 0))
      let socket = try await SocketConnection.open(listener.address)
      let other = try await listener.next()
      async let next = listener.next()
      for _ in 0..<(turn % 6) { await Task.yield() }
      listener.close()
      #expect(try await next == nil)
      socket.close()
      other?.close()
    }
  }
}
