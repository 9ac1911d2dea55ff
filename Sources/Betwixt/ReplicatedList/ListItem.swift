/// One item as a list held it: a snapshot that later edits do not change.
public struct ListItem: Sendable {
  private let page: Page
  private let place: Int
  private let registers: RegisterTable
  private let replicas: ReplicaTable

  /// Whether the list has forgotten what it held, but for what was written later.
  ///
  /// It was removed at or below the list's ``ReplicatedList/floor``. A field that is not there may
  /// have been; which ones were there is not known any more.
  public let isForgotten: Bool

  init(_ list: ReplicatedList, at slot: Slot) {
    page = list.store.page(slot)
    place = slot.place
    registers = list.registers
    replicas = list.replicas
    isForgotten = list.isForgotten(slot)
  }

  private var record: ItemRecord { page.item(place) }

  /// Its name.
  public var id: ItemID { page.id(place) }

  /// Whether the list shows it: it is alive and has a position.
  public var isVisible: Bool { record.isVisible }

  /// Whether it was removed.
  ///
  /// An item of which only some registers have arrived is neither visible nor removed, and the root
  /// never is, whatever somebody wrote as its life.
  public var isRemoved: Bool { record.life.isWritten && !record.isAlive && id != .root }

  /// Its causal length: odd while it is alive, 0 if nothing of its life has arrived.
  public var lifeLength: UInt64 { record.life.length }

  /// The section it stands in, or would stand in if it were restored.
  public var section: Int64? {
    record.hasPosition ? page.position(place).section : nil
  }

  /// Its sort key.
  public var key: SortKey? {
    record.hasPosition ? SortKey(validBytes: Array(page.key(place))) : nil
  }

  /// The value of a field; `nil` if it was never written or is cleared.
  ///
  /// - Complexity: O(*f*) for the fields of the item
  public subscript(name: FieldName) -> FieldValue? {
    guard let register = registers.index(of: name), let field = page.field(place, named: register)
    else {
      return nil
    }
    return FieldValue(canonicalBytes: page.value(field))
  }

  /// All fields that have a value.
  ///
  /// - Complexity: O(*f*)
  public var fields: Fields {
    var elements: [Fields.Element] = []
    var index = page.firstField(place)
    while index != FieldRecord.none {
      let field = page.field(index)
      if case .field(let name) = registers[field.name],
        let value = FieldValue(canonicalBytes: page.value(index))
      {
        elements.append(Fields.Element(name: name, value: value))
      }
      index = field.next
    }
    return Fields(sorted: elements)
  }

  /// The winning write of each register that was ever written, rising by register.
  ///
  /// - Complexity: O(*f*)
  public var entries: [Entry] {
    var entries: [Entry] = []
    page.forEachEntry(of: place, registers: registers, replicas: replicas) {
      entries.append($0.entry)
    }
    return entries
  }

  /// The time of the newest write of any of its registers.
  ///
  /// - Complexity: O(*f*)
  public var newestTime: Timestamp? {
    var newest: Timestamp?
    page.forEachEntry(of: place, registers: registers, replicas: replicas) { entry in
      newest = newest.map { max($0, entry.time) } ?? entry.time
    }
    return newest
  }
}

extension ListItem {
  /// Whether a list holds the same writes of the item.
  ///
  /// - Complexity: O(log *n* + *f*), without making entries of them
  package func isSame(in list: borrowing ReplicatedList) -> Bool {
    guard let slot = list.slot(id) else { return false }
    let (others, otherRegisters) = (list.replicas, list.registers)
    return page.isSame(
      place, in: list.store.page(slot), slot.place,
      isSameReplica: { replicas[$0] == others[$1] },
      isSameRegister: { registers[$0] == otherRegisters[$1] })
  }
}
