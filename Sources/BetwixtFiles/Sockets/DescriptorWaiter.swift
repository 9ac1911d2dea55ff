internal import Synchronization

/// A descriptor that is closed when nobody uses it any more.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { PosixCall.closeDescriptor(number) }
}

/// The thread on which all sockets of the process wait until they can do something.
///
/// Tasks must not wait for descriptors themselves: there are only as many threads for all of them as
/// the machine has cores.
final class DescriptorWaiter: Sendable {
  private struct Wait {
    let descriptor: Descriptor
    let writes: Bool
    let task: CheckedContinuation<Void, Never>
  }

  private struct State {
    var arriving: [Wait] = []
    var isPolling = false
  }

  private let state = Mutex(State())
  private let bell: (reading: Int32, writing: Int32)

  private static let shared = make()

  private static func make() -> Result<DescriptorWaiter, FileSystemError> {
    do throws(FileSystemError) {
      let waiter = DescriptorWaiter(bell: try PosixCall.makePipe())
      guard PosixCall.startThread({ waiter.run() }) else {
        return .failure(FileSystemError("thread", because: .failed))
      }
      return .success(waiter)
    } catch {
      return .failure(error)
    }
  }

  private init(bell: (reading: Int32, writing: Int32)) { self.bell = bell }

  /// Returns when the descriptor can be read from, or written to, or has ended; who is cancelled
  /// meanwhile ends it.
  static func wait(for descriptor: Descriptor, toWrite writes: Bool) async throws(FileSystemError) {
    let waiter = try shared.get()
    await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        waiter.add(Wait(descriptor: descriptor, writes: writes, task: task))
      }
    } onCancel: {
      PosixCall.shutDown(descriptor.number)
    }
  }

  private func add(_ wait: Wait) {
    let mustRing = state.withLock { state in
      state.arriving.append(wait)
      defer { state.isPolling = false }
      return state.isPolling
    }
    // A bell that is full rings already.
    if mustRing { _ = try? PosixCall.writeSome(bell.writing, bytes: [0]) }
  }

  private func run() {
    var waits: [Wait] = []
    // The bell is the first of them, so each wait has the number of its request less one.
    var requests = PollRequests()
    requests.append(bell.reading, writes: false)
    while true {
      // The more of them there are the longer it takes to look at them, and the more it is worth
      // while to let some gather.
      if waits.count >= DescriptorWaiter.crowd { PosixCall.pause(milliseconds: 1) }
      let arriving = state.withLock { state in
        state.isPolling = true
        defer { state.arriving = [] }
        return state.arriving
      }
      for wait in arriving {
        requests.append(wait.descriptor.number, writes: wait.writes)
        waits.append(wait)
      }
      guard requests.wait() else { continue }
      if requests.isReady(0) { _ = try? PosixCall.readSome(bell.reading, limit: 64) }
      // From the last on, since what is taken out is replaced by the last one.
      for index in waits.indices.reversed() where requests.isReady(index + 1) {
        requests.remove(at: index + 1)
        waits.swapAt(index, waits.count - 1)
        waits.removeLast().task.resume()
      }
    }
  }

  private static let crowd = 512
}
