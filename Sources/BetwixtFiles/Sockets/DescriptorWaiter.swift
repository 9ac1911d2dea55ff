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
  struct Wait {
    let descriptor: Descriptor
    let writes: Bool
    let task: CheckedContinuation<FileSystemError?, Never>
  }

  private struct State {
    var arriving: [Wait] = []
    var isPolling = false
  }

  private let state = Mutex(State())
  private let bell: (reading: Int32, writing: Int32)

  private static let shared = Mutex<DescriptorWaiter?>(nil)

  /// The one of the process, made by whoever waits first: what keeps it from being made, as too many
  /// open files, may be over when the next one asks.
  private static func running() throws(FileSystemError) -> DescriptorWaiter {
    try shared.withLock { (shared) throws(FileSystemError) in
      if let shared { return shared }
      let waiter = DescriptorWaiter(bell: try PosixCall.makePipe())
      guard PosixCall.startThread({ waiter.run() }) else {
        PosixCall.closeDescriptor(waiter.bell.reading)
        PosixCall.closeDescriptor(waiter.bell.writing)
        throw FileSystemError("thread", because: .failed)
      }
      shared = waiter
      return waiter
    }
  }

  private init(bell: (reading: Int32, writing: Int32)) { self.bell = bell }

  /// Returns when the descriptor can be read from, or written to, or has ended; who is cancelled
  /// meanwhile ends it.
  static func wait(for descriptor: Descriptor, toWrite writes: Bool) async throws(FileSystemError) {
    let waiter = try running()
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        waiter.add(Wait(descriptor: descriptor, writes: writes, task: task))
      }
    } onCancel: {
      PosixCall.shutDown(descriptor.number)
    }
    if let failure { throw failure }
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
    var waits = Waits(bell: bell.reading)
    while true {
      // The more of them there are the longer it takes to look at them, and the more it is worth
      // while to let some gather.
      if waits.count >= DescriptorWaiter.crowd { PosixCall.pause(milliseconds: 1) }
      let arriving = state.withLock { state in
        state.isPolling = true
        defer { state.arriving = [] }
        return state.arriving
      }
      for wait in arriving { waits.add(wait) }
      if waits.settle() { _ = try? PosixCall.readSome(bell.reading, limit: 64) }
    }
  }

  private static let crowd = 512
}

extension DescriptorWaiter {
  /// All who wait, by what they wait for.
  ///
  /// A descriptor has one request, however many wait for it: the system takes no more requests than
  /// the process may have open files.
  struct Waits {
    private struct Place {
      let descriptor: Descriptor
      var reading: [CheckedContinuation<FileSystemError?, Never>] = []
      var writing: [CheckedContinuation<FileSystemError?, Never>] = []
    }

    // The bell is the first request, so each place has the number of its request less one.
    private var requests = PollRequests()
    private var places: [Place] = []
    private var numbers: [Int32: Int] = [:]

    init(bell: Int32) {
      requests.append(bell)
      requests.ask(0, toRead: true, toWrite: false)
    }

    /// How many descriptors are waited for.
    var count: Int { places.count }

    mutating func add(_ wait: Wait) {
      let number = numbers[wait.descriptor.number] ?? places.count
      if number == places.count {
        numbers[wait.descriptor.number] = number
        places.append(Place(descriptor: wait.descriptor))
        requests.append(wait.descriptor.number)
      }
      if wait.writes {
        places[number].writing.append(wait.task)
      } else {
        places[number].reading.append(wait.task)
      }
      ask(number)
    }

    private mutating func ask(_ number: Int) {
      let place = places[number]
      requests.ask(
        number + 1, toRead: !place.reading.isEmpty, toWrite: !place.writing.isEmpty)
    }

    /// Waits until something can be done, and wakes who waits for that; returns whether the bell
    /// rings.
    mutating func settle() -> Bool {
      let count: Int
      do throws(FileSystemError) {
        count = try requests.wait()
      } catch {
        // Whoever waited on would wait for ever.
        for place in places {
          for task in place.reading + place.writing { task.resume(returning: error) }
        }
        self = Waits(bell: requests.descriptor(0))
        return false
      }
      guard count > 0 else { return false }
      // From the last on, since what is taken out is replaced by the last one.
      for number in places.indices.reversed() { wake(number) }
      return requests.canRead(0)
    }

    private mutating func wake(_ number: Int) {
      let (canRead, canWrite) = (requests.canRead(number + 1), requests.canWrite(number + 1))
      guard canRead || canWrite else { return }
      var awake: [CheckedContinuation<FileSystemError?, Never>] = []
      if canRead {
        awake += places[number].reading
        places[number].reading = []
      }
      if canWrite {
        awake += places[number].writing
        places[number].writing = []
      }
      if places[number].reading.isEmpty, places[number].writing.isEmpty {
        remove(number)
      } else {
        ask(number)
      }
      for task in awake { task.resume(returning: nil) }
    }

    private mutating func remove(_ number: Int) {
      numbers[places[number].descriptor.number] = nil
      requests.remove(at: number + 1)
      places.swapAt(number, places.count - 1)
      places.removeLast()
      if number < places.count { numbers[places[number].descriptor.number] = number }
    }
  }
}
