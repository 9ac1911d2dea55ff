import Betwixt

extension MergeReport {
  /// The report for a reader, a line each; nothing if there is nothing to tell.
  ///
  ///     phone.json: added 2, updated 1, moved 2, removed 1
  ///     conflict: “Dinner” title: "Dinner in Roma Norte" (phone.json) lost to "Late dinner" (tablet.json)
  ///     removed: “Buy presents” by laptop.json, edited by phone.json: {"day":22,…}
  public var lines: [String] {
    sources.map(\.line) + lostEdits.map { $0.line(dialect) } + removedEdits.map(\.line)
  }

  /// The report for a program: objects in canonical JSON, one for each line of ``lines``.
  public var jsonLines: [String] {
    sources.map(\.json.canonicalText) + lostEdits.map(\.json.canonicalText)
      + removedEdits.map(\.jsonText)
  }
}

extension MergeReport.Source {
  fileprivate var line: String {
    "\(name): added \(added), updated \(updated), moved \(moved), removed \(removed)"
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
  fileprivate func line(_ dialect: PlainDialect) -> String {
    "conflict: “\(label.excerpt)” \(register): \(lost.text(dialect)) lost to \(kept.text(dialect))"
  }

  fileprivate var json: JSONValue {
    .object([
      ("report", .text("conflict")), ("item", .text(item.uuid)), ("label", .text(label)),
      ("register", .text("\(register)")), ("lost", lost.json), ("kept", kept.json),
    ])
  }
}

extension MergeReport.Side {
  fileprivate func text(_ dialect: PlainDialect) -> String {
    "\(value.text(dialect)) (\(sources.joined(separator: ", ")))"
  }

  fileprivate var json: JSONValue {
    .object([
      ("value", value.json), ("time", .text("\(time)")), ("sources", .texts(sources)),
    ])
  }
}

extension MergeReport.RemovedEdit {
  fileprivate var line: String {
    "removed: “\(label.excerpt)” by \(removedBy.joined(separator: ", ")), edited by "
      + "\(editedBy.joined(separator: ", ")): \(json)"
  }

  fileprivate var jsonText: String {
    let frame = JSONValue.object([
      ("report", .text("removed")), ("item", .text(item.uuid)), ("label", .text(label)),
      ("registers", .texts(registers.map { "\($0)" })), ("editedBy", .texts(editedBy)),
      ("removedBy", .texts(removedBy)),
    ])
    // The item is canonical JSON already; it stands behind the other members.
    return frame.canonicalText.dropLast() + ",\"value\":" + json + "}"
  }
}
