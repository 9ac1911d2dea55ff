import BetwixtTool
import Foundation
import Testing

/// Histories of the real git in which a trip that people laid out by hand is edited on branches.
@Suite(.enabled(if: GitRepository.isThere, "there is no git on this machine"))
struct GitHistoryTests {
  private let git: GitRepository

  init() throws {
    git = try GitRepository()
    let others = ".git-*\\n.gitattributes\\n.local\\n"
    #expect(try git.run("printf '\(others)' >> .git/info/exclude").code == 0)
  }

  /// The name of a folder need not be UTF-8.
  @Test func aRepositoryOfAnyNameIsSetUp() throws {
    let line = """
      r="g$(printf '\\377')"; git init -q "$r" && cd "$r" && betwixt git setup -q && \
      cat .gitattributes
      """
    let run = try git.run(line)
    #expect(run.code == 0 && run.output.contains("*.trip.json merge=betwixt"), "\(run)")
  }

  /// A trip as a person writes it: no times of changes, an order and an indentation of its own.
  static let base = """
    {
      "name": "Rome",
      "id": "rome-2026",
      "startDate": "2026-05-01",
      "days": 3,
      "items": [
        {
          "title": "Museum",
          "id": "museum",
          "day": 1,
          "sortOrder": 1
        },
        {
          "title": "Lunch",
          "id": "lunch",
          "day": 1,
          "sortOrder": 2.50
        },
        {
          "title": "Walk",
          "id": "walk",
          "day": 2,
          "sortOrder": 1
        }
      ]
    }

    """

  private static func edited(_ old: String, _ new: String) -> String {
    base.replacingOccurrences(of: old, with: new)
  }

  private static let museum = edited("\"Museum\"", "\"Museum of art\"")
  private static let walk = edited("\"Walk\"", "\"Long walk\"")
  private static let both = museum.replacingOccurrences(of: "\"Walk\"", with: "\"Long walk\"")
  private static let noLunch = edited(
    """
        {
          "title": "Lunch",
          "id": "lunch",
          "day": 1,
          "sortOrder": 2.50
        },

    """, "")
  private static func added(_ id: String) -> String {
    let item = """
          {
            "title": "New \(id)",
            "id": "\(id)",
            "day": 3,
            "sortOrder": 1
          }
      """
    return edited("    }\n  ]", "    },\n\(item)\n  ]")
  }

  private func text(_ name: String = "trip.json") throws -> String { try git.folder.text(name) }

  private func branch(_ base: String, _ ours: String, _ theirs: String) throws {
    try git.commit(base)
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    try git.commit(theirs)
    #expect(try git.run("git checkout -q -b ours HEAD~1").code == 0)
    try git.commit(ours)
  }

  private func expectDone(_ line: String) throws {
    let (code, output) = try git.run(line)
    #expect(code == 0, "\(line): \(output)")
    #expect(try git.run("git status --porcelain").output == "")
  }

  @Test func twoEditsChangeTwoLines() throws {
    try branch(Self.base, Self.museum, Self.walk)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try text() == Self.both)
    #expect(try git.run("git diff --numstat HEAD~1").output == "1\t1\ttrip.json\n")
  }

  @Test(arguments: ["crlf", "mark", "tabs", "spaced", "one line"])
  func theLayoutIsKept(_ way: String) throws {
    func laidOut(_ text: String) -> String {
      switch way {
      case "crlf": text.replacingOccurrences(of: "\n", with: "\r\n")
      case "mark": "\u{feff}" + text
      case "tabs": text.replacingOccurrences(of: "  ", with: "\t")
      case "spaced": text.replacingOccurrences(of: "\": ", with: "\" : ")
      default: text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
      }
    }
    _ = try git.run("git config core.autocrlf false")
    try branch(laidOut(Self.base), laidOut(Self.museum), laidOut(Self.walk))
    try expectDone("git merge -q --no-edit theirs")
    #expect(try git.folder.bytes("trip.json") == Array(laidOut(Self.both).utf8))
  }

  @Test func aRebaseIsTheSame() throws {
    try branch(Self.base, Self.museum, Self.walk)
    try expectDone("git rebase -q theirs")
    #expect(try text() == Self.both)
  }

  @Test func aCherryPickIsTheSame() throws {
    try branch(Self.base, Self.museum, Self.walk)
    try expectDone("git cherry-pick theirs")
    #expect(try text() == Self.both)
  }

  @Test func aStashIsTheSame() throws {
    try branch(Self.base, Self.museum, Self.base + "\n")
    try git.folder.write(
      Self.museum.replacingOccurrences(of: "\"Lunch\"", with: "\"Late lunch\""), to: "trip.json")
    #expect(try git.run("git stash -q && git checkout -q theirs && git checkout -q ours").code == 0)
    try git.commit(Self.both)
    #expect(try git.run("git stash pop -q").code == 0)
    #expect(
      try text() == Self.both.replacingOccurrences(of: "\"Lunch\"", with: "\"Late lunch\""))
  }

  @Test func aRevertTakesOneEditBack() throws {
    try git.commit(Self.base)
    try git.commit(Self.museum)
    try git.commit(Self.both)
    try expectDone("git revert --no-edit HEAD~1")
    #expect(try text() == Self.walk)
  }

  @Test func aTieStopsACherryPick() throws {
    try branch(Self.base, Self.museum, Self.edited("\"Museum\"", "\"Museum of sand\""))
    let (code, output) = try git.run("git cherry-pick theirs")
    #expect(code != 0)
    #expect(!output.contains("is now empty"))
    #expect(output.contains("conflict: title of"))
    #expect(try git.run("git status --porcelain").output == "UU trip.json\n")
  }

  @Test func bothSidesAddedTheFile() throws {
    #expect(try git.run("git commit -q --allow-empty -m first").code == 0)
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    try git.commit(Self.added("b"))
    #expect(try git.run("git checkout -q -b ours HEAD~1").code == 0)
    try git.commit(Self.added("a"))
    try expectDone("git merge -q --no-edit theirs")
    for title in ["Museum", "New a", "New b"] { #expect(try text().contains(title)) }
  }

  @Test func bothSidesAddedOtherTrips() throws {
    #expect(try git.run("git commit -q --allow-empty -m first").code == 0)
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    try git.commit(Self.edited("rome-2026", "oslo-2026"))
    #expect(try git.run("git checkout -q -b ours HEAD~1").code == 0)
    try git.commit(Self.base)
    let (code, output) = try git.run("git merge -q --no-edit theirs")
    #expect(code != 0)
    #expect(output.contains("trip.json: theirs:3:9: wrong-trip"))
  }

  @Test func aCrissCross() throws {
    try branch(Self.base, Self.museum, Self.walk)
    #expect(try git.run("git branch mine && git branch yours theirs").code == 0)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try git.run("git checkout -q yours").code == 0)
    try expectDone("git merge -q --no-edit mine")
    try git.commit(Self.both.replacingOccurrences(of: "\"Lunch\"", with: "\"Late lunch\""))
    #expect(try git.run("git checkout -q ours").code == 0)
    try git.commit(Self.both.replacingOccurrences(of: "\"days\": 3", with: "\"days\": 4"))
    try expectDone("git merge -q --no-edit yours")
    #expect(
      try text()
        == Self.both.replacingOccurrences(of: "\"days\": 3", with: "\"days\": 4")
        .replacingOccurrences(of: "\"Lunch\"", with: "\"Late lunch\""))
  }

  @Test func aFileIsRenamed() throws {
    #expect(try git.run("betwixt git setup plan.json").code == 0)
    try branch(Self.base, Self.museum, Self.walk)
    #expect(try git.run("git mv trip.json plan.json && git commit -q -m name").code == 0)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try text("plan.json") == Self.both)
  }

  @Test func aFileIsRemoved() throws {
    try branch(Self.base, Self.museum, Self.walk)
    #expect(try git.run("git checkout -q theirs && git rm -q trip.json").code == 0)
    #expect(try git.run("git commit -q -m gone && git checkout -q ours").code == 0)
    #expect(try git.run("git merge -q --no-edit theirs").code != 0)
    #expect(try text() == Self.museum)
  }

  @Test func anItemIsRemoved() throws {
    try branch(Self.base, Self.museum, Self.noLunch)
    try expectDone("git merge -q --no-edit theirs")
    #expect(
      try text() == Self.noLunch.replacingOccurrences(of: "\"Museum\"", with: "\"Museum of art\""))
  }

  @Test func anItemIsRemovedAndEdited() throws {
    try branch(Self.base, Self.edited("\"Lunch\"", "\"Late lunch\""), Self.noLunch)
    try expectDone("git merge -q --no-edit theirs 2> .git-messages")
    #expect(try text() == Self.noLunch)
    #expect(git.messages?.contains("trip.json: removed on theirs: “Late lunch”") ?? false)
  }

  @Test func itemsAreAddedOnBothSides() throws {
    try branch(Self.base, Self.added("a"), Self.added("b"))
    try expectDone("git merge -q --no-edit theirs")
    let text = try text()
    #expect(text.contains("New a") && text.contains("New b"))
    // Five lines of the new item in six, with a brace.
    #expect(try git.run("git diff --numstat HEAD~1").output.hasPrefix("6\t0\t"))
  }

  @Test func anItemIsMovedAndEdited() throws {
    let moved = Self.edited("\"day\": 2", "\"day\": 3")
    try branch(Self.base, Self.walk, moved)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try text() == moved.replacingOccurrences(of: "\"Walk\"", with: "\"Long walk\""))
  }

  @Test func theSameEditOnBothSides() throws {
    try branch(Self.base, Self.both, Self.museum)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try text() == Self.both)
  }

  @Test func aFieldIsAddedAndAnotherTakenAway() throws {
    let timed = Self.edited(
      "\"title\": \"Walk\",", "\"title\": \"Walk\",\n      \"time\": \"09:00\",")
    try branch(timed, Self.edited("\"Museum\"", "\"Museum of art\""), timed + "\n")
    _ = try git.run("git checkout -q theirs")
    try git.commit(
      timed.replacingOccurrences(
        of: "\"id\": \"museum\",", with: "\"id\": \"museum\",\n      \"note\": \"closed\","))
    _ = try git.run("git checkout -q ours")
    try expectDone("git merge -q --no-edit theirs")
    let text = try text()
    #expect(text.contains("\n      \"note\": \"closed\",\n"))
    // A field that a file lacks is unchanged: tools that drop what they do not know destroy nothing.
    #expect(text.contains("09:00"))
  }

  @Test func tasksMerge() throws {
    let tasks = """
      {
        "format": "betwixt-tasks",
        "id": "todo",
        "tasks": [
          { "id": "a", "text": "Pack", "sortOrder": 0 },
          { "id": "b", "text": "Pay", "sortOrder": 1 }
        ]
      }

      """
    try branch(
      tasks, tasks.replacingOccurrences(of: "Pack", with: "Pack the bags"),
      tasks.replacingOccurrences(of: "Pay", with: "Pay the hotel"))
    try expectDone("git merge -q --no-edit theirs")
    #expect(
      try text()
        == tasks.replacingOccurrences(of: "Pack", with: "Pack the bags")
        .replacingOccurrences(of: "Pay", with: "Pay the hotel"))
  }

  private func branchMarkdown(_ base: String, _ ours: String, _ theirs: String) throws {
    try git.commit(base, as: "plan.md")
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    try git.commit(theirs, as: "plan.md")
    #expect(try git.run("git checkout -q -b ours HEAD~1").code == 0)
    try git.commit(ours, as: "plan.md")
  }

  private static let prose = "# Plan\n\nWe go.\n\n- [ ] Pack\n- [ ] Pay\n\nThat is all.\n"

  /// A list has no room for what stands beside tasks: to git they are lines, as without us.
  @Test(arguments: [prose, "# Plan\n\nWe go.\n\nBy train.\n\nThat is all.\n"])
  func markdownWithMoreThanTasksMergesByLines(_ text: String) throws {
    #expect(try git.run("echo '*.md merge=betwixt' >> .gitattributes").code == 0)
    let ours = text.replacingOccurrences(of: "We go", with: "We all go")
    let end = { (text: String) in text.replacingOccurrences(of: "That is all", with: "The end") }
    try branchMarkdown(text, ours, end(text))
    try expectDone("git merge -q --no-edit theirs")
    #expect(try self.text("plan.md") == end(ours))
    try git.commit(ours.replacingOccurrences(of: "We all go", with: "Some go"), as: "plan.md")
    #expect(try git.run("git checkout -q theirs").code == 0)
    try git.commit(text.replacingOccurrences(of: "We go", with: "Few go"), as: "plan.md")
    #expect(try git.run("git checkout -q ours && git merge -q --no-edit theirs").code != 0)
    #expect(try self.text("plan.md").contains("<<<<<<< ours\nSome go."))
  }

  /// Neither do lists keep all of these, whatever the name says that they are.
  @Test(arguments: [
    ("a.md", "# Guide\n\n## Install\n\n## Use\n"), ("a.md", "Points:\n\n- one\n\nAsk @ann.\n"),
    ("a.md", "<p>\n\n- [ ] Pack\n\n</p>\n"), ("a.org", "Some words.\n\nAnd more.\n"),
    ("a.org", "Words.\n\n* TODO Pack\n\n* Notes\n"), ("a.org", "* Guide\n\n** Install\n"),
    ("a.taskpaper", "Some words.\n\nAnd more.\n"), ("a.taskpaper", "Words.\n\nShop:\n\t- Pack\n"),
    ("a.todo.txt", "# Words\n\n- [ ] Pack\n\nAnd more.\n"),
    ("notes", "# Plan\n\nWe go.\n\n- [ ] Pack\n"),
  ])
  func textWithMoreThanTasksMergesByLines(_ name: String, _ text: String) throws {
    #expect(
      try git.run("echo 'a.* merge=betwixt\nnotes merge=betwixt' >> .gitattributes").code == 0)
    let mark = name.hasSuffix(".org") ? "** Ours\n" : "## Ours\n"
    try git.commit(text, as: name)
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    try git.commit(text + "\nThe end.\n", as: name)
    #expect(try git.run("git checkout -q -b ours HEAD~1").code == 0)
    try git.commit(mark + text, as: name)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try self.text(name) == mark + text + "\nThe end.\n")
  }

  @Test func aListMayLoseItsLastTask() throws {
    #expect(try git.run("betwixt git setup plan.md todo.txt").code == 0)
    try branchMarkdown("# Plan\n\n- [ ] Pack\n", "# Plan\n\n- [ ] Pack\n- [ ] Pay\n", "")
    try expectDone("git merge -q --no-edit theirs")
    let text = try text("plan.md")
    #expect(text.contains("- [ ] Pay\n") && !text.contains("Pack"))
  }

  @Test func markdownThatIsNoListIsNotSetUp() throws {
    try git.commit("# Plan\n\nWe go.\n", as: "plan.md")
    let refused = try git.run("betwixt git setup plan.md")
    #expect(refused.code == 1 && refused.output.contains("boxes"))
    #expect(!(try text(".gitattributes").contains("plan.md")))
    let told = try git.run("betwixt git setup 'p*.md'")
    #expect(told.code == 0 && told.output.contains("note: plan.md is no list of tasks"))
    try git.commit(Self.prose, as: "mixed.md")
    let mixed = try git.run("betwixt git setup mixed.md")
    #expect(mixed.code == 0 && mixed.output.contains("has 2 lines besides tasks"))
  }

  @Test(arguments: ["trip", "trip.json"])
  func documentsStayWhatTheyAre(_ ending: String) throws {
    let name = "rome.\(ending)"
    func put(_ text: String) throws {
      let plain = try git.folder.write(text, to: ".git-plain.json")
      let base = try git.folder.write(Self.base, to: ".git-base.json")
      let path = git.folder.path(name)
      #expect(
        ToolRun("import", base, "--format", ending, "-o", path, "--force").code == .done)
      #expect(ToolRun("import", "--into", path, "--base", base, plain, "-o", path).code == .done)
      #expect(try git.run("git add \(name) && git commit -q -m trip").code == 0)
    }
    try put(Self.base)
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    try put(Self.walk)
    #expect(try git.run("git checkout -q -b ours HEAD~1").code == 0)
    try put(Self.museum)
    let start = try git.folder.bytes(name).prefix(3)
    try expectDone("git merge -q --no-edit theirs")
    #expect(try git.folder.bytes(name).prefix(3) == start)
    let shown = ToolRun("show", git.folder.path(name)).output
    #expect(shown.contains("Museum of art") && shown.contains("Long walk"))
    // A binary one is shown as what it says.
    let difference = try git.run("git diff HEAD~1").output
    #expect(difference.contains("Long walk"))
    #expect(!difference.contains("Binary files"))
  }

  @Test func aStateThatCannotBeReadEndsNoHistory() throws {
    #expect(try git.run("betwixt new --name Rome --days 2 rome.trip").code == 0)
    #expect(try git.run("git add rome.trip && git commit -q -m document").code == 0)
    let document = try git.folder.bytes("rome.trip")
    let damaged: [[UInt8]] = [
      Array(document.prefix(40)), document.dropLast(30) + [7, 7], [0xff, 0, 1],
    ]
    for bytes in damaged {
      try git.folder.write(bytes, to: "rome.trip")
      #expect(try git.run("git diff").code == 0)
      #expect(try git.run("git commit -q -a -m damaged").code == 0)
    }
    let (code, output) = try git.run("git log -p")
    #expect(code == 0, "\(output)")
    #expect(output.contains("+Rome"))
    #expect(output.contains("rome.trip:") && !output.contains("git-blob-"), "\(output)")
    #expect(try git.run("betwixt show rome.trip").code == 65)
  }

  @Test func aNameMayBeginWithADash() throws {
    let name = "-rome.trip"
    #expect(try git.run("betwixt new --name Rome --days 2 -- \(name)").code == 0)
    #expect(try git.run("git add -- \(name) && git commit -q -m document").code == 0)
    #expect(try git.run("git checkout -q -b theirs").code == 0)
    #expect(try git.run("betwixt add --day 1 --title Walk -- \(name)").code == 0)
    #expect(try git.run("git diff").output.contains("Walk"))
    #expect(try git.run("git commit -q -a -m walk && git checkout -q -b ours HEAD~1").code == 0)
    #expect(try git.run("betwixt add --day 1 --title Lunch -- \(name)").code == 0)
    #expect(try git.run("git commit -q -a -m lunch").code == 0)
    try expectDone("git merge -q --no-edit theirs")
    let shown = try git.run("betwixt show -- \(name)").output
    #expect(shown.contains("Walk") && shown.contains("Lunch"))
  }

  /// `git init --template=` makes no folder for what is left out.
  @Test func aRepositoryWithoutInfoIsSetUp() throws {
    #expect(try git.run("rm -rf .git/info && betwixt git setup").code == 0)
    #expect(
      try git.run("cat .git/info/exclude").output == """
        *.trip.lock
        *.trip.previous
        *.trip.branch-*
        *.trip.damaged-*
        *.trip.replaced-*
        *.trip.tmp-*

        """)
  }
}

@Suite struct GitSetupTests {
  private static func extended(_ setup: GitSetup, _ text: String) -> (text: String, count: Int) {
    let (bytes, added) = setup.extended(Array(text.utf8))
    return (String(decoding: bytes, as: UTF8.self), added.count)
  }

  @Test func linesAreAddedOnce() {
    let setup = GitSetup(["trip.json"])
    let first = Self.extended(setup, "*.png binary")
    #expect(
      first.text == """
        *.png binary
        *.trip -text merge=betwixt diff=betwixt
        *.trip.json merge=betwixt
        trip.json merge=betwixt

        """)
    #expect(Self.extended(setup, first.text).count == 0)
    #expect(Self.extended(setup, first.text).text == first.text)
    let ofWindows = Self.extended(setup, "trip.json merge=betwixt\r\n")
    #expect(ofWindows.text.hasSuffix("*.trip.json merge=betwixt\r\n"))
  }

  /// A name in an encoding of its own is nobody's to change.
  @Test func whatIsThereStays() {
    let latin = Array("caf".utf8) + [0xe9] + Array(".txt binary\n".utf8)
    #expect(GitSetup([]).extended(latin).bytes.starts(with: latin))
  }

  @Test func onlySetupIsKnown() {
    #expect(ToolRun("git", "undo").code == .usage)
    #expect(ToolRun("git", "setup", "a b.json").code == .usage)
    // What git takes for a comment, or does not know.
    for pattern in ["#plan.json", "!plan.json", ""] {
      #expect(ToolRun("git", "setup", "--dry-run", pattern).code == .usage)
    }
  }

  /// Two spellings of "é" are two files, and so two patterns.
  @Test func patternsAreBytes() {
    let text = Self.extended(GitSetup(["caf\u{e9}.json"]), "").text
    let (both, count) = Self.extended(GitSetup(["cafe\u{301}.json", "caf\u{e9}.json"]), text)
    #expect(count == 1)
    let line = Array("cafe\u{301}.json merge=betwixt\n".utf8)
    #expect(Array(both.utf8.suffix(line.count)) == line)
    // A name that is no UTF-8 is written as it is.
    let bytes = GitSetup(["\u{10feff}.json"]).extended([]).bytes
    #expect(bytes.suffix(20) == Array("\u{0}.json merge=betwixt\n".utf8).suffix(20))
    #expect(bytes.contains(0xff))
  }
}
