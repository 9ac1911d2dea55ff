/// When and by whom an entry was written, and its sequence number: what entries of all registers have.
package struct EntryStamp: Sendable {
  package let time: UInt64
  package let sequence: Int64
  /// A row of the table of replicas that its reader began with.
  package let replica: Int

  package init(time: UInt64, sequence: Int64, replica: Int) {
    self.time = time
    self.sequence = sequence
    self.replica = replica
  }
}

/// Makes a list of items that come whole and in the order of their ids, page by page.
///
///     var loader = ListLoader(of: id, replicas: replicas, registers: registers)
///     loader.append(item)
///     loader.setLife(stamp, length: 1)
///     let list = loader.finish(ranges: ranges, floor: floor)
///
/// Nobody asks what was there before, and the order is made at the end at once. What it is given was
/// checked: ids rise, each register comes once, and fields rise by register.
package struct ListLoader {
  private var list: ReplicatedList
  private let replicas: [ReplicaID]
  private let registers: [Register]
  // Where those are in the tables of the list: only what is used stands there.
  private var replicaRows: [UInt32]
  private var registerRows: [UInt32]
  private var draft = PageDraft()
  // Where the item that is being made stands, once it has a position and is shown.
  private var place = OrderCode()
  private var authors: OrderAuthors.Recent
  private var arrivals: [Arrival] = []
  // The replica that wrote last, its row in the list, and its newest write so far.
  private var writer = -1
  private var row: UInt32 = 0
  private var newestOfWriter: Int64 = 0

  private static let unknown = UInt32.max

  /// Begins with an empty list.
  ///
  /// - Parameters:
  ///   - id: The id of the list.
  ///   - replicas: What entries name replicas by.
  ///   - registers: What fields are named by.
  package init(of id: ListID, replicas: [ReplicaID], registers: [Register]) {
    list = ReplicatedList(id: id)
    self.replicas = replicas
    self.registers = registers
    replicaRows = [UInt32](repeating: ListLoader.unknown, count: replicas.count)
    registerRows = [UInt32](repeating: ListLoader.unknown, count: registers.count)
    list.store.shorten(replicas)
    authors = OrderAuthors.Recent(list.store.authors)
  }

  /// Makes room for as many items.
  package mutating func reserve(itemCount: Int) { arrivals.reserveCapacity(itemCount) }

  // MARK: Items

  /// Begins an item, to which belongs what comes until the next one.
  package mutating func append(_ item: ItemID) {
    endItem()
    if draft.itemCount == Slot.fanOut { endPage() }
    draft.begin(item)
  }

  package mutating func setLife(_ stamp: EntryStamp, length: UInt64) {
    draft.setLife(
      LifeRecord(
        time: stamp.time, sequence: stamp.sequence, length: length, replica: replica(stamp)))
  }

  package mutating func setPosition(_ stamp: EntryStamp, section: Int64, key: Span<UInt8>) {
    draft.setPosition(
      PositionRecord(
        time: stamp.time, sequence: stamp.sequence, section: section, replica: replica(stamp)),
      key: key)
    // Its life, if there is one, came before.
    if draft.isVisible {
      place = OrderCode(section: section, key: key, authors: &authors)
    }
  }

  /// Adds a field by the row of its register, and its canonical value in one or two parts.
  package mutating func addField(
    _ stamp: EntryStamp, register: Int, tag: UInt8?, value: Span<UInt8>
  ) {
    if registerRows[register] == ListLoader.unknown {
      registerRows[register] = list.registers.insert(registers[register])
    }
    draft.addField(
      FieldRecord(
        time: stamp.time, sequence: stamp.sequence, value: ByteArena.Reference(),
        replica: replica(stamp), name: registerRows[register], next: FieldRecord.none),
      tag: tag, value: value)
  }

  @inline(__always)
  private mutating func replica(_ stamp: EntryStamp) -> UInt32 {
    if stamp.replica != writer { start(with: stamp.replica) }
    if stamp.sequence > newestOfWriter { newestOfWriter = stamp.sequence }
    return row
  }

  /// Goes on with what a replica wrote.
  private mutating func start(with replica: Int) {
    noteNewest()
    if replicaRows[replica] == ListLoader.unknown {
      replicaRows[replica] = list.replicas.insert(replicas[replica])
    }
    writer = replica
    row = replicaRows[replica]
    newestOfWriter = 0
  }

  private mutating func noteNewest() {
    if newestOfWriter > 0 { list.replicas.noteSeen(row, sequence: newestOfWriter) }
  }

  // MARK: Pages

  private mutating func endItem() {
    if draft.isVisible {
      let number = list.store.count + draft.itemCount - 1
      arrivals.append(Arrival(Slot(number), touched: number, at: place))
    }
    draft.end()
  }

  private mutating func endPage() {
    guard draft.itemCount > 0 else { return }
    draft.finish()
    list.store.append(draft)
    draft.removeAll()
  }

  /// The list of all that came.
  ///
  /// - Parameters:
  ///   - ranges: What it may claim: of each replica the writes from the first one on.
  ///   - floor: Up to where removed items are forgotten.
  /// - Returns: The list, which is sound.
  /// - Complexity: O(*n* log *n*) for *n* items
  package consuming func finish(ranges: [CoveredRange], floor: VersionVector) -> ReplicatedList {
    endItem()
    endPage()
    noteNewest()
    list.store.reviewAuthors(at: list.store.count)
    let store = list.store
    arrivals.sortByPlace(in: store)
    let order = arrivals.map { $0.entry }
    // What takes most while a list is made goes before the rest of it comes.
    arrivals = []
    list.order.rebuild(order)
    list.index = IDIndex(store)
    list.raise(to: floor)
    for range in ranges {
      list.replicas.cover(
        list.replicas.insert(range.replica), after: range.after, through: range.through)
    }
    list.checkInvariants()
    return list
  }
}
