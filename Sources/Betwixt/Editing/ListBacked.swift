/// A value that is a list, or reads one as something else: a trip, records, a document.
///
/// What is done to lists by several edits at once, ``transaction(by:_:)`` and
/// the steps of an ``UndoHistory``, is done to any of them.
public protocol ListBacked: ~Copyable {
  /// The list.
  var list: ReplicatedList { get set }
}

extension ReplicatedList: ListBacked {
  /// The list itself.
  public var list: ReplicatedList {
    get { self }
    set { self = newValue }
  }
}

extension RecordList: ListBacked {}

extension ListBacked where Self: ~Copyable {
  /// Makes several edits one: all of them are made, or none.
  ///
  /// An edit of a copy that is dropped afterwards costs the numbers of its writes: they are missing
  /// in the version vector for good, and peers who ask what is new get everything again. Where an
  /// edit may be refused halfway, this gives the numbers back.
  ///
  ///     try list.transaction(by: &me) { list, me in
  ///       try list.set("title", of: lunch, to: "Dinner", by: &me)
  ///       try list.move(lunch, toOffset: 5, by: &me)
  ///     }
  ///
  /// - Parameters:
  ///   - replica: Who writes.
  ///   - body: Edits. What it throws leaves the list and the numbers of the replica as they were, so
  ///     it must not hand a copy of what it edits to anybody: its writes would be made once more.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  /// - Complexity: As the edits; the first one on each page of 64 items copies it.
  @discardableResult
  public mutating func transaction<Value, Failure: Error>(
    by replica: inout Replica,
    _ body: (inout Self, inout Replica) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let before = list
    let sequence = replica.sequence
    do throws(Failure) {
      return try body(&self, &replica)
    } catch {
      list = before
      replica.giveBack(after: sequence)
      throw error
    }
  }
}
