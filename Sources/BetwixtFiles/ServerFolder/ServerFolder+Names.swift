public import Betwixt

// What lies in a folder, and what it is called.

extension ServerFolder {
  /// Where a document is in a folder.
  ///
  /// - Parameters:
  ///   - list: The document.
  ///   - folder: The path of the folder.
  /// - Returns: The path of the document's file.
  public static func path(of list: ListID, in folder: String) -> String {
    Path.joining(folder, "\(list).trip")
  }

  /// In the order in which they are to be copied: what leaves the first two goes into the last one, or
  /// into its document.
  static let journalNames = ["journal", "journal-2", restName]
  static let restName = "journal-rest"

  /// The documents beside which files lie that were about to replace them.
  static func leftovers(among names: [String]) -> Set<ListID> {
    var lists: Set<ListID> = []
    for name in names {
      let parts = name.split(separator: ".")
      guard parts.count == 3, parts[1] == "trip", parts[2].hasPrefix("tmp-"),
        let list = ListID(String(parts[0]))
      else { continue }
      lists.insert(list)
    }
    return lists
  }

  /// Takes away what killed processes left of journals and owners that were about to get their names:
  /// who writes such has the lock.
  static func removeUnfinished(
    _ names: [String], in folder: String, _ fileSystem: any FileSystem
  ) {
    for name in names {
      let parts = name.split(separator: ".").map(String.init)
      guard let end = parts.last, end.hasPrefix("tmp-"),
        Hex.decodeUInt64(end.utf8.dropFirst(4)) != nil,
        parts.count == 2 && journalNames.contains(parts[0])
          || parts.count == 4 && ListID(parts[0]) != nil && parts[1...2] == ["trip", "owners"]
      else { continue }
      // They are harmless; one that cannot be removed stays.
      try? fileSystem.unlink(Path.joining(folder, name))
    }
  }
}
