extension ReplicatedList: CustomStringConvertible {
  /// Which list it is and how many items it shows, for people: the form may change.
  public var description: String { "list \(id), \(count) \(count == 1 ? "item" : "items")" }
}
