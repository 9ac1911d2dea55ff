import Betwixt
import BetwixtFiles

/// A recorded writing session, replayed on a list of one-character strings.
extension Typing {
  static func run(_ workload: String, _ settings: Settings) throws -> [ResultLine] {
    let trace = try trace(settings)
    let isPaper = trace.patches.count == Expected.w7PatchCount
    let end = Content(of: trace.end.unicodeScalars.map { String($0) })
    let loop = OperationLoop(
      workload: workload, operations: trace.operations, expected: isPaper ? Expected.w7 : end)
    return [try loop.run(settings)]
  }
}

extension Workload {
  static let typing: [Workload] = ["op", "batch"].map { mode in
    Workload(
      name: "W7.\(mode)", summary: "a recorded text of 259,778 edits (--trace)",
      needsTrace: true
    ) {
      var lines = try Typing.run("W7.\(mode)", $0)
      if mode == "batch" { lines[0].notes = "there are no transactions: the same as .op" }
      return lines
    }
  }
}
