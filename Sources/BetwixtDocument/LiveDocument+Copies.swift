#if canImport(Observation)
public import Betwixt
public import BetwixtFiles

// MARK: - Copies

extension LiveDocument {
  /// Takes in what other programs wrote into the file since.
  ///
  /// - Returns: What changed.
  /// - Throws: `Document.Failure`
  @discardableResult
  public func refresh() throws(Document.Failure) -> ListChanges {
    let changes = try document.refresh()
    tell(changes)
    return changes
  }

  /// Takes in entries that came by a way of the app's own.
  ///
  /// - Parameter delta: Any delta of this list.
  /// - Returns: What changed, and which concurrent writes lost.
  /// - Throws: `Document.Failure`; the document is as it was.
  @discardableResult
  public func merge(_ delta: Delta) throws(Document.Failure) -> ListChanges {
    let changes = try document.merge(delta)
    tell(changes)
    return changes
  }

  /// Takes in another copy of the list, such as one that came by mail.
  ///
  /// - Parameter other: A copy of this list that was edited elsewhere.
  /// - Returns: What changed, and which concurrent writes lost.
  /// - Throws: `Document.Failure`, `otherDocument` if it is another list; the document is as it was.
  @discardableResult
  public func merge(_ other: ReplicatedList) throws(Document.Failure) -> ListChanges {
    let changes = try document.merge(other)
    tell(changes)
    return changes
  }

  /// Brings this document and another copy of it on this machine to one state; on the main actor.
  ///
  ///     var stick = try Document.open(at: "/media/stick/rome.trip", settings: settings)
  ///     let changes = try trip.sync(with: &stick).changes
  ///
  /// - Parameters:
  ///   - other: The other copy.
  ///   - admission: What is let in; by default what the clock of the document's settings allows.
  /// - Returns: What changed on both sides, and what was not let in.
  /// - Throws: `Document.Failure`; what was taken in before stays, and is shown with the next change.
  @discardableResult
  public func sync(
    with other: inout Document, admission: AdmissionPolicy? = nil
  ) throws(Document.Failure) -> Document.Exchange {
    let exchange = try document.sync(with: &other, admission: admission)
    tell(exchange.changes)
    return exchange
  }
}

// MARK: - Clocks that were ahead

extension LiveDocument {
  /// What a clock that was ahead has written; see `Document.writesAhead()`.
  ///
  /// - Returns: The writes that others do not let in before their time comes.
  /// - Complexity: O(*n*)
  public func writesAhead() -> Document.WritesAhead { document.writesAhead() }

  /// Writes what a clock that was ahead has written here again, now; see `Document.repairClock(force:)`.
  ///
  /// - Parameter force: Whether to do it even if something speaks against the clock.
  /// - Returns: What was there.
  /// - Throws: `Document.Failure`, `doubtfulClock` if something does; the document is as it was.
  @discardableResult
  public func repairClock(force: Bool = false) throws(Document.Failure) -> Document.WritesAhead {
    let (writes, changes) = try document.repairClock(force: force)
    tell(changes)
    return writes
  }
}

// MARK: - Forgetting

extension LiveDocument {
  /// Lets go what removed items held, and writes the file anew without it; see
  /// `Document.forget(below:)` for what goes and what it is no way for.
  ///
  ///     let month: Int64 = 30 * 86_400_000
  ///     let polite = trip.politeFloor(
  ///       olderThan: Timestamp(milliseconds: now - month), seenSince: now - 3 * month)
  ///     try trip.forget(below: polite.floor)
  ///
  /// - Parameter floor: For each replica the number up to which; what is not known does not count.
  /// - Returns: What that has brought.
  /// - Throws: `Document.Failure`
  @discardableResult
  public func forget(below floor: VersionVector) throws(Document.Failure) -> Document.Forgotten {
    let forgotten = try document.forget(below: floor)
    tell(forgotten.changes)
    return forgotten
  }

  /// The floor that surprises nobody who is about; see `Document.politeFloor(olderThan:seenSince:)`.
  ///
  /// - Parameters:
  ///   - time: By the clocks of those who wrote.
  ///   - since: Devices that told or wrote nothing since are not waited for, in milliseconds since
  ///     1970.
  /// - Returns: The floor, and for whom it waits.
  /// - Complexity: O(*n*)
  public func politeFloor(
    olderThan time: Timestamp, seenSince since: Int64
  ) -> Document.PoliteFloor {
    document.politeFloor(olderThan: time, seenSince: since)
  }
}
#endif
