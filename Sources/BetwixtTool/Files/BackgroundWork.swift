import Dispatch
import Synchronization

/// Something that is done beside the program's own work, and asked for its result now and then.
///
/// Nobody waits for it: what hangs in a call of the operating system hangs alone.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Begins the work.
  init(_ body: @escaping @Sendable () -> Value) {
    // A queue of its own: what hangs there takes no thread from anything else.
    DispatchQueue(label: "betwixt.background").async { [self] in
      let result = body()
      value.withLock { $0 = result }
    }
  }

  /// What it came to; `nil` as long as it is not done.
  var result: Value? { value.withLock { $0 } }
}
