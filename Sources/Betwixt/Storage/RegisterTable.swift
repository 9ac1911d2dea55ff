/// The registers of a list other than `life` and `position`, each stored once and named by its
/// index.
struct RegisterTable: Sendable {
  private(set) var registers: [Register] = []
  private var fingerprints: [UInt64] = []
  // Empty until something is inserted: a table that was read is never asked for a name, and takes
  // half the room without.
  private var indices: [Register: UInt32] = [:]

  init() {}

  /// Takes registers that differ from each other.
  ///
  /// - Complexity: O(*r*)
  init(_ registers: [Register]) {
    self.registers = registers
    fingerprints = registers.map(RegisterTable.fingerprint)
  }

  private static func fingerprint(_ register: Register) -> UInt64 {
    if case .field(let name) = register { name.fingerprint } else { 0 }
  }

  private var isIndexed: Bool { indices.count == registers.count }

  private mutating func indexAll() {
    for (index, register) in registers.enumerated() {
      indices[register] = UInt32(truncatingIfNeeded: index)
    }
  }

  // Up to here a scan over the fingerprints beats hashing.
  private static let scanLimit = 16

  subscript(index: UInt32) -> Register { registers[Int(index)] }

  /// Whether one register stands before another in canonical order.
  func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    registers[Int(left)] < registers[Int(right)]
  }

  func index(of name: FieldName) -> UInt32? {
    if registers.count <= RegisterTable.scanLimit || !isIndexed {
      for index in fingerprints.indices where fingerprints[index] == name.fingerprint {
        if case .field(name) = registers[index] { return UInt32(truncatingIfNeeded: index) }
      }
      return nil
    }
    return indices[.field(name)]
  }

  /// The index of a register other than `life` and `position`, if it is there.
  func index(of register: Register) -> UInt32? {
    if case .field(let name) = register { return index(of: name) }
    if isIndexed { return indices[register] }
    return registers.firstIndex(of: register).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The index of a field's register, which is added if it is new.
  mutating func insert(_ name: FieldName) -> UInt32 { index(of: name) ?? insert(.field(name)) }

  /// The index of a register, which is added if it is new.
  mutating func insert(_ register: Register) -> UInt32 {
    if !isIndexed { indexAll() }
    if let index = index(of: register) { return index }
    let index = UInt32(truncatingIfNeeded: registers.count)
    registers.append(register)
    fingerprints.append(RegisterTable.fingerprint(register))
    indices[register] = index
    return index
  }
}

extension RegisterTable {
  /// For each index, how many registers stand before it in canonical order.
  ///
  /// - Complexity: O(*r* log *r*)
  var ranks: [UInt32] {
    var ranks = [UInt32](repeating: 0, count: registers.count)
    let sorted = registers.indices.sorted { registers[$0] < registers[$1] }
    for (rank, index) in sorted.enumerated() { ranks[index] = UInt32(truncatingIfNeeded: rank) }
    return ranks
  }
}
