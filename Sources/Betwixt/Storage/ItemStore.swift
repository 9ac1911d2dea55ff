/// All items of a list by slot: a tree of three levels, so that an edit after a copy copies one
/// page, one branch of 64 pages, and the list of branches.
struct ItemStore: Sendable {
  struct Branch: Sendable {
    var pages: [Page] = []
    var newest = Frontier()
    /// One bit per page whose entries are not in the settled sum.
    var unsettled: UInt64 = 0
    /// The sum over the entries of each page when they were settled last.
    var sums: [EntrySum] = []

    /// Adds a page, which is unsettled.
    mutating func append(_ page: Page) {
      unsettled |= 1 << UInt64(pages.count)
      pages.append(page)
      sums.append(EntrySum())
    }
  }

  private(set) var branches: [Branch] = []
  private(set) var count = 0
  /// How many items are complete.
  private(set) var completeCount = 0
  /// The sum over the entries of all settled pages.
  private(set) var settledSum = EntrySum()
  /// Whose names are short in the prefixes of the order.
  private(set) var authors = OrderAuthors()
  /// How many items the order will have when those are chosen anew.
  private(set) var authorReview = 1

  init() {}

  /// A store of pages, all but the last of which are full.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - completeCount: How many items are complete.
  ///   - authors: Whose names are short in the order.
  ///   - authorReview: How many items the order will have when those are chosen anew.
  init(_ pages: [Page], completeCount: Int, authors: OrderAuthors, authorReview: Int) {
    for page in pages {
      if Slot(count).branch == branches.count { branches.append(Branch()) }
      branches[branches.count - 1].append(page)
      branches[branches.count - 1].newest.note(page.newest)
      count += page.itemCount
    }
    self.completeCount = completeCount
    self.authors = authors
    self.authorReview = authorReview
  }

  // Inlined, because a call would hand out copies of records and pages, references counted, where
  // the caller looks at one number.

  @inline(__always)
  func page(_ slot: Slot) -> Page { branches[slot.branch].pages[slot.page] }

  @inline(__always)
  func record(_ slot: Slot) -> ItemRecord {
    branches[slot.branch].pages[slot.page].item(slot.place)
  }

  /// The position of an item; one that is not written if it has none.
  @inline(__always)
  func position(_ slot: Slot) -> PositionRecord {
    branches[slot.branch].pages[slot.page].position(slot.place)
  }

  /// The first field of an item, or ``FieldRecord/none``.
  @inline(__always)
  func firstField(_ slot: Slot) -> Int32 {
    branches[slot.branch].pages[slot.page].firstField(slot.place)
  }

  @inline(__always)
  func id(_ slot: Slot) -> ItemID {
    branches[slot.branch].pages[slot.page].id(slot.place)
  }

  @inline(__always)
  func key(_ slot: Slot) -> ArraySlice<UInt8> {
    branches[slot.branch].pages[slot.page].key(slot.place)
  }

  /// The field of an item with a register name, if it was ever written.
  func field(_ slot: Slot, named name: UInt32) -> FieldRecord? {
    branches[slot.branch].pages[slot.page].fieldRecord(slot.place, named: name)
  }

  /// The same for the fields of a merge, which rise by register: the search begins at `start`, and
  /// moves it to where that for a later one may begin.
  func field(
    _ slot: Slot, named name: UInt32, from start: inout Int32, names: RegisterTable
  ) -> FieldRecord? {
    branches[slot.branch].pages[slot.page].field(name, from: &start, in: names)
  }

  /// Makes room for a new item, whose registers are all unwritten.
  mutating func append(_ id: ItemID) -> Slot {
    let slot = Slot(count)
    if slot.branch == branches.count { branches.append(Branch()) }
    if slot.page == branches[slot.branch].pages.count {
      branches[slot.branch].append(Page())
    }
    branches[slot.branch].pages[slot.page].append(id)
    count += 1
    return slot
  }

  /// Takes a page of new items, where all pages before it are full.
  mutating func append(_ draft: PageDraft) {
    let slot = Slot(count)
    if slot.branch == branches.count { branches.append(Branch()) }
    branches[slot.branch].append(Page(draft))
    branches[slot.branch].newest.note(draft.newest)
    count += draft.itemCount
    completeCount += draft.completeCount
  }

  mutating func setLife(_ slot: Slot, life: LifeRecord) {
    unsettle(slot, by: life.replica, sequence: life.sequence)
    var record = record(slot)
    if record.isComplete { completeCount -= 1 }
    record.life = life
    if record.isComplete { completeCount += 1 }
    branches[slot.branch].pages[slot.page].setLife(slot.place, life: life)
  }

  mutating func setPosition(_ slot: Slot, position: PositionRecord, key: Span<UInt8>) {
    unsettle(slot, by: position.replica, sequence: position.sequence)
    // Who has a place stays what it is: moves need no look at the record.
    if !self.position(slot).isWritten, record(slot).isAlive { completeCount += 1 }
    branches[slot.branch].pages[slot.page].setPosition(slot.place, position: position, key: key)
  }

  /// Writes a field, whether it was there or not.
  ///
  /// - Parameters:
  ///   - slot: Whose field.
  ///   - field: What it will hold; its value reference does not count.
  ///   - value: Its value.
  ///   - names: The table of its name.
  ///   - previous: A field of the item that stands before it; `none` if there is nothing to go on
  ///     from.
  /// - Returns: Where it stands in the page.
  /// - Complexity: O(*f*) for the fields from `previous` on to this one
  @discardableResult
  mutating func setField(
    _ slot: Slot, field: FieldRecord, value: Span<UInt8>, names: RegisterTable,
    after previous: Int32 = FieldRecord.none
  ) -> Int32 {
    unsettle(slot, by: field.replica, sequence: field.sequence)
    return branches[slot.branch].pages[slot.page].setField(
      slot.place, field: field, value: value, names: names, after: previous)
  }

  /// Keeps the records of an item's page in less memory, if it is the last of a full one.
  mutating func packIfFull(_ slot: Slot) {
    guard slot.place == Slot.fanOut - 1 else { return }
    branches[slot.branch].pages[slot.page].pack()
  }

  /// Keeps the records of all pages in less memory.
  ///
  /// - Complexity: O(the pages that were written since)
  mutating func pack() {
    for branch in branches.indices {
      for page in branches[branch].pages.indices { branches[branch].pages[page].pack() }
    }
  }

  // MARK: Order

  /// Chooses whose names are short, for an order of so many items, until it has twice as many.
  ///
  /// - Returns: Whether prefixes that were made before are stale.
  mutating func shorten(_ replicas: ReplicaTable, at count: Int) -> Bool {
    let old = authors
    shorten(replicas.rows.lazy.map { $0.id })
    reviewAuthors(at: count)
    return authors != old
  }

  /// Chooses the first of some replicas, for an order that is yet to be made.
  mutating func shorten(_ replicas: some Sequence<ReplicaID>) {
    authors = OrderAuthors(replicas)
  }

  /// Chooses anew when an order of so many items has doubled.
  mutating func reviewAuthors(at count: Int) { authorReview = max(64, 2 * count) }

  // MARK: Forgetting

  /// Drops what a floor takes from an item.
  ///
  /// - Parameters:
  ///   - slot: The item.
  ///   - isBelow: Whether a write lies at or below the floor, by replica and number.
  /// - Returns: How many registers went.
  /// - Complexity: O(*f*) for *f* fields, and O(a page) if any goes
  @discardableResult
  mutating func forget(_ slot: Slot, _ isBelow: (UInt32, Int64) -> Bool) -> Int {
    forget(slot.branch, page: slot.page, places: slot.place...slot.place, isBelow)
  }

  /// Drops what a floor takes from any item.
  ///
  /// - Returns: How many registers went.
  /// - Complexity: O(*n*)
  @discardableResult
  mutating func forgetAll(_ isBelow: (UInt32, Int64) -> Bool) -> Int {
    var count = 0
    for branch in branches.indices {
      for page in branches[branch].pages.indices {
        let places = branches[branch].pages[page].itemCount
        if places > 0 { count += forget(branch, page: page, places: 0...places - 1, isBelow) }
      }
    }
    return count
  }

  private mutating func forget(
    _ branch: Int, page: Int, places: ClosedRange<Int>, _ isBelow: (UInt32, Int64) -> Bool
  ) -> Int {
    // All are removed, so that they are complete before and after.
    var losing: UInt64 = 0
    for place in places {
      let record = branches[branch].pages[page].item(place)
      // What the list itself holds stands on the root, which is never removed.
      guard record.life.isWritten, !record.isAlive, record.id != .root,
        isBelow(record.life.replica, record.life.sequence)
      else { continue }
      if branches[branch].pages[page].holds(place, isBelow) { losing |= 1 << UInt64(place) }
    }
    guard losing != 0 else { return 0 }
    unsettle(branch, page: page)
    return branches[branch].pages[page].forget(losing, isBelow)
  }

  private mutating func unsettle(_ branch: Int, page: Int) {
    let bit = UInt64(1) << UInt64(page)
    guard branches[branch].unsettled & bit == 0 else { return }
    settledSum.subtract(branches[branch].sums[page])
    branches[branch].unsettled |= bit
  }

  private mutating func unsettle(_ slot: Slot, by replica: UInt32, sequence: Int64) {
    unsettle(slot.branch, page: slot.page)
    branches[slot.branch].newest.note(replica, sequence: sequence)
  }

  // MARK: Digest

  /// The sum over all entries, pages that changed since ``settle(_:)`` summed anew.
  func sum(_ sumOfPage: (Page) -> EntrySum) -> EntrySum {
    var total = settledSum
    for branch in branches where branch.unsettled != 0 {
      for (index, page) in branch.pages.enumerated()
      where branch.unsettled & 1 << UInt64(index) != 0 {
        total.add(sumOfPage(page))
      }
    }
    return total
  }

  /// Keeps the sums of the pages that changed.
  mutating func settle(_ sumOfPage: (Page) -> EntrySum) {
    for branch in branches.indices where branches[branch].unsettled != 0 {
      for page in branches[branch].pages.indices
      where branches[branch].unsettled & 1 << UInt64(page) != 0 {
        let sum = sumOfPage(branches[branch].pages[page])
        branches[branch].sums[page] = sum
        branches[branch].pages[page].pack()
        settledSum.add(sum)
      }
      branches[branch].unsettled = 0
    }
  }

  // MARK: Few items

  /// Whether the sums of all pages are those of their entries.
  ///
  /// - Complexity: O(*n* / 4,096)
  var isSettled: Bool { branches.allSatisfy { $0.unsettled == 0 } }

  /// Adds to the last sum of an item's page by how much the sum of the item's entries has changed.
  mutating func move(_ slot: Slot, by difference: EntrySum) {
    branches[slot.branch].sums[slot.page].add(difference)
  }

  /// Takes it that the sums of these items' pages are those of their entries again.
  mutating func settleWhatMoved(_ slots: [Slot]) {
    for slot in slots {
      let bit = UInt64(1) << UInt64(slot.page)
      guard branches[slot.branch].unsettled & bit != 0 else { continue }
      branches[slot.branch].unsettled ^= bit
      settledSum.add(branches[slot.branch].sums[slot.page])
    }
  }
}
