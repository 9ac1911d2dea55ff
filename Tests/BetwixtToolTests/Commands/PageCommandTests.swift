import BetwixtTool
import Foundation
import Testing

@Suite struct PageCommandTests {
  private static let page = "<!doctype html>\n<title>Betwixt</title>\n"

  /// What is said of a program that stands in a folder.
  private static func environment(_ folder: ScratchFolder, program: String) -> Environment {
    var environment = Environment()
    environment.programFolder = folder.path(program)
    return environment
  }

  @Test(arguments: [
    ("betwixt.html", "."), ("share/betwixt/betwixt.html", "bin"),
    (".build-web/page/betwixt.html", ".build/triple/release"),
    (".build-web/page/betwixt.html", ".build-other/release"),
  ])
  func theProgramFindsItsPage(place: String, program: String) throws {
    let folder = try ScratchFolder()
    try folder.makeFolder(for: place)
    try folder.makeFolder(for: "\(program)/betwixt")
    try folder.write(Self.page, to: place)
    let environment = Self.environment(folder, program: program)
    let target = folder.path("out.html")
    let run = ToolRun("page", "-o", target, environment: environment)
    #expect(run.code == .done)
    #expect(run.messages == "\(target): open it in a browser\n")
    #expect(try folder.text("out.html") == Self.page)
    #expect(ToolRun("page", environment: environment).output == Self.page)
  }

  @Test func aMissingPageNamesItsMaker() throws {
    let folder = try ScratchFolder()
    let run = ToolRun("page", environment: Self.environment(folder, program: "."))
    #expect(run.code == .noInput)
    #expect(run.messages.contains("Sources/BetwixtWeb/make-page"))
    #expect(ToolRun("page").code == .noInput)
  }

  @Test func onlyAPageIsReplaced() throws {
    let folder = try ScratchFolder()
    try folder.write(Self.page, to: "betwixt.html")
    let environment = Self.environment(folder, program: ".")
    for text in [SampleTrip.base, "BTWXtrip", "<p>mine</p>"] {
      let mine = try folder.write(text, to: "mine")
      let run = ToolRun("page", "-o", mine, environment: environment)
      #expect(run.code == .cannotCreate)
      #expect(run.messages.contains("is no page"))
      #expect(try folder.text("mine") == text)
    }
    let old = try folder.write("<!doctype html>old", to: "old.html")
    #expect(ToolRun("page", "-o", old, environment: environment).code == .done)
    #expect(try folder.text("old.html") == Self.page)
  }

  @Test func aTerminalIsNotFlooded() throws {
    let run = ToolRun("page", isTerminal: true)
    #expect(run.code == .usage)
    #expect(run.messages.contains("-o betwixt.html"))
  }
}

extension ScratchFolder {
  /// Makes the folders that a file stands in.
  fileprivate func makeFolder(for name: String) throws {
    let folder = URL(fileURLWithPath: path(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
}
