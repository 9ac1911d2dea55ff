extension Page {
  /// Whether nothing was ever written of an item.
  func isUnwritten(_ place: Int) -> Bool {
    !item(place).life.isWritten && content(place).isEmpty
  }

  /// Whether an item has the same entries as one of a page of another list.
  ///
  /// - Parameters:
  ///   - place: The item.
  ///   - other: The other page.
  ///   - otherPlace: The item there.
  ///   - isSameReplica: Whether a row of this list's table of replicas is one of the other's.
  ///   - isSameRegister: Whether a row of this list's table of registers is one of the other's.
  /// - Returns: Whether it has, and no others.
  /// - Complexity: O(*f*) for *f* fields
  @inline(__always)
  func isSame(
    _ place: Int, in other: Page, _ otherPlace: Int,
    isSameReplica: (UInt32, UInt32) -> Bool, isSameRegister: (UInt32, UInt32) -> Bool
  ) -> Bool {
    let (life, otherLife) = (item(place).life, other.item(otherPlace).life)
    guard life.length == otherLife.length else { return false }
    if life.isWritten {
      guard life.time == otherLife.time, life.sequence == otherLife.sequence,
        isSameReplica(life.replica, otherLife.replica)
      else { return false }
    }
    let (content, otherContent) = (content(place), other.content(otherPlace))
    let (position, otherPosition) = (content.position, otherContent.position)
    guard position.sequence == otherPosition.sequence else { return false }
    if position.isWritten {
      guard position.time == otherPosition.time, position.section == otherPosition.section,
        isSameReplica(position.replica, otherPosition.replica),
        arena.isSame(position.key, in: other.arena, otherPosition.key)
      else { return false }
    }
    var (index, otherIndex) = (content.firstField, otherContent.firstField)
    while index != FieldRecord.none, otherIndex != FieldRecord.none {
      let (field, otherField) = (field(index), other.field(otherIndex))
      guard field.time == otherField.time, field.sequence == otherField.sequence,
        isSameReplica(field.replica, otherField.replica),
        isSameRegister(field.name, otherField.name),
        arena.isSame(field.value, in: other.arena, otherField.value)
      else { return false }
      (index, otherIndex) = (field.next, otherField.next)
    }
    return index == otherIndex
  }
}
