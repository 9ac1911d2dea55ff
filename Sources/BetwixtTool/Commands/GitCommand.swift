import BetwixtFiles
import BetwixtTrips

extension Command {
  /// Makes git merge trips item by item.
  static let git = Command(
    name: "git",
    synopsis: "setup [PATTERN...]",
    summary: "Makes git merge trips item by item, and show documents as text.",
    details: """
      Writes the merge driver into the configuration of the repository that one is in, what stands \
      beside documents into .git/info/exclude, and its files into .gitattributes: documents \
      (*.trip, *.trip.json), and the plain files that PATTERN names. Run it in each clone, because \
      git takes no commands from a repository, and again after an update of betwixt; commit \
      .gitattributes once. Where both sides wrote into one field and only a fixed rule could decide, \
      the merge stops as a conflict, with the result to look at. What one side removed stays \
      removed though the other edited it: the edit is told of on standard error, and in a plain \
      file it is gone. A document keeps its history: 'git revert' of one stops as a \
      conflict, because only 'betwixt remove' or 'betwixt undo' takes an edit back, and 'git \
      cherry-pick' brings along what the picked edit was made after, and says how much.
      """,
    operands: [
      ("setup", "What to do; there is nothing else."),
      (
        "PATTERN",
        "Plain trips or tasks, as .gitattributes names files: trip.json, 'plans/*.json'. Of texts (Markdown, "
          + "Org, TaskPaper, todo.txt) one that is more than a list of tasks is merged by lines."
      ),
    ],
    operandCount: 1...Int.max,
    ownOptions: [.dryRun],
    examples: ["betwixt git setup trip.json", "betwixt git setup 'plans/*.json'"],
    action: { (arguments, session) throws(ToolFailure) in
      guard arguments.operands[0] == "setup" else {
        throw session.usage("'\(arguments.operands[0].printable)' is not 'setup'")
      }
      let patterns = Array(arguments.operands.dropFirst())
      for pattern in patterns where pattern.contains(where: { $0.isWhitespace || $0 == "\"" }) {
        throw session.usage("a PATTERN has no spaces: '\(pattern.printable)'; use ? for one")
      }
      // To git the one is a comment, and the other nothing that it knows.
      for pattern in patterns where "#!".contains(pattern.first ?? "#") {
        throw session.usage(
          "a PATTERN does not begin with # or !: '\(pattern.printable)'; use ? for one")
      }
      try GitSetup(patterns).perform(&session, isDryRun: arguments.isSet(.dryRun))
      return .done
    })
}

/// What `betwixt git setup` writes.
package struct GitSetup {
  /// What git is told, by the names of its configuration.
  package static let configuration = [
    ("merge.betwixt.name", "trips, item by item"),
    ("merge.betwixt.driver", "betwixt merge3 --strict-ties --path=%P -o %A -- %O %A %B"),
    // A command that fails once ends the whole 'git log -p', and a name may begin with a dash.
    ("diff.betwixt.textconv", "betwixt show --color never --tell-errors --"),
    ("diff.betwixt.cachetextconv", "false"),
  ]

  /// What stands beside a document and is nobody else's.
  package static let excluded = [
    "*.trip.lock", "*.trip.previous", "*.trip.branch-*", "*.trip.damaged-*", "*.trip.replaced-*",
    "*.trip.tmp-*",
  ]

  private let attributes: [(pattern: String, line: String)]
  private let patterns: [String]

  /// Names the plain files that are merged.
  package init(_ patterns: [String]) {
    self.patterns = patterns
    // Text by its content is what git diff shows best; the binary form needs to be put in words.
    attributes =
      [
        ("*.trip", "*.trip -text merge=betwixt diff=betwixt"),
        ("*.trip.json", "*.trip.json merge=betwixt"),
      ] + patterns.map { ($0, "\($0) merge=betwixt") }
  }

  /// The attributes with the lines that are missing, and these.
  package func extended(_ bytes: [UInt8]) -> (bytes: [UInt8], added: [String]) {
    // As bytes, because two spellings of "é" are two patterns.
    var known: Set<[UInt8]> = []
    for line in GitSetup.lines(of: bytes) {
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard let pattern = words.first, words.contains(where: { $0.elementsEqual(GitSetup.mark) })
      else { continue }
      known.insert(Array(pattern))
    }
    let added = attributes.filter { known.insert(GitSetup.bytes(of: $0.pattern)).inserted }
      .map(\.line)
    return (GitSetup.bytes(bytes, with: added), added)
  }

  private static let mark = Array("merge=betwixt".utf8)

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
  }

  /// The bytes of a text that names files.
  private static func bytes(of text: String) -> [UInt8] {
    PathText.name(text).dropLast().map { UInt8(bitPattern: $0) }
  }

  /// Lines behind what is there, which stays as it is, in whatever encoding.
  private static func bytes(_ bytes: [UInt8], with lines: [String]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let isOfWindows = bytes.contains(UInt8(ascii: "\r"))
    let ending = isOfWindows ? [UInt8(ascii: "\r"), newline] : [newline]
    var result = bytes
    if !lines.isEmpty, let last = result.last, last != newline { result += ending }
    for line in lines { result += GitSetup.bytes(of: line) + ending }
    return result
  }

  fileprivate func perform(_ session: inout Session, isDryRun: Bool) throws(ToolFailure) {
    let root = try GitSetup.output("git rev-parse --show-toplevel")
    let path = root + "/.gitattributes"
    for pattern in patterns { try check(pattern, under: root, in: &session) }
    let (bytes, added) = extended(try GitSetup.content(of: path))
    let word = isDryRun ? "would write" : "wrote"
    for (name, value) in GitSetup.configuration {
      if !isDryRun { _ = try GitSetup.output("git config \(name) \(ShellLine.quoted(value))") }
      session.report("\(word) \(name) = \(value)\n")
    }
    if !isDryRun, !added.isEmpty { try session.write(bytes, to: path) }
    for line in added { session.report("\(word) .gitattributes: \(line.printable)\n") }
    try exclude(&session, isDryRun: isDryRun)
  }

  /// Refuses the name of a text that is no list of tasks.
  ///
  /// Git merges its lines by itself. Of several files that a pattern names, such are only told of.
  private func check(
    _ pattern: String, under root: String, in session: inout Session
  ) throws(ToolFailure) {
    let isName = !pattern.contains { "*?[\\".contains($0) }
    let path = pattern.drop { $0 == "/" }
    let place = pattern.contains("/") ? String(path) : "**/\(path)"
    let line =
      "git -C \(ShellLine.quoted(root)) -c core.quotePath=false ls-files -co --exclude-standard -- "
      + ShellLine.quoted(":(top,glob)\(place)")
    // What git takes for no path names no file that is there.
    guard let files = try? ShellLine.run(line), files.code == 0 else { return }
    let names = files.output.split(separator: "\n").map { String($0) }
    let texts = names.compactMap { name -> (name: String, words: String, hasList: Bool)? in
      let path = "\(root)/\(name)"
      guard let format = DocumentFormat(fileName: name), format.isTaskText,
        SystemCall.isThere(path),
        let bytes = try? InputFile.read(path, limit: { _ in 1 << 24 }), !bytes.isEmpty,
        let text = TaskText(bytes, otherwise: format), text.format != format || !text.isWhole
      else { return nil }
      return (name, text.words(as: format), text.hasList)
    }
    for (name, words, hasList) in texts {
      guard isName, texts.count == names.count, !hasList else {
        session.report("note: \(name.printable) \(words), and will be merged line by line\n")
        continue
      }
      let cure =
        DocumentFormat(fileName: name) == .markdown
        ? "; as a list of boxes (- [ ] …) its tasks are merged" : ""
      throw ToolFailure(
        .negative,
        "Error: \(name.printable) \(words): git merges its lines without betwixt\(cure)")
    }
  }

  private func exclude(_ session: inout Session, isDryRun: Bool) throws(ToolFailure) {
    // A repository need not have the folder of this file, nor the file.
    let folder = try GitSetup.output("git rev-parse --git-path info")
    let path = folder + "/exclude"
    let bytes = try GitSetup.content(of: path)
    let known = Set(GitSetup.lines(of: bytes).map { Array($0) })
    let missing = GitSetup.excluded.filter { !known.contains(Array($0.utf8)) }
    guard !missing.isEmpty else { return }
    if !isDryRun {
      do {
        try OutputFile.makeFolder(folder)
      } catch {
        throw ToolFailure(error)
      }
      try session.write(GitSetup.bytes(bytes, with: missing), to: path)
    }
    for line in missing {
      session.report("\(isDryRun ? "would write" : "wrote") info/exclude: \(line)\n")
    }
  }

  private static func content(of path: String) throws(ToolFailure) -> [UInt8] {
    guard SystemCall.isThere(path) else { return [] }
    do {
      return try InputFile.read(path) { _ in 1 << 20 }
    } catch {
      throw ToolFailure(error)
    }
  }

  private static func output(_ line: String) throws(ToolFailure) -> String {
    let result: (code: Int32?, output: String)
    do {
      result = try ShellLine.run(line)
    } catch {
      throw ToolFailure(.inputOutput, "Error: cannot run git: \(error.reason)")
    }
    guard result.code == 0 else {
      throw ToolFailure(.negative, "Error: git said no; 'betwixt git setup' is run in a repository")
    }
    return String(result.output.prefix { $0 != "\n" })
  }
}
