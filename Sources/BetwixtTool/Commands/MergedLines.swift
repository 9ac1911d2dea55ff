import Betwixt
import BetwixtFiles
import BetwixtTrips

/// Texts that are no lists, as version control merges them.
extension Session {
  /// Merges the sides of a text of tasks line by line, if one of them holds more than tasks: these would
  /// be all that a merge of lists leaves of it.
  ///
  /// Only where version control asks (`--path`), and gets the result where it looks for it: it would
  /// have done the same without us.
  ///
  /// - Parameter arguments: Those of `merge3`.
  /// - Returns: The exit code; `nil` if the sides are to be merged as lists.
  /// - Throws: ``ToolFailure``: there is no git, or the result cannot be written.
  mutating func mergeLines(_ arguments: ParsedArguments) throws(ToolFailure) -> ExitCode? {
    let output = arguments.value(of: .output) ?? "-"
    guard let path = arguments.value(of: .path),
      output == "-" || output.hasSameBytes(as: arguments.operands[1]),
      let (format, words) = Session.wordsOfTexts(arguments.operands, named: path),
      arguments.value(of: .format).map({ $0 == format.rawValue }) ?? true
    else { return nil }
    begin(step: "merging")
    let sides = [1, 0, 2].map { ShellLine.quoted(arguments.operands[$0]) }
    let line = "git merge-file -p -L ours -L base -L theirs -- \(sides.joined(separator: " "))"
    let merged: (code: Int32?, output: String)
    do {
      merged = try ShellLine.run(line)
    } catch {
      throw ToolFailure(.inputOutput, "Error: cannot run git: \(error.reason)")
    }
    // It is the number of conflicts, or says that there is no git, which writes nothing.
    guard let code = merged.code, code < 128, code == 0 || !merged.output.isEmpty else {
      throw ToolFailure(
        .badData, "Error: this \(words), and 'git merge-file', which merges lines, failed")
    }
    let bytes = PathText.name(merged.output).dropLast().map { UInt8(bitPattern: $0) }
    try write(bytes, to: arguments.value(of: .output))
    let end = code == 0 ? "" : ", with \(ItineraryText.count(Int64(code), "conflict"))"
    let note = "merged line by line\(end): it \(words)"
    if arguments.isSet(.reportAsJSON) {
      var line = JSONLine()
      line.add("in", path)
      line.add("report", "note")
      line.add("note", note)
      report(line.text)
    } else {
      report("\(path.printable): \(note)\n")
    }
    return code == 0 ? .done : .negative
  }

  /// What the sides are that are no lists of tasks, and why; `nil` if a merge of lists keeps all of them,
  /// or if one is no text.
  private static func wordsOfTexts(
    _ paths: [String], named name: String
  ) -> (format: DocumentFormat, words: String)? {
    let named = DocumentFormat(fileName: name)
    guard named?.isTaskText ?? true else { return nil }
    var texts: [TaskText] = []
    for path in paths {
      guard let place = try? DocumentPlace(path), place.kind == .regular,
        let bytes = try? InputFile.read(place.path, limit: { _ in 128 << 20 })
      else { return nil }
      // Version control gives an empty file for none.
      if bytes.isEmpty { continue }
      guard let text = TaskText(bytes, otherwise: named) else { return nil }
      texts.append(text)
    }
    guard let format = named ?? texts.first?.format ?? nil, format.isTaskText,
      named != nil || texts.allSatisfy({ $0.format == format }),
      let text = texts.first(where: { $0.format != format || !$0.isWhole })
    else { return nil }
    return (format, text.words(as: format))
  }
}

extension TaskText {
  /// What is in the way of a merge of tasks in a file of a format.
  func words(as format: DocumentFormat) -> String {
    hasList && self.format == format
      ? "has \(ItineraryText.count(Int64(lostLineCount), "line")) besides tasks"
      : "is no list of tasks"
  }
}
