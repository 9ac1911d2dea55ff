import BetwixtTool
import Foundation
import Testing

/// Histories of the real git in which a document, which keeps its own history, is edited.
@Suite(.enabled(if: GitRepository.isThere, "there is no git on this machine"))
struct GitDocumentTests {
  private let git: GitRepository

  /// A document with one item, in a first commit.
  init() throws {
    git = try GitRepository()
    try run("printf '.git-*\\n.gitattributes\\n.local\\n' >> .git/info/exclude")
    try run("betwixt new --name Rome --start 2026-05-01 --days 2 rome.trip && git add rome.trip")
    try add("First")
  }

  private func run(_ line: String) throws {
    let (code, output) = try git.run(line)
    #expect(code == 0, "\(line): \(output)")
  }

  /// Adds an item, and commits that.
  private func add(_ title: String) throws {
    try run("betwixt add --day 1 --title \(title) rome.trip && git commit -q -a -m \(title)")
  }

  /// Runs a line that has to end well, and leave nothing to be done.
  private func done(_ line: String) throws -> String {
    let (code, output) = try git.run(line)
    #expect(code == 0, "\(line): \(output)")
    #expect(try git.run("git status --porcelain -uno").output == "")
    return output
  }

  private var titles: [String] {
    get throws {
      try git.run("betwixt show rome.trip").output.split(separator: "\n").dropFirst(3)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("Day") }
    }
  }

  @Test func aRevertSaysThatItTakesNothingBack() throws {
    try add("Wrong")
    try add("Later")
    let before = try git.folder.bytes("rome.trip")
    let (code, output) = try git.run("git revert --no-edit HEAD~1")
    #expect(code != 0)
    #expect(output.contains("rome.trip: "), "\(output)")
    #expect(output.contains("of the base should go") && output.contains("betwixt undo"))
    #expect(try git.run("git status --porcelain").output == "UU rome.trip\n")
    #expect(try titles == ["First", "Wrong", "Later"])
    try run("git revert --abort")
    #expect(try git.folder.bytes("rome.trip") == before)
  }

  @Test func aCherryPickSaysWhatComesAlong() throws {
    try run("git checkout -q -b theirs")
    try add("Before")
    try add("Picked")
    try run("git checkout -q -b ours HEAD~2")
    try add("Ours")
    let output = try done("git cherry-pick theirs")
    #expect(output.contains("from before came along with theirs"), "\(output)")
    #expect(try Set(titles) == ["First", "Ours", "Before", "Picked"])
    // What is there already comes along no more.
    try run("git checkout -q -b others ours")
    try add("Next")
    try run("git checkout -q ours")
    try add("Last")
    #expect(try !done("git cherry-pick others").contains("came along"))
  }

  @Test func ordinaryWorkNeverStops() throws {
    try run("git checkout -q -b theirs")
    try add("A")
    try run("betwixt remove rome.trip First && betwixt compact --keep 0 rome.trip")
    try run("git commit -q -a -m compact")
    try add("B")
    try run("betwixt set rome.trip B note=x && git commit -q -a --amend --no-edit")
    try run("git checkout -q -b ours HEAD~3")
    try add("C")
    try run("git branch second && git branch third")
    for line in [
      "git merge -q --no-edit theirs", "git checkout -q second && git rebase -q theirs",
      "git checkout -q theirs && git rebase -q third",
      "git checkout -q third && git merge -q --squash theirs && git commit -q -m squash",
    ] {
      let output = try done(line)
      #expect(!output.contains("should go") && !output.contains("came along"), "\(output)")
      #expect(try Set(titles) == ["A", "B: x", "C"], "\(line)")
    }
  }

  @Test func aStashComesBack() throws {
    try run("betwixt add --day 2 --title Stashed rome.trip && git stash -q")
    try add("Next")
    let (code, output) = try git.run("git stash pop -q")
    #expect(code == 0 && !output.contains("should go"), "\(output)")
    #expect(try titles == ["First", "Next", "Stashed"])
    try run("git commit -q -a -m stashed")
    // On another branch, which lacks what it was made from.
    try run("betwixt add --day 2 --title Again rome.trip && git stash -q")
    try run("git checkout -q -b ours HEAD~2")
    try add("Ours")
    let (other, words) = try git.run("git stash pop -q")
    #expect(other == 0 && words.contains("came along"), "\(words)")
  }

  /// A commit that is left out or comes later is in the history of the next one all the same.
  @Test func aRebaseThatDropsOrReordersSaysWhatComesAlong() throws {
    try add("A")
    try add("B")
    try add("C")
    try run("git branch reordered")
    let dropping = try done("GIT_SEQUENCE_EDITOR=\"sed -i 1d\" git rebase -i HEAD~2")
    #expect(dropping.contains("came along"), "\(dropping)")
    #expect(try titles == ["First", "A", "B", "C"])
    try run("git checkout -q reordered")
    let swap = "sed -i -n '1h;2{p;x;p};3,\\$p'"
    let (_, words) = try git.run("GIT_SEQUENCE_EDITOR=\"\(swap)\" git rebase -i HEAD~2")
    #expect(words.contains("came along") && !words.contains("should go"), "\(words)")
    #expect(try titles == ["First", "A", "B", "C"])
  }
}
