import Dispatch

/// Does what may hang in a call of the operating system, on a thread of its own: the threads of
/// tasks are few, and none of them waits for a folder.
func background<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    DispatchQueue(label: "betwixt.document").async {
      continuation.resume(returning: Result(catching: body))
    }
  }
  return try result.get()
}
