import BetwixtTrips

extension Command {
  /// Makes git merge trips item by item.
  static let git = Command(
    name: "git",
    synopsis: "setup [PATTERN...]",
    summary: "Makes git merge trips item by item, and show documents as text.",
    details: """
      Writes the merge driver into the configuration of the repository that one is in, what stands \
      beside documents into .git/info/exclude, and its files into .gitattributes: documents (*.trip, *.trip.json), and the plain files that PATTERN \
      names. Run it in each clone, because git takes no commands from a repository; commit \
      .gitattributes once. Where both sides wrote into one field and only a fixed rule could decide, \
      the merge stops as a conflict, with the result to look at.
      """,
    operands: [
      ("setup", "What to do; there is nothing else."),
      (
        "PATTERN",
        "Plain trips or tasks, as .gitattributes names files: trip.json, 'plans/*.json'."
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
      try GitSetup(patterns).perform(&session, isDryRun: arguments.isSet(.dryRun))
      return .done
    })
}

/// What `betwixt git setup` writes.
package struct GitSetup {
  /// What git is told, by the names of its configuration.
  package static let configuration = [
    ("merge.betwixt.name", "trips, item by item"),
    ("merge.betwixt.driver", "betwixt merge3 --strict-ties --path %P %O %A %B -o %A"),
    ("diff.betwixt.textconv", "betwixt show --color never"),
    ("diff.betwixt.cachetextconv", "false"),
  ]

  /// What stands beside a document and is nobody else's.
  package static let excluded = ["*.trip.lock", "*.trip.previous"]

  private let attributes: [(pattern: String, line: String)]

  /// Names the plain files that are merged.
  package init(_ patterns: [String]) {
    // Text by its content is what git diff shows best; the binary form needs to be put in words.
    attributes =
      [
        ("*.trip", "*.trip -text merge=betwixt diff=betwixt"),
        ("*.trip.json", "*.trip.json merge=betwixt"),
      ] + patterns.map { ($0, "\($0) merge=betwixt") }
  }

  /// The attributes with the lines that are missing, and these.
  package func extended(_ text: String) -> (text: String, added: [String]) {
    var known: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard let pattern = words.first, words.contains("merge=betwixt") else { continue }
      known.insert(String(pattern))
    }
    let added = attributes.filter { known.insert($0.pattern).inserted }.map(\.line)
    return (GitSetup.text(text, with: added), added)
  }

  private static func text(_ text: String, with lines: [String]) -> String {
    let ending = text.contains("\r\n") ? "\r\n" : "\n"
    var result = text
    if !lines.isEmpty, let last = result.last, !last.isNewline { result += ending }
    for line in lines { result += line + ending }
    return result
  }

  fileprivate func perform(_ session: inout Session, isDryRun: Bool) throws(ToolFailure) {
    let root = try GitSetup.output("git rev-parse --show-toplevel")
    let path = root + "/.gitattributes"
    let (text, added) = extended(try GitSetup.text(path))
    let word = isDryRun ? "would write" : "wrote"
    for (name, value) in GitSetup.configuration {
      if !isDryRun { _ = try GitSetup.output("git config \(name) \(ShellLine.quoted(value))") }
      session.report("\(word) \(name) = \(value)\n")
    }
    if !isDryRun, !added.isEmpty { try session.write(Array(text.utf8), to: path) }
    for line in added { session.report("\(word) .gitattributes: \(line.printable)\n") }
    try exclude(&session, isDryRun: isDryRun)
  }

  private func exclude(_ session: inout Session, isDryRun: Bool) throws(ToolFailure) {
    let path = try GitSetup.output("git rev-parse --git-path info/exclude")
    let text = try GitSetup.text(path)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let missing = GitSetup.excluded.filter { !lines.contains($0) }
    guard !missing.isEmpty else { return }
    if !isDryRun { try session.write(Array(GitSetup.text(text, with: missing).utf8), to: path) }
    for line in missing {
      session.report("\(isDryRun ? "would write" : "wrote") info/exclude: \(line)\n")
    }
  }

  private static func text(_ path: String) throws(ToolFailure) -> String {
    guard SystemCall.isThere(path) else { return "" }
    do {
      return String(decoding: try InputFile.read(path) { _ in 1 << 20 }, as: UTF8.self)
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
