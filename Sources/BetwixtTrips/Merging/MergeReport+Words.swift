import Betwixt

/// A write that lost, as a sentence of two halves: what stays and from whom, what is gone.
struct LostEditText {
  private let edit: MergeReport.LostEdit
  private let names: DeviceNames

  init(_ edit: MergeReport.LostEdit, in names: DeviceNames) {
    self.edit = edit
    self.names = names
  }

  var line: String {
    let (keptTime, lostTime) = (edit.kept.time, edit.lost.time)
    // Where minutes cannot tell which came first, seconds may.
    return "conflict: \(subject): \(kept) (\(keptTime.words(apartFrom: lostTime))); "
      + "\(lost) (\(lostTime.words(apartFrom: keptTime)))"
      + (edit.isTie ? "; neither is later, so a fixed rule chose" : "")
  }

  private var item: String {
    edit.item == .root
      ? "the trip" : "“\(edit.label.excerpt)”" + (edit.day.map { " (\($0))" } ?? "")
  }

  private var subject: String {
    switch edit.register {
    case .life: item
    // Both halves say where.
    case .position: "“\(edit.label.excerpt)”"
    case .field(let name): "\(FieldWords(name).title) of \(item)"
    case .other: "something of a newer version at \(item)"
    }
  }

  private var kept: String {
    let device = names[edit.kept.sources]
    switch edit.kept.value {
    case .life: return "brought back on \(device)"
    case .position where edit.kept.isMove: return "moved to \(edit.kept.place ?? "") on \(device)"
    case .position: return "stays \(edit.kept.standing) as on \(device)"
    case .field(nil): return "cleared on \(device)"
    case .field, .other: return "kept \(value(edit.kept)) from \(device)"
    }
  }

  private var lost: String {
    let device = names[edit.lost.sources]
    switch edit.lost.value {
    case .life: return "\(device) had removed it"
    case .position where edit.lost.isMove:
      return "\(device) had moved it to \(edit.lost.place ?? "")"
    case .position: return "\(device) had it \(edit.lost.standing)"
    case .field(nil): return "\(device) had cleared it"
    case .field, .other: return "\(device) had \(value(edit.lost))"
    }
  }

  private func value(_ side: MergeReport.Side) -> String {
    guard case .field(let name) = edit.register, case .field(let value) = side.value else {
      return "that"
    }
    return FieldWords(name).text(value)
  }
}

/// Edits that went with their item.
struct RemovedEditText {
  private let edit: MergeReport.RemovedEdit
  private let names: DeviceNames

  init(_ edit: MergeReport.RemovedEdit, in names: DeviceNames) {
    self.edit = edit
    self.names = names
  }

  var line: String {
    let item = "“\(edit.label.excerpt)”" + (edit.day.map { " (\($0))" } ?? "")
    let edits = edit.edits.map { change in
      "\(names[change.side.sources]) had \(deed(change)) (\(change.side.time.words()))"
    }
    let lost =
      edits.isEmpty ? "\(names[edit.editedBy]) had edited it" : edits.joined(separator: "; ")
    return "removed on \(names[edit.removedBy]): \(item); \(lost)"
  }

  private func deed(_ change: MergeReport.RemovedEdit.Edit) -> String {
    switch (change.register, change.side.value) {
    case (.field(let name), .field(nil)): "cleared its \(FieldWords(name).title)"
    case (.field(let name), .field(let value)):
      "set its \(FieldWords(name).title) to \(FieldWords(name).text(value))"
    case (_, .position): "moved it to \(change.side.place ?? "")"
    default: "edited it"
    }
  }
}

extension MergeReport.Side {
  // `on day 3`, `in the inbox`.
  fileprivate var standing: String {
    guard let place else { return "" }
    return place.hasPrefix("the ") ? "in \(place)" : "on \(place)"
  }
}

extension Timestamp {
  /// The time for a reader: to the minute, or to the second where that is needed to tell it from
  /// another one.
  ///
  /// - Parameter other: The time of what it is compared with.
  /// - Returns: The time in UTC.
  fileprivate func words(apartFrom other: Timestamp? = nil) -> String {
    guard milliseconds > 0 else { return "no time given" }
    guard let moment = Moment(milliseconds: milliseconds) else { return "far in the future" }
    let text = String(moment.wallClock.map { $0 == "T" ? " " : $0 })
    let isClose = other.map { $0 != self && $0.milliseconds / 60_000 == milliseconds / 60_000 }
    return (isClose ?? false ? text : String(text.dropLast(3))) + " UTC"
  }
}
