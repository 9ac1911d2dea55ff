import Betwixt
import BetwixtTrips

/// Says what came into a list from elsewhere, and who wrote it.
struct ArrivalText {
  private let before: ReplicatedList
  private let after: ReplicatedList
  // By writer, rising; the items in each rising too.
  private var arrivals: [ReplicaID: [ItemID: Set<Register>]] = [:]

  // How many items a line names, and how many devices have a line of their own: each page that is
  // opened is one, and so may be each write of a stranger.
  private static let itemCount = 3
  private static let lineCount = 20

  /// - Complexity: O(*d* log *d*) for *d* writes that came
  init(from before: ReplicatedList, to after: ReplicatedList) {
    self.before = before
    self.after = after
    guard !before.holdsSameEntries(as: after) else { return }
    for entry in after.delta(since: before.version).entries {
      if case .field(let name) = entry.register, entry.item == .root, name.isDeviceName { continue }
      if isOnlyRemoval(entry) { continue }
      arrivals[entry.stamp.replica, default: [:]][entry.item, default: []].insert(entry.register)
    }
  }

  /// Whether a write is all there is of an item of which nothing was known: that it was removed.
  ///
  /// Whoever gets a list with all that it has forgotten need not hear of each.
  private func isOnlyRemoval(_ entry: Entry) -> Bool {
    guard case .life(let length) = entry.value, length & 1 == 0, entry.item != .root else {
      return false
    }
    return before[id: entry.item] == nil && after[id: entry.item]?.entries.count == 1
  }

  /// A line for each device; where there are many, one for all of the rest.
  ///
  /// - Complexity: O(*d* log *n*)
  var lines: [String] {
    let writers = arrivals.sorted { $0.key.rawValue < $1.key.rawValue }
    let shown = writers.count > ArrivalText.lineCount + 1 ? ArrivalText.lineCount : writers.count
    let lines = writers[..<shown].map { "from \(after.writer($0.key)): \(summary(of: [$0.value]))" }
    guard shown < writers.count else { return lines }
    let rest = writers[shown...].map { $0.value }
    return lines + ["from \(rest.count) more devices: \(summary(of: rest))"]
  }

  /// The items of which something came, the list itself as the root.
  var items: Set<ItemID> { Set(arrivals.values.joined().map(\.key)) }

  /// What came, whoever wrote it; empty if nothing did.
  var summary: String { summary(of: Array(arrivals.values)) }

  private func summary(of arrivals: [[ItemID: Set<Register>]]) -> String {
    var items: [ItemID: Set<Register>] = [:]
    for part in arrivals { items.merge(part) { $0.union($1) } }
    let parts = ArrivalText.inOrder(items, of: after).map { words($0.key, registers: $0.value) }
    return parts.shortened(to: ArrivalText.itemCount).joined(separator: "; ")
  }

  /// What the devices are called; `nil` if one of them has no name.
  var names: String? {
    let names = arrivals.keys.sorted { $0.rawValue < $1.rawValue }.map { after.deviceName(of: $0) }
    guard !names.isEmpty, !names.contains(nil) else { return nil }
    return names.compactMap { $0?.printable }.listed(upTo: 3)
  }

  /// The same for programs: one object for each device.
  var jsonLines: [String] {
    arrivals.sorted { $0.key.rawValue < $1.key.rawValue }.map { replica, items in
      var line = JSONLine()
      line.add("from", replica.description)
      if let name = after.deviceName(of: replica) { line.add("name", name) }
      let ids = items.keys.sorted().map {
        JSONValue(.string($0 == .root ? "root" : $0.uuid), at: 0)
      }
      line.add("items", json: JSONValue(.array(ids), at: 0))
      return line.text
    }
  }

  /// The list itself first, then items as they are shown, then those that are not.
  private static func inOrder(
    _ items: [ItemID: Set<Register>], of list: ReplicatedList
  ) -> [(key: ItemID, value: Set<Register>)] {
    var places: [ItemID: Int] = [.root: -1]
    for id in items.keys where id != .root { places[id] = list.index(id: id) ?? .max }
    return items.sorted { left, right in
      let (first, second) = (places[left.key] ?? .max, places[right.key] ?? .max)
      return first != second ? first < second : left.key < right.key
    }
  }

  private func wasRemoved(_ id: ItemID) -> Bool { before[id: id]?.isRemoved ?? false }

  private func words(_ id: ItemID, registers: Set<Register>) -> String {
    guard id != .root else {
      return "changed \(registers.sorted().map { $0.words.printable }.listed(upTo: 3))"
    }
    let title = (after[id: id] ?? before[id: id])?.knownSummary(in: [before]) ?? ""
    let label = "“\(title.printable.shortened(to: 40))”"
    switch (before.contains(id: id), after.contains(id: id)) {
    case (false, true): return wasRemoved(id) ? "restored \(label)" : "added \(label)"
    case (true, false): return "removed \(label)"
    case (false, false):
      // Files come in any order: what an item begins with may come last.
      let isRemoved = after[id: id]?.isRemoved ?? false
      return isRemoved ? "changed \(label), which is removed" : "a part of \(label)"
    case (true, true): break
    }
    let fields = registers.filter { $0 != .position && $0 != .life }.sorted()
    var parts: [String] = []
    if registers.contains(.position) { parts.append("moved \(label)") }
    if !fields.isEmpty {
      parts.append("changed \(fields.map { $0.words.printable }.listed(upTo: 3)) of \(label)")
    }
    return parts.isEmpty ? "restored \(label)" : parts.joined(separator: " and ")
  }
}
