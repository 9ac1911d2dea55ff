import BetwixtTool
import Foundation
import Testing

/// `merge3` as a merge driver of the real git, set up with the line of the README.
@Suite(.enabled(if: GitRepository.isThere, "there is no git on this machine"))
struct MergeDriverTests {
  @Test(arguments: [
    (SampleTrip.phone, SampleTrip.tablet), (SampleTrip.tablet, SampleTrip.phone),
    (SampleTrip.phone, SampleTrip.laptop),
  ])
  func aMergeOfBranchesIsAMergeOfCopies(_ ours: String, _ theirs: String) throws {
    let git = try GitRepository()
    let (code, merged) = try git.merge(base: SampleTrip.base, ours: ours, theirs: theirs)
    #expect(code == 0)
    #expect(
      try git.canonical(merged) == git.mergedCopies(base: SampleTrip.base, ours, theirs))
    #expect(try git.run("git status --porcelain").output.isEmpty)
  }

  @Test(arguments: ["follow-mexico", "east-coast-june"], ["phone", "tablet", "laptop"])
  func theTripsOfTheWorldCup(_ trip: String, _ device: String) throws {
    let copies = try ["base", device, device == "phone" ? "laptop" : "phone"]
      .map { try TripResource.text("copies/\(trip)/\($0).json") }
    let git = try GitRepository()
    let (code, merged) = try git.merge(base: copies[0], ours: copies[1], theirs: copies[2])
    #expect(code == 0)
    #expect(merged == (try git.mergedCopies(base: copies[0], copies[1], copies[2])))
    // Merging line by line would have ended with a conflict or with another trip.
    #expect(!merged.contains("<<<<<<<"))
  }

  @Test func withStrictADecidedConflictStopsTheMerge() throws {
    let git = try GitRepository()
    _ = try git.run("git config merge.betwixt.driver 'betwixt merge3 --strict %O %A %B -o %A'")
    let (code, merged) = try git.merge(
      base: SampleTrip.base, ours: SampleTrip.phone, theirs: SampleTrip.laptop)
    #expect(code != 0)
    #expect(try git.run("git status --porcelain").output == "UU trip.json\n")
    // What was decided is there to be looked at.
    #expect(
      try git.canonical(merged)
        == git.mergedCopies(base: SampleTrip.base, SampleTrip.phone, SampleTrip.laptop))
  }

  @Test func theReportSpeaksOfOursAndTheirs() throws {
    let git = try GitRepository()
    let (code, _) = try git.merge(
      base: SampleTrip.base, ours: SampleTrip.phone, theirs: SampleTrip.laptop)
    #expect(code == 0)
    #expect(
      git.messages == """
        trip.json: from ours: 1 added
        trip.json: from theirs: 1 edited
        trip.json: conflict: title of “Closed museum” (day 1): kept “Closed museum” from theirs \
        (2026-05-02 12:00 UTC); ours had “Museum of Pop Culture” (2026-05-02 10:00 UTC)

        """)
  }

  @Test func aFileThatCannotBeReadIsLeftToThePerson() throws {
    let git = try GitRepository()
    let (code, merged) = try git.merge(
      base: SampleTrip.base, ours: SampleTrip.phone, theirs: "no trip\n")
    #expect(code != 0)
    #expect(merged == SampleTrip.phone)
    #expect(git.messages?.hasPrefix("trip.json: theirs:1:1: syntax: ") ?? false)
    #expect(try git.run("git status --porcelain").output == "UU trip.json\n")
  }
}

/// A repository of one test's own.
struct GitRepository {
  let folder: ScratchFolder

  static let isThere: Bool =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/git")
    }

  /// Makes a repository and sets the driver up as the README says.
  init() throws {
    folder = try ScratchFolder()
    for line in ["git init -q", "git config user.name t", "git config user.email t@example.org"] {
      #expect(try run(line).code == 0)
    }
    let line = try #require(try GitRepository.lineOfTheReadme())
    #expect(try run(line).code == 0)
  }

  private static func lineOfTheReadme() throws -> String? {
    let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../README.md")
    return try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
      .first { $0.hasPrefix("betwixt git setup trip.json") }.map(String.init)
  }

  /// Runs a line of the shell in the repository.
  func run(_ line: String) throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "( \(line)\n) > .git-output 2>&1"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let tool = URL(fileURLWithPath: SpawnedTool.path).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process.environment = [
      "PATH": "\(tool):\(path)", "HOME": folder.path, "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_EDITOR": "true",
    ]
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try folder.text(".git-output"))
  }

  /// Commits a file, edits it on two branches, and merges theirs into ours.
  func merge(base: String, ours: String, theirs: String) throws -> (code: Int32, text: String) {
    // Only the trip is looked at.
    #expect(try run("printf '.git-*\\n.gitattributes\\n' >> .git/info/exclude").code == 0)
    try commit(base)
    #expect(try run("git checkout -q -b theirs").code == 0)
    try commit(theirs)
    #expect(try run("git checkout -q -b ours HEAD~1").code == 0)
    try commit(ours)
    let code = try run("git merge -q --no-edit theirs 2> .git-messages").code
    return (code, try folder.text("trip.json"))
  }

  /// What the merge said.
  var messages: String? { try? folder.text(".git-messages") }

  /// Commits a text.
  func commit(_ text: String, as name: String = "trip.json") throws {
    try folder.write(text, to: name)
    #expect(try run("git add \(name) && git commit -q -m trip").code == 0)
  }

  /// What a plain file says, whatever its layout.
  func canonical(_ text: String) throws -> String {
    let elsewhere = try ScratchFolder()
    let run = ToolRun("export", "--format", "json", try elsewhere.write(text, to: "trip.json"))
    #expect(run.code == .done)
    return run.output
  }

  /// What the command makes of the same three files.
  func mergedCopies(base: String, _ ours: String, _ theirs: String) throws -> String {
    let elsewhere = try ScratchFolder()
    let paths = [
      try elsewhere.write(base, to: "base.json"), try elsewhere.write(ours, to: "ours.json"),
      try elsewhere.write(theirs, to: "theirs.json"),
    ]
    let run = ToolRun("merge", "--base", paths[0], paths[1], paths[2], "--format", "json")
    #expect(run.code == .done)
    return run.output
  }
}

/// The trips beside the tests of the module that reads them.
private enum TripResource {
  static func text(_ path: String) throws -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(
      contentsOf: tests.appendingPathComponent("../BetwixtTripsTests/Resources/\(path)"),
      encoding: .utf8)
  }
}
