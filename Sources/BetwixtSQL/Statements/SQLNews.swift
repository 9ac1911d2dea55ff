public import Betwixt

/// What wakes the other processes of a PostgreSQL: a `NOTIFY` that names the lists with news.
///
/// It need not arrive: who waits for it asks by itself now and then. It costs all writers something,
/// since PostgreSQL lets one transaction at a time notify: send one in some tens of milliseconds, in
/// a transaction of its own after those that it tells of.
///
///     _ = try await driver.perform([SQLNews.listen])     // once, on a connection of one's own
///     _ = try await driver.perform([SQLNews.notify(of: lists, from: sender)])
///     // What the driver has received, and this process does not know:
///     let lists = SQLNews.lists(notification.payload, besidesThoseOf: sender)
public enum SQLNews {
  /// The channel, `betwixt`.
  public static let channel = "betwixt"

  /// Makes a connection one that is notified.
  public static let listen = SQLStatement("LISTEN \(channel)")

  // A payload has less than 8,000 bytes, a sender 16, a name and the mark before it 33.
  private static let most = 240

  /// Notifies all who listen.
  ///
  /// - Parameters:
  ///   - lists: The lists with news. Of more than 240 none is named, and readers look at all; of none
  ///     nobody is notified.
  ///   - sender: A random number of this process, by which it knows its own notifications; `nil` for
  ///     none.
  /// - Returns: A statement.
  public static func notify(
    of lists: some Sequence<ListID>, from sender: UInt64? = nil
  ) -> SQLStatement {
    var names = Set(lists).sorted().map { $0.description }
    // Without a name it would be about all of them.
    let filter = names.isEmpty ? " WHERE false" : ""
    if names.count > most { names = [] }
    let prefix = sender.map { String($0, radix: 16) + ":" } ?? ""
    return SQLStatement(
      "SELECT pg_notify('\(channel)', $1::text)\(filter)",
      [.text(prefix + names.joined(separator: ","))])
  }

  /// Reads what came with a notification.
  ///
  /// - Parameters:
  ///   - payload: The text.
  ///   - sender: Whose notifications tell nothing new: this process's own.
  /// - Returns: The lists to look at, none if it is the sender's own; `nil` for all of them, also if
  ///   the text is none of ours.
  public static func lists(
    _ payload: String, besidesThoseOf sender: UInt64? = nil
  ) -> [ListID]? {
    var text = Substring(payload)
    if let mark = text.firstIndex(of: ":") {
      let named = UInt64(text[..<mark], radix: 16)
      if let named, named == sender { return [] }
      text = text[text.index(after: mark)...]
    }
    var lists: [ListID] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let list = ListID(String(name)) else { return nil }
      lists.append(list)
    }
    return lists
  }
}
