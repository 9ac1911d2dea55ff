import Betwixt

/// The keywords that are known without a `#+TODO:` line.
enum OrgKeywords {
  static let open: Set<String> = [
    "TODO", "NEXT", "WAITING", "WAIT", "HOLD", "STARTED", "DOING", "INPROGRESS", "SOMEDAY",
  ]
  static let closed: Set<String> = ["DONE", "CANCELLED", "CANCELED"]

  /// What stands before the keyword of an item that is none of ``closed`` and says that it is done.
  static let closedMark = "| "

  /// The state of a task with a keyword.
  static func state(of word: String, isClosed: Bool) -> String {
    switch word {
    case "STARTED", "DOING", "INPROGRESS", "NEXT": "active"
    default: isClosed ? "completed" : "notStarted"
    }
  }
}

/// The keyword that a task came with, where the task is still in the state that the word says.
struct OrgKeptKeyword {
  let word: String
  let isClosed: Bool

  init?(_ item: ListItem) {
    guard let kept = item.words("org:keyword") else { return nil }
    let mark = OrgKeywords.closedMark
    let isMarked = kept.utf8.starts(with: mark.utf8)
    let word =
      isMarked ? String(decoding: kept.utf8.dropFirst(mark.utf8.count), as: UTF8.self) : kept
    let isClosed = isMarked || OrgKeywords.closed.contains(word)
    let state = item.words(.state) ?? "notStarted"
    guard OrgKeywords.state(of: word, isClosed: isClosed).hasSameBytes(as: state) else {
      return nil
    }
    self.word = word
    self.isClosed = isClosed
  }

  /// Whether it stands in a line `#+TODO:` as a word.
  fileprivate var isWord: Bool {
    !word.isEmpty && word.utf8.count < 40
      && word.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x2d || $0 == 0x5f }
  }
}

/// The keywords that the tasks of a list keep.
struct OrgKeywordList {
  private var open: Set<String> = OrgKeywords.open
  private var closed: Set<String> = OrgKeywords.closed

  /// The line that says the further ones, in the order of the tasks; empty if there are none.
  private(set) var line = ""

  init(_ list: ReplicatedList) {
    let kept = list.compactMap { OrgKeptKeyword($0) }.filter { $0.isWord }
    var (furtherOpen, furtherClosed): ([String], [String]) = ([], [])
    for keyword in kept where !keyword.isClosed && open.insert(keyword.word).inserted {
      furtherOpen.append(keyword.word)
    }
    // One word says one thing.
    for keyword in kept where keyword.isClosed && !open.contains(keyword.word) {
      if closed.insert(keyword.word).inserted { furtherClosed.append(keyword.word) }
    }
    if furtherOpen.isEmpty, furtherClosed.isEmpty { return }
    let words = ["TODO"] + furtherOpen + ["|", "DONE"] + furtherClosed
    line = "#+TODO: \(words.joined(separator: " "))\n"
  }

  /// Whether the file has a keyword.
  func writes(_ keyword: OrgKeptKeyword) -> Bool {
    (keyword.isClosed ? closed : open).contains(keyword.word)
  }

  /// Whether a word is a keyword.
  func contains(_ word: String) -> Bool { open.contains(word) || closed.contains(word) }
}

/// Words of a heading that mean something at its start or its end.
///
/// A text of the user's that has such a word there is guarded by a zero width space before the word,
/// which is the escape character that the manual of Org names; reading takes it away again.
enum OrgWords {
  static let guardMark = "\u{200b}"

  /// Whether a word is a priority, `[#A]`.
  static func isPriority(_ word: String) -> Bool {
    word.utf8.count == 4 && word.utf8.starts(with: "[#".utf8)
  }

  /// Whether a word is a list of tags, `:home:phone:`.
  static func isTags(_ word: String) -> Bool {
    word.utf8.count > 2 && word.utf8.first == UInt8(ascii: ":")
      && word.utf8.last == UInt8(ascii: ":")
  }

  /// A text whose first and last word mean nothing but themselves.
  static func guarded(_ text: String, _ meansMore: (String) -> Bool) -> String {
    changing(text) { word, isFirst in
      let isGuarded = word.utf8.starts(with: guardMark.utf8)
      let needsGuard = isGuarded || (isFirst ? meansMore(word) : isTags(word))
      return needsGuard ? guardMark + word : word
    }
  }

  /// The text that was guarded.
  static func unguarded(_ text: String) -> String {
    changing(text) { word, _ in
      unguardedLine(word)
    }
  }

  /// A line of a note that is no box, no drawer and no planning.
  static func guardedLine(_ line: String) -> String {
    let meansMore =
      line.utf8.starts(with: guardMark.utf8) || MarkdownReader.box(Array(line.utf8)[...]) != nil
      || line.hasSameBytes(as: ":PROPERTIES:")
      || OrgReader.planningWords.contains { line.utf8.starts(with: $0.utf8) }
    return meansMore ? guardMark + line : line
  }

  /// Whether a word of a line is guarded.
  static func hasGuard(_ line: String) -> Bool {
    line.utf8.split(separator: 0x20).contains { $0.starts(with: guardMark.utf8) }
  }

  /// The line that was guarded.
  static func unguardedLine(_ line: String) -> String {
    guard line.utf8.starts(with: guardMark.utf8) else { return line }
    return String(decoding: line.utf8.dropFirst(guardMark.utf8.count), as: UTF8.self)
  }

  /// Changes the first word and the last of several.
  private static func changing(
    _ text: String, _ change: (_ word: String, _ isFirst: Bool) -> String
  ) -> String {
    var words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let first = words.first else { return text }
    words[0] = change(first, true)
    if words.count > 1, let last = words.last { words[words.count - 1] = change(last, false) }
    return words.joined(separator: " ")
  }
}
