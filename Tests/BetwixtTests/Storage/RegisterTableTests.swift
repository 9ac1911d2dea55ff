import Testing

@testable import Betwixt

@Suite("The table of registers")
struct RegisterTableTests {
  /// Field names, and among them registers of a newer version.
  private static func registers(_ count: Int) throws -> [Register] {
    try (0..<count).map { number in
      number % 5 == 4
        ? .other(kind: 0x03, name: [UInt8(number)])
        : .field(try #require(FieldName("name \(number)")))
    }
  }

  @Test("it names what it was made of and what was added", arguments: [0, 1, 15, 16, 17, 40])
  func names(count: Int) throws {
    let registers = try Self.registers(count + 3)
    let made = RegisterTable(Array(registers.prefix(count)))
    var added = RegisterTable()
    for register in registers.prefix(count) { _ = added.insert(register) }
    for table in [made, added] {
      for (index, register) in registers.enumerated() {
        if case .field(let name) = register {
          #expect(table.index(of: name) == (index < count ? UInt32(index) : nil), "\(name)")
        }
        var longer = table
        #expect(longer.insert(register) == UInt32(min(index, count)))
        #expect(longer.insert(register) == UInt32(min(index, count)))
        #expect(longer.registers.count == max(count, min(index, count) + 1))
      }
    }
  }

  @Test("ranks are places in canonical order", arguments: [0, 1, 9, 30])
  func ranks(count: Int) throws {
    var source = ChoiceSource(seed: UInt64(count))
    let registers = source.shuffled(try Self.registers(count))
    let table = RegisterTable(registers)
    let sorted = registers.sorted()
    #expect(table.ranks.map { Int($0) } == registers.map { sorted.firstIndex(of: $0) })
    for left in 0..<UInt32(count) {
      for right in 0..<UInt32(count) {
        #expect(table.precedes(left, right) == (table.ranks[Int(left)] < table.ranks[Int(right)]))
      }
    }
  }
}
