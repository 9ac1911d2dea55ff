/// A Swift value that lives in a list as an item's fields.
///
///     struct Stop: ListRecord {
///       var title = ""
///       var minutes: Int64 = 0
///
///       init(fields: Fields) {
///         title = fields["title"]?.string ?? ""
///         minutes = fields["durationMin"]?.int64 ?? 0
///       }
///
///       var fields: Fields { ["title": .string(title), "durationMin": .int64(minutes)] }
///     }
///
/// Fields that a record does not name, such as those of a newer version, stay as they are.
public protocol ListRecord {
  /// Makes a value from an item's fields. They may be missing or of another type: a newer version,
  /// or another program, wrote them.
  init(fields: Fields)

  /// The fields that the value stands for; a field left out has no value.
  var fields: Fields { get }
}

extension ReplicatedList {
  /// An item as a record; `nil` if nothing of it is known.
  ///
  ///     let stop = list.record(lunch, as: Stop.self)
  ///
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public func record<Record: ListRecord>(
    _ item: ItemID, as type: Record.Type = Record.self
  ) -> Record? {
    self[id: item].map { Record(fields: $0.fields) }
  }

  /// Edits an item as a record: only the fields that change are written.
  ///
  ///     try list.update(lunch, as: Stop.self, by: &me) { $0.title = "Lunch at El Moro" }
  ///
  /// - Parameters:
  ///   - item: An item of the list, removed or not, or ``ItemID/root``.
  ///   - type: What its fields are read as.
  ///   - replica: Who writes.
  ///   - body: Changes the record.
  /// - Throws: ``EditFailure``: `unknownItem`, or if a value is too large; nothing has changed then.
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public mutating func update<Record: ListRecord>(
    _ item: ItemID, as type: Record.Type = Record.self, by replica: inout Replica,
    _ body: (inout Record) -> Void
  ) throws(EditFailure) {
    let present = self[id: item]?.fields ?? Fields()
    var record = Record(fields: present)
    let before = record.fields
    body(&record)
    try set(changes(from: before, to: record.fields), of: item, by: &replica)
  }

  // Compared with what the record made of the fields, not with the fields: a record that reads a
  // missing title as "" must not write "" when something else changes.
  private func changes(
    from before: Fields, to after: Fields
  ) -> [(name: FieldName, value: FieldValue?)] {
    var changes: [(name: FieldName, value: FieldValue?)] = []
    for field in after where before[field.name] != field.value {
      changes.append((field.name, field.value))
    }
    for field in before where after[field.name] == nil { changes.append((field.name, nil)) }
    return changes
  }
}
