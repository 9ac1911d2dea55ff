public import Betwixt

extension TripImport {
  /// The import as ordinary edits of one replica, for places where a server takes from a client
  /// only the client's own entries.
  ///
  /// Only registers whose value the import changed are written; what they hold is the same as in
  /// ``list``, so importing again writes nothing.
  ///
  /// - Parameters:
  ///   - document: The list that the import went into.
  ///   - replica: Who writes.
  /// - Returns: The document with the edits.
  /// - Throws: ``TripFailure`` if the list refuses an edit, such as one behind the greatest time.
  /// - Complexity: O(*n* log *n*)
  public func edits(
    of document: ReplicatedList, by replica: inout Replica
  ) throws(TripFailure) -> ReplicatedList {
    // Values of any size that the format allows come in.
    let limits = replica.limits
    replica.limits = limits.takingOver
    defer { replica.limits = limits }
    var edited = document
    let imported = list
    do {
      // A refusal halfway must not cost the numbers of what was written before it.
      try edited.transaction(by: &replica) { list, me throws(EditFailure) in
        for item in imported.allItems() {
          try list.take(item, over: document[id: item.id]?.values ?? [:], by: &me)
        }
      }
    } catch {
      throw TripFailure(.refused(error))
    }
    return edited
  }
}

extension ReplicatedList {
  /// Writes the registers of an item that hold something else than they did.
  fileprivate mutating func take(
    _ item: ListItem, over old: [Register: RegisterValue], by replica: inout Replica
  ) throws(EditFailure) {
    if old.isEmpty, item.isRemoved {
      // It is not here, and the file has taken it out of what it came from: nothing else of that is
      // anybody's edit.
      if self[id: item.id] == nil {
        try create(item.id, by: &replica)
        try remove(item.id, by: &replica)
      }
      return
    }
    var fields: [(name: FieldName, value: FieldValue?)] = []
    for entry in item.entries where old[entry.register] != entry.value {
      switch (entry.register, entry.value) {
      case (.life, .life(let length)):
        if length % 2 == 1 {
          try create(item.id, by: &replica)
        } else {
          try remove(item.id, by: &replica)
        }
      case (.position, .position(let section, let key)):
        // The key was made for this item, from a number or for the place between two others, whose
        // number alone would not put it there. The life of an item comes first, so it is known here.
        try place(item.id, at: key, inSection: section, by: &replica)
      case (.field(let name), .field(let value)): fields.append((name, value))
      // An import makes no other registers.
      default: break
      }
    }
    if !fields.isEmpty { try set(fields, of: item.id, by: &replica) }
  }
}
