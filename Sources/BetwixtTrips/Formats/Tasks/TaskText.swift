import Betwixt

/// A text of tasks as whoever merges it sees it: whether a list of tasks keeps all that it says.
package struct TaskText: Sendable {
  /// What it is; `nil` if neither its lines nor its name tell.
  package let format: DocumentFormat?

  /// Whether tasks can be read at all.
  package let hasList: Bool

  /// How many lines are not there, or not wholly, when the list is written again.
  package let lostLineCount: Int

  /// Looks at a file; `nil` if it is no text of lines, but JSON, a calendar or a document.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - likely: What it is if its content does not tell.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  package init?(_ bytes: [UInt8], otherwise likely: DocumentFormat? = nil) {
    do throws(TextProblem) {
      format = try FormatSample(bytes, otherwise: likely).format
    } catch {
      // What nobody reads is lines all the same: a badge or a tag of HTML may begin them.
      format = likely
      (hasList, lostLineCount) = (false, 0)
      return
    }
    guard let format, format.isOfLines else { return nil }
    var options = ReadingOptions()
    options.format = format
    guard let file = try? TripFile(decoding: bytes, name: "", options: options),
      case .foreign(let foreign) = file.content,
      let written = try? file.list().encoded(as: format)
    else {
      (hasList, lostLineCount) = (false, 0)
      return
    }
    let lost = TaskText.lostLineCount(of: bytes, in: written.bytes)
    lostLineCount = max(foreign.looseLineCount, lost)
    hasList = true
  }

  /// Whether a merge of tasks keeps all that the file says.
  package var isWhole: Bool { hasList && lostLineCount == 0 }

  /// How many lines have a word that is not in another text, each as often as it is there.
  ///
  /// Marks, blanks and the order of tasks may be others.
  private static func lostLineCount(of bytes: [UInt8], in other: [UInt8]) -> Int {
    var counts: [[UInt8]: Int] = [:]
    for line in TextLines(other) {
      for word in words(line.bytes) { counts[word, default: 0] += 1 }
    }
    var lost = 0
    for line in TextLines(bytes) {
      var isThere = true
      for word in words(line.bytes) {
        let count = counts[word] ?? 0
        isThere = isThere && count > 0
        counts[word] = count - 1
      }
      if !isThere { lost += 1 }
    }
    return lost
  }

  /// The words of a line, in small letters and without a box before them.
  private static func words(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
    let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    let text = MarkdownReader.box(rest)?.text ?? rest
    let mark = Array(OrgWords.guardMark.utf8)
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      let isGuard = byte == mark[0] && text[index...].starts(with: mark)
      let isLetter = (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte)
      if isGuard || !isLetter && byte < 0x80 {
        if !word.isEmpty { words.append(word) }
        word = []
      } else {
        word.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte)
      }
      index += isGuard ? mark.count : 1
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
