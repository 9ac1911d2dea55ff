// What is looked at first where few writes of a list matter: numbers that say of a whole page that it
// holds none of them.

extension Page {
  /// No write of the page is later.
  ///
  /// - Complexity: O(the records)
  var latestTime: UInt64 {
    guard let packed else {
      let lives = items.lazy.map { $0.life.isWritten ? $0.life.time : 0 }.max() ?? 0
      let positions = contents.lazy.map { $0.position.isWritten ? $0.position.time : 0 }.max() ?? 0
      return max(lives, positions, fields.lazy.map { $0.time }.max() ?? 0)
    }
    return max(
      packed.items.maximum(ItemRecord.Column.time),
      packed.contents.maximum(ContentRecord.Column.time),
      packed.fields.maximum(FieldRecord.Column.time))
  }

  /// No life of the page is longer, and none was written earlier; `nil` if none was written.
  ///
  /// - Complexity: O(the records)
  var lives: (longest: UInt64, earliest: UInt64)? {
    guard let packed else {
      let lives = items.lazy.map { $0.life }.filter { $0.isWritten }
      guard let longest = lives.map({ $0.length }).max(),
        let earliest = lives.map({ $0.time }).min()
      else { return nil }
      return (longest, earliest)
    }
    // The length of a life that was never written is 0.
    let longest = packed.items.maximum(ItemRecord.Column.length)
    return longest == 0 ? nil : (longest, packed.items.minimum(ItemRecord.Column.time))
  }
}
