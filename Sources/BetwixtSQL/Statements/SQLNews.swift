public import Betwixt

/// What wakes the other processes of a PostgreSQL: a `NOTIFY` that names the lists with news.
///
/// It need not arrive: who waits for it asks by itself now and then. It costs all writers something,
/// since PostgreSQL lets one transaction at a time notify: send one in some tens of milliseconds, in
/// a transaction of its own after those that it tells of.
///
///     _ = try await driver.perform([SQLNews.listen])     // once, on a connection of one's own
///     _ = try await driver.perform([SQLNews.notify(of: lists)])
///     let lists = SQLNews.lists(notification.payload)     // what the driver has received
public enum SQLNews {
  /// The channel, `betwixt`.
  public static let channel = "betwixt"

  /// Makes a connection one that is notified.
  public static let listen = SQLStatement("LISTEN \(channel)")

  // A payload has less than 8,000 bytes, a name and its comma 33.
  private static let most = 240

  /// Notifies all who listen.
  ///
  /// - Parameter lists: The lists with news. Of more than 240 none is named, and readers look at all.
  /// - Returns: A statement.
  public static func notify(of lists: some Sequence<ListID>) -> SQLStatement {
    var names = Set(lists).sorted().map { $0.description }
    if names.count > most { names = [] }
    return SQLStatement(
      "SELECT pg_notify('\(channel)', $1::text)", [.text(names.joined(separator: ","))])
  }

  /// Reads what came with a notification.
  ///
  /// - Parameter payload: The text.
  /// - Returns: The lists to look at; `nil` for all of them, also if the text is none of ours.
  public static func lists(_ payload: String) -> [ListID]? {
    var lists: [ListID] = []
    for name in payload.split(separator: ",", omittingEmptySubsequences: false) {
      guard let list = ListID(String(name)) else { return nil }
      lists.append(list)
    }
    return lists
  }
}
