/// A list whose items are all read and written as one kind of record.
///
///     var stops = RecordList<Stop>(list)
///     let lunch = try stops.append(Stop(title: "Lunch"), by: &me)
///     try stops.update(lunch, by: &me) { $0.title = "Lunch at El Moro" }
///     stops.list.merge(theirs)
///     for stop in stops { print(stop.title) }
///
/// It is a view: what is not about records (moving, removing, merging, sections) is done on
/// ``list``.
public struct RecordList<Record: ListRecord> {
  /// The list itself.
  public var list: ReplicatedList

  /// Views a list as records.
  public init(_ list: ReplicatedList) {
    self.list = list
  }

  /// The record of an item; `nil` if nothing of it is known.
  ///
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public subscript(id id: ItemID) -> Record? { list.record(id) }

  /// Inserts a record at an offset within a section.
  ///
  /// - Parameters:
  ///   - record: The new item.
  ///   - offset: Its place among the visible items of the section.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure``: `unknownOffset` if the section has fewer visible items, or if a value
  ///   is too large; nothing has changed then.
  /// - Complexity: O(log *n* + *f*) for its fields
  @discardableResult
  public mutating func insert(
    _ record: Record, at offset: Int, inSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try list.insert(record.fields, at: offset, inSection: section, by: &replica)
  }

  /// Inserts a record at the end of a section.
  ///
  /// - Parameters:
  ///   - record: The new item.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure`` if a value is too large.
  /// - Complexity: O(log *n* + *f*) for its fields
  @discardableResult
  public mutating func append(
    _ record: Record, toSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try list.append(record.fields, toSection: section, by: &replica)
  }

  /// Edits an item: only the fields that change are written.
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - replica: Who writes.
  ///   - body: Changes the record.
  /// - Throws: ``EditFailure``: `unknownItem`, or if a value is too large; nothing has changed then.
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public mutating func update(
    _ item: ItemID, by replica: inout Replica, _ body: (inout Record) -> Void
  ) throws(EditFailure) {
    try list.update(item, by: &replica, body)
  }
}

extension RecordList: RandomAccessCollection {
  /// The place of the first record.
  public var startIndex: Int { 0 }

  /// The number of visible records.
  public var endIndex: Int { list.count }

  /// The record at a place.
  ///
  /// - Complexity: O(log *n* + *f*) for its fields
  /// - Precondition: The place is in `0..<count`.
  public subscript(position: Int) -> Record { Record(fields: list[position].fields) }
}

extension RecordList: Sendable where Record: Sendable {}
