import Synchronization
import Testing

@testable import BetwixtFiles

/// What goes out on a connection: all of it, in order, and as few pieces as it can be.
@Suite struct OutgoingLineTests {
  /// A connection that takes a piece when it is told to.
  private final class Connection: Sendable {
    private let pieces = Mutex<[[UInt8]]>([])
    private let written = Mutex(0)
    private let (permits, permit) = AsyncStream.makeStream(of: Void.self)
    private let (begins, begin) = AsyncStream.makeStream(of: Void.self)

    var taken: [[UInt8]] { pieces.withLock { $0 } }
    var count: Int { written.withLock { $0 } }

    func wrote(_ count: Int) { written.withLock { $0 += count } }

    func write(_ bytes: [UInt8]) async throws {
      begin.yield()
      for await _ in permits { break }
      pieces.withLock { $0.append(bytes) }
    }

    /// Waits until somebody writes.
    func waitForWrite() async { for await _ in begins { break } }

    func allow() { permit.yield() }
  }

  @Test func whatGathersGoesOutAsOnePiece() async {
    let connection = Connection()
    let line = OutgoingLine()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await line.run(
          writing: { try await connection.write($0) }, closing: {},
          wrote: { connection.wrote($0) })
      }
      line.send([1])
      await connection.waitForWrite()
      line.send([2])
      line.send([3, 4])
      connection.allow()
      await connection.waitForWrite()
      line.send([5])
      line.finish()
      connection.allow()
      connection.allow()
    }
    #expect(connection.taken == [[1], [2, 3, 4], [5]])
    #expect(connection.count == 5)
  }

  @Test func aConnectionThatFailsEnds() async {
    struct Gone: Error {}
    let line = OutgoingLine()
    let connection = Connection()
    line.send([1])
    await line.run(
      writing: { _ in throw Gone() }, closing: { connection.wrote(1) },
      wrote: { _ in connection.wrote(100) })
    #expect(connection.count == 1)
  }

  /// The last words have their time, and whoever never reads them is closed all the same.
  @Test func whoNeverReadsIsClosed() async {
    let line = OutgoingLine(lastWordsMilliseconds: 1)
    let connection = Connection()
    let (closed, close) = AsyncStream.makeStream(of: Void.self)
    line.send([1])
    line.finish()
    await line.run(
      writing: { _ in for await _ in closed {} },
      closing: {
        connection.wrote(1)
        close.finish()
      },
      wrote: { _ in })
    #expect(connection.count == 1)
  }
}
