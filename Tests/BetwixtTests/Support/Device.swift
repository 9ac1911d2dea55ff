import Betwixt
import Synchronization

/// A clock that a test sets.
final class TestClock: Sendable {
  private let milliseconds: Mutex<Int64>

  init(_ milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

  var now: Int64 {
    get { milliseconds.withLock { $0 } }
    set { milliseconds.withLock { $0 = newValue } }
  }
}

/// One device of a run: the list under test, and beside it the model and a mirror that is kept
/// up to date from reported changes only.
final class Device {
  var list: ReplicatedList
  var me: Replica
  let clock: TestClock
  var model = NaiveList()
  var mirror: [ItemID] = []
  var history = UndoHistory()

  /// Every entry that was ever written here.
  var written: [Entry] = []

  /// Earlier states to roll back to.
  var past: [(list: ReplicatedList, model: NaiveList, sequence: Int64)] = []

  init(_ list: ReplicatedList, replica: UInt64, clock: Int64) {
    self.list = list
    let clock = TestClock(clock)
    self.clock = clock
    me = Replica(id: ReplicaID(rawValue: replica)) { clock.now }
  }

  /// Goes on under another id or from another number.
  func become(_ id: ReplicaID, sequence: Int64) {
    me = Replica(id: id, sequence: sequence) { [clock] in clock.now }
    history = UndoHistory()
  }
}
