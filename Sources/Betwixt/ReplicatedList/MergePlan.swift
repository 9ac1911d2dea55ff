/// What a delta will change in a list, found before anything is changed.
struct MergePlan {
  /// An item some of whose registers get another write.
  struct Touched {
    let slot: Slot
    /// Its winning rows.
    var winners: Range<Int>
    /// Whether `life` or `position` are among them.
    var changesOrder = false
    /// Whether the place becomes another one.
    var changesPosition = false
    /// Whether other registers get another value.
    var changesContent = false
    var oldPlace: Int?
    var newPlace: Int?
  }

  /// A row that wins.
  struct Winner {
    /// Its index.
    let row: Int
    /// Whether the register held another value.
    let changesValue: Bool
  }

  var winners: [Winner] = []
  var touched: [Touched] = []
  var conflicts: [Conflict] = []
  var removalConflicts: [RemovalConflict] = []
  /// Whether so many items are touched that the order is built anew.
  var isBulk = false
  /// How many items there were before.
  private let oldCount: Int

  init(itemCount: Int) { oldCount = itemCount }

  /// Whether the item was not there before.
  func isNew(_ slot: Slot) -> Bool { slot.rawValue >= oldCount }

  mutating func add(
    winner row: Int, of slot: Slot, register: Delta.RegisterCode, changesValue: Bool
  ) {
    if touched.last?.slot != slot {
      touched.append(Touched(slot: slot, winners: winners.count..<winners.count))
    }
    winners.append(Winner(row: row, changesValue: changesValue))
    let last = touched.count - 1
    touched[last].winners = touched[last].winners.lowerBound..<winners.count
    switch register {
    case .life:
      touched[last].changesOrder = true
    case .position:
      touched[last].changesOrder = true
      if changesValue { touched[last].changesPosition = true }
    default:
      if changesValue { touched[last].changesContent = true }
    }
  }
}

/// Translates the tables of a delta into those of a list, each line when it is first needed.
struct TableMap {
  private var replicas: [UInt32]
  private var registers: [UInt32]

  private static let unknown = UInt32.max

  init(_ delta: Delta) {
    replicas = [UInt32](repeating: TableMap.unknown, count: delta.replicas.rows.count)
    registers = [UInt32](repeating: TableMap.unknown, count: delta.registers.registers.count)
  }

  mutating func replica(_ index: UInt32, in delta: Delta, table: inout ReplicaTable) -> UInt32 {
    if replicas[Int(index)] == TableMap.unknown {
      replicas[Int(index)] = table.insert(delta.replicas[index])
    }
    return replicas[Int(index)]
  }

  mutating func register(
    _ code: Delta.RegisterCode, in delta: Delta, table: inout RegisterTable
  ) -> UInt32 {
    if registers[Int(code.index)] == TableMap.unknown {
      registers[Int(code.index)] = table.insert(delta.registers[code.index])
    }
    return registers[Int(code.index)]
  }
}
