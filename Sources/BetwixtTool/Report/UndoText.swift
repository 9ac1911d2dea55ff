import Betwixt
import BetwixtTrips

/// Says what an undo or a redo did, and what it left alone and why.
struct UndoText {
  private let result: UndoResult
  private let before: ReplicatedList
  private let after: ReplicatedList
  private let isInsisted: Bool

  init(
    _ result: UndoResult, from before: ReplicatedList, to after: ReplicatedList,
    isInsisted: Bool = false
  ) {
    self.result = result
    self.before = before
    self.after = after
    self.isInsisted = isInsisted
  }

  // How much of a step is told; '--json' tells all of it.
  private static let itemCount = 20
  private static let registerCount = 4

  /// For a person: the step, then a line for each item.
  var text: String {
    let verb = result.direction == .undo ? "undone" : "done again"
    var lines: [String] = []
    if !result.done.isEmpty { lines.append("\(verb): \(result.step.name.printable)") }
    lines += result.done.map { "\(label($0.item)) \(words($0))" }
      .shortened(to: UndoText.itemCount).map { "  " + $0 }
    lines += result.kept.map { kept in
      guard isThere(kept.item) else {
        return "\(label(kept.item)) is not in the document, which may be an older copy"
      }
      let reasons = kept.obstacles.map { words($0, of: kept.item) }
        .shortened(to: UndoText.registerCount)
      return "\(label(kept.item)) \(reasons.joined(separator: "; "))"
    }.shortened(to: UndoText.itemCount).map { "kept: " + $0 }
    var text = ""
    for line in lines { text += line + "\n" }
    // Nothing can be written in an item that the document lacks altogether.
    if result.kept.contains(where: { isThere($0.item) }), !isInsisted {
      let word = result.direction == .undo ? "undo" : "redo"
      text += "'betwixt \(word) --anyway' takes that as well\n"
    }
    return text
  }

  /// For a program: one object for each item, and for each register that kept one.
  var jsonLines: String {
    var text = ""
    for done in result.done {
      var line = start(done.item, isDone: true)
      line.add("registers", done.registers.map { $0.words }.joined(separator: ","))
      if let removal = done.removal { line.add("removedBy", removal.stamp.replica.description) }
      line.add("othersChanges", Int64(done.othersWrites.count))
      text += line.text
    }
    for kept in result.kept {
      for obstacle in kept.obstacles {
        var line = start(kept.item, isDone: false)
        line.add("register", obstacle.register.words)
        line.add("reason", "\(obstacle.reason)")
        if let write = obstacle.write {
          line.add("value", json: write.value.json)
          line.add("replica", write.stamp.replica.description)
          line.add("time", time(write))
        }
        text += line.text
      }
    }
    return text
  }

  private func start(_ item: ItemID, isDone: Bool) -> JSONLine {
    var line = JSONLine()
    line.add(result.direction == .undo ? "undo" : "redo", result.step.name)
    line.add("id", item == .root ? "root" : item.uuid)
    line.add("label", summary(item))
    line.add("done", isDone)
    return line
  }

  // MARK: Words

  private func summary(_ item: ItemID) -> String {
    after[id: item]?.summary ?? before[id: item]?.summary ?? ""
  }

  private func title(_ item: ItemID) -> String { summary(item).printable.shortened(to: 60) }

  private func isThere(_ item: ItemID) -> Bool { item == .root || after[id: item] != nil }

  private func label(_ item: ItemID) -> String {
    guard isThere(item) else { return "item \(item.uuid)" }
    return item == .root ? "the list “\(title(item))”" : "“\(title(item))”"
  }

  private func words(_ done: UndoResult.Done) -> String {
    let (wasShown, isShown) = (before.contains(id: done.item), after.contains(id: done.item))
    if let removal = done.removal {
      return
        "is as it was, and stays removed: \(after.writer(removal.stamp.replica)) removed it meanwhile"
    }
    if !wasShown, isShown {
      return done.othersWrites.isEmpty ? "is back" : "is back, with what others changed meanwhile"
    }
    if wasShown, !isShown { return "is gone" }
    let names = done.registers.map { name($0) }.listed(upTo: UndoText.registerCount)
    return result.direction == .undo ? "has \(names) as before" : "has \(names) as it was made"
  }

  private func name(_ register: Register) -> String {
    register == .position ? "its place" : register.words.printable.shortened(to: 40)
  }

  private func words(_ obstacle: UndoResult.Obstacle, of item: ItemID) -> String {
    let writer =
      obstacle.write.map { "\(after.writer($0.stamp.replica)), \(time($0))" } ?? "somebody"
    let name = name(obstacle.register)
    return switch obstacle.reason {
    case .changed: "had \(name) changed by \(writer)"
    case .added: "had \(name) added by \(writer)"
    case .removed: "was removed as well by \(writer)"
    case .restored: "was brought back by \(writer)"
    case .gone where after.contains(id: item):
      "does not hold \(name) as it was any more, as in an older copy"
    case .gone: "is gone, and what it held is forgotten"
    }
  }

  private func time(_ entry: Entry) -> String {
    Moment(milliseconds: entry.stamp.time.milliseconds)?.description ?? "at an unknown time"
  }
}
