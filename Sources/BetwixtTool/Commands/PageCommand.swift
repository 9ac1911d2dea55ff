import BetwixtFiles

extension Command {
  /// Writes the page that shows devices merging in a browser.
  static let page = Command(
    name: "page",
    synopsis: "[-o FILE]",
    summary: "Writes the page: trips edited and merged in a browser.",
    details: """
      One file that opens in any browser, from the drive, without a server: two to four devices side \
      by side, your own trip files opened, merged and saved. Nothing leaves the machine. The page is \
      made by Sources/BetwixtWeb/make-page; it is looked for beside this program, in \
      ../share/betwixt from there, and in the checkout that the program was built in.
      """,
    operands: [],
    operandCount: 0...0,
    ownOptions: [.pageOutput],
    examples: ["betwixt page -o betwixt.html"],
    action: { (arguments, session) throws(ToolFailure) in
      let target = arguments.value(of: .pageOutput)
      if target == nil, session.outputIsTerminal {
        throw session.usage("the page is a large file: say where it goes, -o betwixt.html")
      }
      let page = try PageFile(session.environment).read()
      if let target { try PageFile.check(mayReplace: target) }
      try session.write(page, to: target)
      if let target, target != "-" {
        session.report("\(target.printable): open it in a browser\n")
      }
      return .done
    })
}

extension OptionSpec {
  fileprivate static let pageOutput = OptionSpec(
    "output", letter: "o", placeholder: "FILE",
    help: "Write the page to FILE, of which only an older page is replaced; - is standard output.")
}

/// Where the page stands that belongs to this program.
private struct PageFile {
  private let places: [String]

  private static let name = "betwixt.html"

  // From .build/TRIPLE/CONFIGURATION to the checkout.
  private static let depthOfBuild = 3

  init(_ environment: Environment) {
    guard let folder = environment.programFolder else {
      places = []
      return
    }
    var places = ["\(folder)/\(PageFile.name)", "\(folder)/../share/betwixt/\(PageFile.name)"]
    for depth in 1...PageFile.depthOfBuild {
      let parents = repeatElement("..", count: depth).joined(separator: "/")
      places.append("\(folder)/\(parents)/.build-web/page/\(PageFile.name)")
    }
    self.places = places
  }

  func read() throws(ToolFailure) -> [UInt8] {
    guard let path = places.first(where: SystemCall.isThere) else {
      throw ToolFailure(
        .noInput,
        """
        Error: there is no \(PageFile.name) beside this program
        Make it in a checkout with Sources/BetwixtWeb/make-page, and copy it from .build-web/page \
        to the program.
        """)
    }
    let page: [UInt8]
    do {
      page = try InputFile.read(path, limit: { _ in .max })
    } catch {
      throw ToolFailure(error)
    }
    guard PageFile.isPage(page) else {
      throw ToolFailure(.badData, "Error: \(path.printable) is no page: make it anew")
    }
    return page
  }

  /// Refuses to write over anything but a page.
  static func check(mayReplace path: String) throws(ToolFailure) {
    guard path != "-", let status = try? SystemCall.status(of: path), status.kind == .regular,
      let start = try? InputFile.start(of: path), !start.isEmpty, !isPage(start)
    else { return }
    throw ToolFailure(
      .cannotCreate,
      "Error: \(path.printable) is there and is no page: remove it first, or give another name")
  }

  private static func isPage(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "<!doctype html>".utf8)
  }
}
