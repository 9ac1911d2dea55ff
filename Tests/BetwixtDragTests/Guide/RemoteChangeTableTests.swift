import Betwixt
import BetwixtDrag
import BetwixtTrips
import Foundation
import Testing

/// The table of what comes of other people's changes, which the documentation shows.
struct RemoteChangeTableTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/BetwixtDrag/BetwixtDrag.docc/RemoteChanges.md")

  private static func table() throws -> [String] {
    let moments = RemoteMoment.allCases.map(\.rawValue).joined(separator: " | ")
    var lines = ["| what arrives | \(moments) |"]
    lines.append("|" + String(repeating: "---|", count: RemoteMoment.allCases.count + 1))
    for change in RemoteChange.allCases {
      var cells = [change.rawValue]
      for moment in RemoteMoment.allCases {
        cells.append(try RemoteChangeCase(moment, change).play().outcome)
      }
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines
  }

  @Test(
    "Whatever arrives whenever, the document is drawn", arguments: RemoteMoment.allCases,
    RemoteChange.allCases)
  func drawn(moment: RemoteMoment, change: RemoteChange) throws {
    for margin in [nil, 0, 60] as [Double?] {
      let (outcome, faults) = try RemoteChangeCase(moment, change, margin: margin).play()
      #expect(faults.isEmpty, "\(margin ?? -1)")
      // How much of the list is known changes nothing of what comes of it.
      #expect(try outcome == RemoteChangeCase(moment, change).play().outcome)
    }
  }

  @Test("By keys and by actions it is no different", arguments: RemoteChange.allCases)
  func ways(change: RemoteChange) throws {
    for moment in [RemoteMoment.beforePress, .lift, .move, .drop, .settle] {
      for way in [RemoteChangeCase.Way.keys, .action] {
        var played = try RemoteChangeCase(moment, change)
        played.way = way
        let (outcome, faults) = try played.play()
        #expect(faults.isEmpty, "\(way) at \(moment)")
        // From there on the keys aim at the same gap as the pointer does.
        guard way == .keys, [.move, .drop, .settle].contains(moment) else { continue }
        #expect(try outcome == RemoteChangeCase(moment, change).play().outcome)
      }
    }
  }

  @Test("The table of the documentation is what happens")
  func documented() throws {
    let table = try RemoteChangeTableTests.table()
    let url = RemoteChangeTableTests.page
    var lines = try String(contentsOf: url, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| what arrives") })
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    if ProcessInfo.processInfo.environment["BETWIXT_RECORD"] != nil {
      lines.replaceSubrange(start..<end, with: table)
      try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
      return
    }
    #expect(Array(lines[start..<end]) == table)
  }
}
