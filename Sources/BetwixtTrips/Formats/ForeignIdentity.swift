package import Betwixt

/// The ids that texts of other tools stand for.
///
/// A UUID is taken as it is. Any other text is hashed together with the name of its space, so two
/// devices that read the same file make the same items.
package enum ForeignIdentity {
  /// The id of a trip or of a list of tasks.
  package static func list(_ text: String) -> ListID {
    ListID(uuid: text) ?? hashed(in: "trip", text)
  }

  /// The id of a list that has no name in its file, from what it holds.
  static func list(of space: String, holding items: [ItemID]) -> ListID {
    var bytes = Array(space.utf8) + [0]
    for item in items.sorted() { bytes.append(contentsOf: item.bytes) }
    return hashed(in: "content", bytes)
  }

  /// The id of an item that is no game.
  package static func item(_ text: String) -> ItemID {
    ItemID(uuid: text) ?? hashed(in: "item", text)
  }

  /// The id of a game.
  package static func game(_ gameID: String) -> ItemID {
    ItemID(uuid: gameID) ?? hashed(in: "game", gameID)
  }

  /// The id of a task.
  package static func task(_ text: String) -> ItemID {
    ItemID(uuid: text) ?? hashed(in: "task", text)
  }

  /// The first 16 bytes of SHA-256(`space` NUL `text`).
  package static func hashed<ID: Identifier128>(in space: String, _ text: String) -> ID {
    hashed(in: space, Array(text.utf8))
  }

  private static func hashed<ID: Identifier128>(in space: String, _ text: [UInt8]) -> ID {
    let digest = SHA256.hash(Array(space.utf8) + [0] + text)
    return ID(
      high: UInt64(bigEndianBytes: digest[..<8]), low: UInt64(bigEndianBytes: digest[8..<16]))
  }
}
