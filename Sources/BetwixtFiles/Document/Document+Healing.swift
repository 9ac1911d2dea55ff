package import Betwixt

extension Document {
  /// Writes some entries again, at the present time and under a new id, in place of those that the file
  /// holds: what a clock that was ahead has written here.
  ///
  /// The numbers of the old id may be claimed elsewhere, and stand for the old times.
  ///
  /// - Parameter entries: Writes of this document.
  /// - Throws: ``Failure``; the list is as it was.
  /// - Complexity: O(*n*) for *n* entries
  package mutating func rewrite(_ entries: [Entry]) throws(Failure) {
    try lock()
    defer { unlock() }
    try takeNewWriter()
    guard let identity = host.file.identity else { throw Failure(name, cause: .noStateDirectory) }
    var me = identity.replica(for: host.file.list, clock: settings.clock)
    let healed: ReplicatedList
    do throws(EditFailure) {
      healed = try host.file.list.rewriting(entries, by: &me)
    } catch {
      throw Failure(name, cause: .edit(error))
    }
    do throws(DocumentFileFailure) {
      try host.file.replace(by: healed)
    } catch {
      throw Failure(name, cause: .file(error))
    }
    _ = show()
  }
}
