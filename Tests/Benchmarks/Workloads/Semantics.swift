import Betwixt

/// Two replicas edit one small list at the same time: what the merged list looks like.
struct Semantics {
  private let name: String
  private let base: [String]

  /// The results that keep every intention that can be kept.
  private let accepted: [String]

  private let left: @Sendable (inout Editor) throws -> Void
  private let right: @Sendable (inout Editor) throws -> Void

  /// A list whose items are called by their first value.
  struct Editor {
    private let device: Device

    fileprivate init(_ device: Device) { self.device = device }

    func move(_ name: String, to index: Int) throws {
      let source = place(name)
      try device.apply(.move(from: source, to: index))
    }

    func remove(_ name: String) throws { try device.apply(.delete(at: place(name))) }

    func set(_ name: String, to value: String) throws {
      try device.apply(.set(at: place(name), value: value))
    }

    func insert(_ name: String, at index: Int) throws {
      try device.apply(.insert(at: index, value: name))
    }

    var count: Int { device.list.count }

    private func place(_ name: String) -> Int { device.list.values.firstIndex(of: name) ?? 0 }
  }

  private func run() throws -> ResultLine {
    let first = Device(ReplicatedList(id: ReplicatedList.benchmarkID), replica: 1)
    first.list = try .holding(base, by: &first.me)
    let second = Device(first.list, replica: 2)
    var editors = (Editor(first), Editor(second))
    try left(&editors.0)
    try right(&editors.1)
    let merged = first.list.merging(second.list)
    let result = merged.values.joined(separator: " ")
    let same = merged == second.list.merging(first.list)
    var line = ResultLine(
      "semantics.\(name)", Timing(), ops: 0,
      check: .holds(same && accepted.contains(result), "\(result), not \(accepted)"))
    line.add("result", .string(result))
    return line
  }

  fileprivate static let lineNames = cases.map { "semantics.\($0.name)" }

  static func run() throws -> [ResultLine] { try cases.map { try $0.run() } }
}

extension Semantics {
  private static let five = ["A", "B", "C", "D", "E"]

  private static let cases = [
    Semantics(
      name: "S1", base: five, accepted: ["C A B D E", "A B D E C"],
      left: { try $0.move("C", to: 0) }, right: { try $0.move("C", to: 4) }),
    Semantics(
      name: "S2", base: five, accepted: ["A B D E"],
      left: { try $0.move("C", to: 0) }, right: { try $0.remove("C") }),
    Semantics(
      name: "S3", base: five, accepted: ["c* A B D E"],
      left: { try $0.move("C", to: 0) }, right: { try $0.set("C", to: "c*") }),
    Semantics(
      name: "S4", base: five, accepted: ["A B cA D E", "A B cB D E"],
      left: { try $0.set("C", to: "cA") }, right: { try $0.set("C", to: "cB") }),
    Semantics(
      name: "S5", base: five, accepted: ["A B D E"],
      left: { try $0.set("C", to: "cA") }, right: { try $0.remove("C") }),
    Semantics(
      name: "S6", base: ["L", "R"],
      accepted: ["L a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 R", "L b1 b2 b3 b4 b5 a1 a2 a3 a4 a5 R"],
      left: { for n in 1...5 { try $0.insert("a\(n)", at: n) } },
      right: { for n in 1...5 { try $0.insert("b\(n)", at: n) } }),
    Semantics(
      name: "S7", base: ["L", "R"],
      accepted: ["L a5 a4 a3 a2 a1 b5 b4 b3 b2 b1 R", "L b5 b4 b3 b2 b1 a5 a4 a3 a2 a1 R"],
      left: { for n in 1...5 { try $0.insert("a\(n)", at: 1) } },
      right: { for n in 1...5 { try $0.insert("b\(n)", at: 1) } }),
    Semantics(
      name: "S8", base: ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"],
      accepted: ["A E I J B C D F G H", "A E I J F G H B C D"],
      left: { for name in ["B", "C", "D"] { try $0.move(name, to: 9) } },
      right: { for name in ["F", "G", "H"] { try $0.move(name, to: 9) } }),
  ]
}

extension Workload {
  static let semantics = [
    Workload(
      name: "semantics", summary: "what concurrent edits of a small list come to",
      lines: Semantics.lineNames
    ) { _ in try Semantics.run() }
  ]
}
