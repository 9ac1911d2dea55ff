import Betwixt

/// The entries of a merge in the order in which they are stored.
struct IncomingRows {
  /// An entry, and which removal of its item came with it.
  struct Row {
    let entry: Entry

    /// Who wrote the removal, as a column.
    var remover: Int64 = 0

    /// Its number; 0 if none came.
    var removal: Int64 = 0
  }

  /// The lives, rising by item.
  ///
  /// They are stored before all others: they decide what a floor takes, and all who merge lock rows in
  /// one order.
  private(set) var lives: ArraySlice<Row> = []

  /// Whether an item was removed, or restored after that.
  private(set) var isTurning = false

  /// The items that are removed by what comes, unless a later life is stored.
  private(set) var removed: ArraySlice<ItemID> = []

  /// All other entries, rising by item and register.
  private(set) var others: ArraySlice<Row> = []

  init(_ delta: Delta) {
    var removal: Entry?
    for entry in delta.entries {
      if case .life(let length) = entry.value {
        lives.append(Row(entry: entry))
        guard length > 1 else { continue }
        isTurning = true
        guard length.isMultiple(of: 2), entry.item != .root else { continue }
        removed.append(entry.item)
        removal = entry
        continue
      }
      // The life is the first entry of an item.
      guard let removal, removal.item == entry.item else {
        others.append(Row(entry: entry))
        continue
      }
      let remover = RegisterRow.column(removal.stamp.replica)
      others.append(Row(entry: entry, remover: remover, removal: removal.sequence))
    }
  }
}

extension ArraySlice {
  /// The elements in parts of at most so many.
  func chunks(of size: Int) -> [ArraySlice] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}
