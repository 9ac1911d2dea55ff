import Betwixt
import BetwixtSQL
import Foundation
import Testing

/// Transactions that meet in many registers, in any order, do not wait for each other in a circle.
@Suite("Waiting in a database", .serialized)
struct WaitingTests {
  /// Statements that write the same registers in two orders.
  private static func statements(
    _ change: (String) -> String
  ) throws -> (SQLStatement, SQLStatement, SQLRegisters) {
    let list = ReplicatedList(id: TestDatabase.newList())
    let rows = SQLRegisters(.postgres, list: list.id)
    var both: [SQLStatement] = []
    for writer in 1...2 as ClosedRange<UInt64> {
      var builder = Delta.Builder()
      for number in 0..<2_000 as Range<UInt64> {
        try builder.add(
          Entry(
            item: ItemID(high: 1, low: number), register: .life, value: .life(1),
            stamp: Stamp(
              time: Timestamp(milliseconds: Int64(writer)), replica: ReplicaID(rawValue: writer)),
            sequence: Int64(number + 1)))
      }
      let statement = try #require(rows.merge([builder.build()]).last)
      var parameters = statement.parameters
      if writer == 2 {
        for place in 1...10 {
          switch parameters[place] {
          case .integers(let numbers): parameters[place] = .integers(numbers.reversed())
          case .byteStrings(let strings): parameters[place] = .byteStrings(strings.reversed())
          default: break
          }
        }
      }
      both.append(SQLStatement(change(statement.text), parameters))
    }
    return (both[0], both[1], rows)
  }

  private static func deadlocks(_ rounds: Int, _ change: (String) -> String) throws -> Int {
    guard let database = try TestDatabase.of(.postgres) else { return 0 }
    let connections = try (0..<2).map { _ in try ShellConnection(database) }
    var count = 0
    for _ in 0..<rounds where count == 0 {
      let (first, second, rows) = try statements(change)
      connections[0].ask([first])
      connections[1].ask([second])
      for connection in connections {
        do {
          _ = try connection.answer()
        } catch let failure as ShellConnection.Failure where failure.isDeadlock {
          count += 1
        }
      }
      try connections[0].perform(rows.remove())
    }
    return count
  }

  @Test("rows that come in two orders are locked in one; without ORDER BY they are not")
  func order() throws {
    guard try TestDatabase.of(.postgres) != nil else { return }
    #expect(try Self.deadlocks(30) { $0 } == 0)
    let mutant = try Self.deadlocks(200) { text in
      text.replacingOccurrences(of: "ORDER BY kind <> 0, item, kind, name", with: "")
    }
    #expect(mutant > 0, "without an order nobody has waited")
  }
}
