#if canImport(Observation)
import Betwixt
public import BetwixtFiles

extension LiveDocument {
  /// Stays in step with what other programs write into the file, until the task is cancelled.
  ///
  ///     .task { await trip.follow() }
  ///
  /// A file that is just being written, or cannot be read, is tried again the next time; why is in
  /// ``troubles`` meanwhile, also if another program has it locked for longer than ``patience``.
  ///
  /// - Parameter interval: How long to wait between two looks.
  public func follow(every interval: Duration = .milliseconds(500)) async {
    defer { note(nil, about: name) }
    var locked = Duration.zero
    while !Task.isCancelled {
      do throws(Document.Failure) {
        // The user interface waits for nobody who is just writing.
        tell(try atOnce { (document) throws(Document.Failure) in try document.refresh() })
        note(nil, about: name)
        locked = .zero
      } catch {
        // Who just cannot read it is not locked out.
        let isLocked = error.cause == .file(.locked)
        if !isLocked || locked > .milliseconds(patience) { note(error, about: name) }
        locked = isLocked ? locked + interval : .zero
      }
      do { try await Task.sleep(for: interval) } catch { return }
    }
  }

  /// Stays in step with a shared folder, until the task is cancelled.
  ///
  ///     .task { await trip.follow(folder: "Dropbox/trips") }
  ///
  /// A folder that is gone or fails is tried again after twice as long each time, up to a minute or the
  /// interval; why is in ``troubles`` meanwhile, also if another program has the document locked for
  /// longer than ``patience``.
  ///
  /// - Parameters:
  ///   - root: The folder that some other tool copies between devices.
  ///   - interval: How long to wait between two looks.
  public func follow(folder root: String, every interval: Duration = .seconds(1)) async {
    defer { note(nil, about: root) }
    var pause = interval
    // Who is just writing the document is no trouble, but to be locked out twice behind each other is:
    // each of the two has waited.
    var isLocked = false
    while !Task.isCancelled {
      do throws(Document.Failure) {
        try await sync(folder: root)
        pause = interval
        isLocked = false
      } catch {
        if error.cause == .file(.locked) {
          if isLocked { note(error, about: root) }
          isLocked = true
          pause = interval
        } else {
          note(error, about: root)
          isLocked = false
          pause = max(interval, min(pause * 2, .seconds(60)))
        }
      }
      do { try await Task.sleep(for: pause) } catch { return }
    }
  }

  /// Takes in what a shared folder has, and puts into it what it lacks, without keeping the user
  /// interface waiting.
  ///
  /// For another program that has the document locked it waits up to ``patience``, beside the main
  /// actor.
  ///
  /// - Parameter root: The folder that some other tool copies between devices.
  /// - Throws: `Document.Failure`; what was taken in before stays.
  public func sync(folder root: String) async throws(Document.Failure) {
    // A new writer begins anew, in another directory of the folder, and so does one whom another
    // program has overtaken meanwhile.
    for _ in 0..<4 {
      guard try await syncOnce(folder: root) else { continue }
      note(nil, about: root)
      return
    }
    throw Document.Failure(root, cause: .contestedFolder)
  }

  /// Reads, commits and writes, in this order; returns whether all of it was done.
  private func syncOnce(folder root: String) async throws(Document.Failure) -> Bool {
    let exchange = try await whenFree { (document) throws(Document.Failure) in
      try document.folderExchange(in: root)
    }
    let policy = document.defaultAdmission
    let seen = document.heldList
    let read = try await background { () throws(Document.Failure) in
      var exchange = exchange
      return try exchange.locked(patience: 2_000) { (exchange) throws(Document.Failure) in
        _ = try exchange.catchUp()
        var list = seen
        let reading = try exchange.read(into: &list, admission: policy)
        return (exchange: exchange, list: list, reading: reading)
      }
    }
    let changes = try await whenFree { (document) throws(Document.Failure) in
      try document.take(
        read.list, reading: read.reading, of: read.exchange.goneBackCount)
    }
    guard let changes else {
      tell(
        try await whenFree { (document) throws(Document.Failure) in try document.refresh() })
      return false
    }
    // Not before: what is not in the document has to be read again.
    document.keep(read.exchange)
    tell(changes)
    let list = document.list
    let written = try await background { () throws(Document.Failure) in
      var exchange = read.exchange
      return try exchange.locked(patience: 2_000) { (exchange) throws(Document.Failure) in
        let written = try exchange.catchUp() ? nil : try exchange.write(list)
        return (exchange: exchange, written: written)
      }
    }
    document.keep(written.exchange)
    guard let done = written.written else { return false }
    guard let evidence = done.evidence else { return true }
    try document.takeNewWriter(evidence)
    return false
  }

  /// Does what needs the lock of the document, without waiting for that on the main actor.
  ///
  /// - Parameter body: What to do; called again while another program has the lock.
  /// - Returns: What the body returned.
  /// - Throws: What the body threw: `locked` once ``patience`` is over, or the task is cancelled.
  private func whenFree<Value>(
    _ body: (inout Document) throws(Document.Failure) -> Value
  ) async throws(Document.Failure) -> Value {
    var (waited, pause) = (0, 10)
    while true {
      do throws(Document.Failure) {
        return try atOnce(body)
      } catch {
        guard error.cause == .file(.locked), waited < patience, !Task.isCancelled else {
          throw error
        }
      }
      try? await Task.sleep(for: .milliseconds(pause))
      waited += pause
      pause = min(pause * 2, 160)
    }
  }

  /// Does what needs the lock of the document at once or not at all.
  private func atOnce<Value>(
    _ body: (inout Document) throws(Document.Failure) -> Value
  ) throws(Document.Failure) -> Value {
    let patience = patience
    self.patience = 0
    defer { self.patience = patience }
    return try body(&document)
  }
}
#endif
