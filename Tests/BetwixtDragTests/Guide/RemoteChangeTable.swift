import Betwixt
import BetwixtDrag
import BetwixtTrips

/// What somebody else does meanwhile.
enum RemoteChange: String, CaseIterable {
  case insertAbove = "an item is added above"
  case insertBelow = "an item is added below"
  case insertInto = "an item is added in the gap"
  case moveItem = "the item is moved"
  case moveNeighbour = "the neighbour is moved"
  case removeItem = "the item is removed"
  case removeNeighbour = "the neighbour is removed"
  case rename = "the item is renamed"
  case removeDay = "the day is removed"
}

/// When it arrives.
enum RemoteMoment: String, CaseIterable {
  case beforePress = "before the press"
  case press
  case lift
  case move
  case drop
  case settle
  case edit
  case draft
}

/// Every change at every moment, on one small trip, and what came of it.
///
///     Day 1: A B C
///     Day 2: D E
///     Day 3: F
///
/// B is dragged to between D and E, or its title is edited, or an item is drafted between them.
struct RemoteChangeCase {
  /// By what the item is dragged.
  enum Way: CaseIterable {
    case pointer
    case keys
    case action
  }

  var way = Way.pointer
  let moment: RemoteMoment
  let change: RemoteChange
  let margin: Double?
  private let trip: Trip
  private let ids: [String: ItemID]

  init(_ moment: RemoteMoment, _ change: RemoteChange, margin: Double? = nil) throws {
    self.moment = moment
    self.change = change
    self.margin = margin
    var trip = try MeanwhileTests.days(3, 2, 1)
    var me = Replica(test: 1)
    var ids: [String: ItemID] = [:]
    for (item, title) in zip(Array(trip.list), ["A", "B", "C", "D", "E", "F"]) {
      try trip.list.set("title", of: item.id, to: .string(title), by: &me)
      ids[title] = item.id
    }
    self.trip = trip
    self.ids = ids
  }

  private func id(_ title: String) -> ItemID { ids[title] ?? .root }

  private func apply(_ document: inout DragDocument) throws {
    switch change {
    case .insertAbove: try document.insert("X", Gap(day: 1, above: nil, below: id("A")))
    case .insertBelow: try document.insert("X", Gap(day: 2, above: id("E"), below: nil))
    case .insertInto: try document.insert("X", Gap(day: 2, above: id("D"), below: id("E")))
    case .moveItem: try document.edit { try $0.move(id("B"), after: id("F"), by: &$1) }
    case .moveNeighbour: try document.edit { try $0.move(id("D"), after: id("C"), by: &$1) }
    case .removeItem: try document.edit { try $0.remove(id("B"), by: &$1) }
    case .removeNeighbour: try document.edit { try $0.remove(id("D"), by: &$1) }
    case .rename: try document.edit { try $0.set("title", of: id("B"), to: "Bee", by: &$1) }
    case .removeDay: try document.edit { try $0.set("days", of: .root, to: 1, by: &$1) }
    }
  }

  /// Plays the case.
  ///
  /// - Returns: What came of it in a few words, and what was drawn wrongly on the way.
  func play() throws -> (outcome: String, faults: [String]) {
    var host = GuideHost(.trip(trip), margin: margin)
    switch moment {
    case .edit: try edit(&host)
    case .draft: try draft(&host)
    case .beforePress, .press, .lift, .move, .drop, .settle:
      switch way {
      case .pointer: try drag(&host)
      case .keys: try dragByKeys(&host)
      case .action: try act(&host)
      }
    }
    // Everything comes to rest, and the document is what is drawn.
    host.wait()
    host.tell(.cancelled(.system, at: 99))
    host.wait()
    return (outcome(host), host.faults)
  }

  private func drag(_ host: inout GuideHost) throws {
    func comes(_ when: RemoteMoment, _ host: inout GuideHost) throws {
      if moment == when { try host.remotely { try apply(&$0) } }
    }
    try comes(.beforePress, &host)
    let row = host.frames.first { $0.ref == .item(id("B")) }
    let finger = DragPoint(x: 9, y: (row?.minY ?? 0) + 30)
    host.tell(.press(.item(id("B")), .touch, finger, at: 0))
    try comes(.press, &host)
    host.tell(.timer(.longPress, at: 300))
    try comes(.lift, &host)
    let target = host.frames.first { $0.ref == .item(id("E")) }
    let point = DragPoint(x: 9, y: (target?.minY ?? 0) + 5)
    host.tell(.moved(DragPoint(x: 9, y: finger.y + 40), at: 310))
    host.tell(.moved(point, at: 320))
    try comes(.move, &host)
    if moment == .drop { host.beforeCommit = { try apply(&$0) } }
    host.tell(.released(point, at: 330))
    try comes(.settle, &host)
  }

  private func dragByKeys(_ host: inout GuideHost) throws {
    func comes(_ when: RemoteMoment, _ host: inout GuideHost) throws {
      if moment == when { try host.remotely { try apply(&$0) } }
    }
    try comes(.beforePress, &host)
    host.tell(.key(.space, .item(id("B")), at: 0))
    try comes(.lift, &host)
    for key in [ReorderKey.pageDown, .down] { host.tell(.key(key, nil, at: 1)) }
    try comes(.move, &host)
    if moment == .drop { host.beforeCommit = { try apply(&$0) } }
    host.tell(.key(.enter, nil, at: 2))
    try comes(.settle, &host)
  }

  private func act(_ host: inout GuideHost) throws {
    if moment == .beforePress { try host.remotely { try apply(&$0) } }
    if moment == .drop { host.beforeCommit = { try apply(&$0) } }
    host.tell(.action(id("B"), .moveToNextDay, at: 0))
    if moment == .settle { try host.remotely { try apply(&$0) } }
  }

  private func edit(_ host: inout GuideHost) throws {
    host.tell(.edit(.begin(id("B"))))
    host.tell(.edit(.text("typed")))
    try host.remotely { try apply(&$0) }
    host.tell(.edit(.commit))
  }

  private func draft(_ host: inout GuideHost) throws {
    host.tell(.edit(.add(below: .item(id("D")))))
    host.tell(.edit(.text("typed")))
    try host.remotely { try apply(&$0) }
    host.tell(.edit(.commit))
  }

  /// The day of what was held as it is in the end, and what was said of it beside the toasts that
  /// offer to take a step back.
  private func outcome(_ host: borrowing GuideHost) -> String {
    var words: [String] = []
    if host.commits.isEmpty { words.append("nothing written") }
    let held = moment == .draft ? host.document.list.first { $0["title"] == "typed" }?.id : id("B")
    if let held, host.document.list.contains(id: held),
      let section = host.document.list[id: held]?.section
    {
      let day = host.document.list.indices(inSection: section).map { host.document.list[$0] }
      words.append(
        day.map { $0.id == held ? "**\($0["title"]?.string ?? "")**" : $0["title"]?.string ?? "" }
          .joined(separator: " "))
    } else {
      words.append("gone")
    }
    words += host.handedBack.map { "handed back: \($0)" }
    words += host.said.filter { said in
      ["removed elsewhere", "Not saved", "cannot go"].contains { said.contains($0) }
    }
    return words.joined(separator: "; ")
  }
}
