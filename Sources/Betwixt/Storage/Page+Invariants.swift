extension Page {
  /// What is wrong with how the items, contents and fields hang together, if anything.
  ///
  /// - Complexity: O(*f*) for *f* fields
  var fault: String? {
    var contentsLeft = Set(0..<contentCount)
    var fieldsLeft = Set(0..<fieldCount)
    for place in 0..<itemCount {
      let item = item(place)
      if isAligned, !item.holdsNothing(but: place) { return "contents are not in order" }
      if item.content == ItemRecord.noContent {
        if item.hasPosition { return "a position is nowhere" }
        continue
      }
      guard contentsLeft.remove(Int(item.content)) != nil else {
        return "contents belong to two items, or are not there"
      }
      let content = content(at: Int(item.content))
      if content.isEmpty { return "contents are empty" }
      if content.position.isWritten != item.hasPosition { return "an item misjudges its position" }
      var index = content.firstField
      while index != FieldRecord.none {
        guard fieldsLeft.remove(Int(index)) != nil else {
          return "a field belongs to two items, or is not there"
        }
        index = field(index).next
      }
    }
    if !contentsLeft.isEmpty { return "contents belong to nobody" }
    return fieldsLeft.isEmpty ? nil : "a field belongs to nobody"
  }
}
