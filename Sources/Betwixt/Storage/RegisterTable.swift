/// The registers of a list other than `life` and `position`, each stored once and named by its
/// index.
struct RegisterTable: Sendable {
  private(set) var registers: [Register] = []
  private var fingerprints: [UInt64] = []
  private var indices: [Register: UInt32] = [:]

  // Up to here a scan over the fingerprints beats hashing.
  private static let scanLimit = 16

  subscript(index: UInt32) -> Register { registers[Int(index)] }

  /// Whether one register stands before another in canonical order.
  func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    registers[Int(left)] < registers[Int(right)]
  }

  func index(of name: FieldName) -> UInt32? {
    if registers.count <= RegisterTable.scanLimit {
      for index in fingerprints.indices where fingerprints[index] == name.fingerprint {
        if case .field(name) = registers[index] { return UInt32(truncatingIfNeeded: index) }
      }
      return nil
    }
    return indices[.field(name)]
  }

  /// The index of a register, which is added if it is new.
  mutating func insert(_ register: Register) -> UInt32 {
    if case .field(let name) = register {
      if let index = index(of: name) { return index }
    } else if let index = indices[register] {
      return index
    }
    let index = UInt32(truncatingIfNeeded: registers.count)
    registers.append(register)
    if case .field(let name) = register {
      fingerprints.append(name.fingerprint)
    } else {
      fingerprints.append(0)
    }
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
