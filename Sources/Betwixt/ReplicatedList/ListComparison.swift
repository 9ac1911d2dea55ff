/// Finds the items of which two lists hold different entries, without hashing any.
///
/// A list that was just loaded and its edited copy have nearly all pages in common, and two documents
/// that were synced hold the same items in the same order: neither is looked at item by item.
struct ListComparison {
  private let left: ReplicatedList
  private let right: ReplicatedList
  // Of each row in the tables of the left list, the row in those of the right one.
  private let replicas: [UInt32]
  private let registers: [UInt32]
  /// Whether both lists name replicas and registers by the same numbers.
  private let hasSameTables: Bool

  private static let nowhere = UInt32.max

  init(_ left: ReplicatedList, _ right: ReplicatedList) {
    self.left = left
    self.right = right
    replicas = left.replicas.rows.map { right.replicas.index(of: $0.id) ?? Self.nowhere }
    var rows: [Register: UInt32] = [:]
    for (row, register) in right.registers.registers.enumerated() {
      rows[register] = UInt32(truncatingIfNeeded: row)
    }
    registers = left.registers.registers.map { rows[$0] ?? Self.nowhere }
    hasSameTables =
      Self.isIdentity(replicas, among: right.replicas.rows.count)
      && Self.isIdentity(registers, among: right.registers.registers.count)
  }

  /// Whether each row that both tables have is the same in both.
  private static func isIdentity(_ rows: [UInt32], among count: Int) -> Bool {
    rows.prefix(count).enumerated().allSatisfy { $0.offset == Int($0.element) }
  }

  // MARK: Comparing

  /// Calls a closure with where each item stands of which the lists hold different entries, in any
  /// order, until it says that this is enough.
  ///
  /// - Parameter body: Gets the slots of an item in both lists, `nil` where nothing of it is held, and
  ///   returns whether to go on.
  /// - Complexity: O(*n* / 64) and O(the pages that the lists do not have in common), without a look
  ///   at the order
  func forEachDifference(_ body: (Slot?, Slot?) -> Bool) {
    var search = Search()
    for number in 0..<max(left.pageCount, right.pageCount) where !isSame(page: number) {
      search.rightPages.append(number)
      if number < left.pageCount, !compare(page: number, &search, body) { return }
    }
    findWhatOnlyTheRightHolds(search, body)
  }

  /// What is known while items are looked for.
  private struct Search {
    /// The pages that may hold others than those of the left list.
    var rightPages: [Int] = []
    /// How many items of those pages were found.
    var matchCount = 0
    /// Where the next item probably stands.
    var next = 0
  }

  /// Whether a page is the same in both lists, as far as can be said without a look at its items.
  private func isSame(page number: Int) -> Bool {
    guard number < left.pageCount, number < right.pageCount else { return false }
    let slot = Slot(number * Slot.fanOut)
    let (branch, other) = (left.store.branches[slot.branch], right.store.branches[slot.branch])
    let (page, counterpart) = (branch.pages[slot.page], other.pages[slot.page])
    if page.isShared(with: counterpart) { return true }
    let isSettled = (branch.unsettled | other.unsettled) & 1 << UInt64(slot.page) == 0
    if isSettled { return branch.sums[slot.page] == other.sums[slot.page] }
    return hasSameTables && page.isPacked(as: counterpart)
  }

  /// - Returns: Whether to go on.
  private func compare(
    page number: Int, _ search: inout Search, _ body: (Slot?, Slot?) -> Bool
  ) -> Bool {
    let start = number * Slot.fanOut
    let page = left.store.page(Slot(start))
    Cost.count(.pageVisit)
    for place in 0..<page.itemCount {
      guard let there = find(page.id(place), in: right, near: &search.next) else {
        if !page.isUnwritten(place), !body(Slot(start + place), nil) { return false }
        continue
      }
      search.matchCount += 1
      let isSame = page.isSame(
        place, in: right.store.page(there), there.place,
        isSameReplica: { replicas[Int($0)] == $1 }, isSameRegister: { registers[Int($0)] == $1 })
      if !isSame, !body(Slot(start + place), there) { return false }
    }
    return true
  }

  private func findWhatOnlyTheRightHolds(_ search: Search, _ body: (Slot?, Slot?) -> Bool) {
    let pages = search.rightPages.filter { $0 < right.pageCount }
    let count = pages.reduce(0) { $0 + right.store.page(Slot($1 * Slot.fanOut)).itemCount }
    guard search.matchCount < count else { return }
    var next = 0
    for number in pages {
      let start = number * Slot.fanOut
      let page = right.store.page(Slot(start))
      Cost.count(.pageVisit)
      for place in 0..<page.itemCount where !page.isUnwritten(place) {
        guard find(page.id(place), in: left, near: &next) == nil else { continue }
        guard body(nil, Slot(start + place)) else { return }
      }
    }
  }

  /// Where an item stands: mostly behind the one that was looked for before.
  private func find(
    _ id: ItemID, in list: ReplicatedList, near next: inout Int
  ) -> Slot? {
    if next >= list.store.count || list.store.id(Slot(next)) != id {
      guard let slot = list.slot(id) else { return nil }
      next = Int(slot.rawValue)
    }
    defer { next += 1 }
    return Slot(next)
  }
}

extension ReplicatedList {
  var pageCount: Int { (store.count + Slot.fanOut - 1) / Slot.fanOut }

  /// Whether no item was written since one of two lists was copied from the other.
  ///
  /// - Complexity: O(1)
  func sharesItems(with other: ReplicatedList) -> Bool {
    store.branches.isSameArray(as: other.store.branches)
  }

  /// Whether none of the items of a page was.
  ///
  /// - Complexity: O(1)
  func sharesPage(_ number: Int, with other: ReplicatedList) -> Bool {
    guard number < pageCount, number < other.pageCount else { return false }
    let slot = Slot(number * Slot.fanOut)
    return store.page(slot).isShared(with: other.store.page(slot))
  }

  /// The entries that another list does not hold, in the order of their items.
  ///
  /// - Complexity: O(*n* / 64) and O(the pages that the lists do not have in common), O(*k* log *k*) for
  ///   *k* items that differ, and O(*f*) for each of them with *f* fields
  package func entries(missingIn other: ReplicatedList) -> [Entry] {
    var items: [ListItem] = []
    var others: [ItemID: ListItem] = [:]
    ListComparison(self, other).forEachDifference { here, there in
      guard let here else { return true }
      let item = ListItem(self, at: here)
      items.append(item)
      if let there { others[item.id] = ListItem(other, at: there) }
      return true
    }
    items.sort { $0.id < $1.id }
    return items.flatMap { item in
      // Both rise by register.
      var present = (others[item.id]?.entries ?? [])[...]
      return item.entries.filter { entry in
        while let first = present.first, first.register < entry.register { present.removeFirst() }
        return present.first != entry
      }
    }
  }

  /// Whether two lists hold the same entries, as equal digests say.
  ///
  /// No entry is hashed: pages that one list has in common with the other, because it is an edited
  /// copy of it, are passed over, and the others compared.
  ///
  /// - Complexity: O(*n* / 64), and the pages that are not common and not settled; O(1) if neither was
  ///   written since one was copied from the other
  package func holdsSameEntries(as other: ReplicatedList) -> Bool {
    if sharesItems(with: other) { return true }
    if store.isSettled, other.store.isSettled { return store.settledSum == other.store.settledSum }
    var isSame = true
    ListComparison(self, other).forEachDifference { _, _ in
      isSame = false
      return false
    }
    return isSame
  }
}
