import Foundation

/// Ends the tests, with a word, where a call does not return that has to return at once.
///
///     let failure = whatMustReturn("reading a pipe") { try? InputFile.read(path) }
///
/// It waits as long as only a call that waits for somebody can take, and counts from the call: a test
/// that was started and waits for its turn does not fail by that.
///
/// - Parameters:
///   - what: What is called, for the message.
///   - body: The call.
/// - Returns: What the call returned.
public func whatMustReturn<Result>(
  _ what: String, _ body: () throws -> Result
) rethrows -> Result {
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    if end.wait(timeout: .now() + 600) == .timedOut { fatalError("\(what) does not return") }
  }
  defer { end.signal() }
  return try body()
}
