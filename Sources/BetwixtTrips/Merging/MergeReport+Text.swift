import Betwixt

extension MergeReport {
  /// The report for a reader, a line each; nothing if there is nothing to tell.
  ///
  ///     from phone: 2 added, 1 edited, 1 moved
  ///     conflict: “Lunch”: moved to day 3 after “Museum” on laptop (2026-05-12 14:05 UTC); phone
  ///     had moved it to day 5 (2026-05-11 09:00 UTC)
  ///     removed on phone: “Aquarium” (day 5); laptop had set its note to “Closed on Mondays”
  ///     (2026-05-11 10:30 UTC)
  ///
  /// Inputs are called by the names of their files, days and neighbours are those of the result.
  /// Every write that lost is there; ``jsonLines`` has its exact value.
  public var lines: [String] {
    let names = DeviceNames(sources.map { $0.name })
    return sources.map { $0.line(names) } + lossLines
  }

  /// Of ``lines`` those that say what lost.
  public var lossLines: [String] {
    let names = DeviceNames(sources.map { $0.name })
    return lostEdits.map { LostEditText($0, in: names).line }
      + removedEdits.map { RemovedEditText($0, in: names).line }
  }

  /// The report for a program: objects in canonical JSON, one for each line of ``lines``.
  public var jsonLines: [String] { sources.map { $0.json.canonicalText } + lossJSONLines }

  /// Of ``jsonLines`` those that say what lost.
  public var lossJSONLines: [String] {
    lostEdits.map { $0.json.canonicalText } + removedEdits.map { $0.jsonText }
  }
}

extension MergeReport.Source {
  fileprivate func line(_ names: DeviceNames) -> String {
    let parts = [(added, "added"), (updated, "edited"), (moved, "moved"), (removed, "removed")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "from \(names[name]): " + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))
  }

  fileprivate var json: JSONValue {
    .object([
      ("report", .text("source")), ("source", .text(name)), ("added", .whole(Int64(added))),
      ("updated", .whole(Int64(updated))), ("moved", .whole(Int64(moved))),
      ("removed", .whole(Int64(removed))),
    ])
  }
}

extension MergeReport.LostEdit {
  fileprivate var json: JSONValue {
    .object([
      ("report", .text("conflict")), ("item", .text(item.uuid)), ("label", .text(label)),
      ("register", .text(register.words)), ("lost", lost.json), ("kept", kept.json),
    ])
  }
}

extension MergeReport.Side {
  fileprivate var json: JSONValue {
    .object([
      ("value", value.json), ("time", .text(time.moment)), ("sources", .texts(sources)),
    ])
  }
}

extension MergeReport.RemovedEdit {
  fileprivate var jsonText: String {
    let frame = JSONValue.object([
      ("report", .text("removed")), ("item", .text(item.uuid)), ("label", .text(label)),
      ("registers", .texts(registers.map { $0.words })), ("editedBy", .texts(editedBy)),
      ("removedBy", .texts(removedBy)),
    ])
    // The item is canonical JSON already; it stands behind the other members.
    return frame.canonicalText.dropLast() + ",\"value\":" + json + "}"
  }
}

extension Timestamp {
  // As `modifiedAt` has it, for a program.
  fileprivate var moment: String {
    Moment(milliseconds: milliseconds)?.description ?? "\(self)"
  }
}
