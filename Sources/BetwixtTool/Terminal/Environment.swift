import BetwixtFiles
import BetwixtSync

/// The environment variables that the tool heeds.
package struct Environment: Hashable, Sendable {
  /// A non-empty value forbids colour (`NO_COLOR`).
  package var noColor: String?

  /// The kind of terminal (`TERM`).
  package var terminalKind: String?

  /// The width of the terminal in columns (`COLUMNS`, else what the terminal says).
  package var columns: String?

  /// Where this installation keeps who it writes as (`BETWIXT_STATE`, or a folder of the home
  /// directory); without it nothing can be edited in place.
  package var stateDirectory: String?

  /// Where files may lie that are soon thrown away (`TMPDIR`, else `/tmp`).
  package var temporaryFolder = "/tmp"

  /// The folder of the program itself; what is installed with it stands beside it.
  package var programFolder: String?

  /// An environment with none of the variables set.
  package init() {}

  /// The width that text is wrapped to: `COLUMNS` if it is a sensible number, else 80.
  package var width: Int {
    guard let columns, let width = Int(columns), (1...10_000).contains(width) else { return 80 }
    return width
  }

  /// Whether the variables allow colour.
  package var allowsColor: Bool { (noColor ?? "").isEmpty && terminalKind != "dumb" }
}

extension Environment {
  /// The variables of this process.
  static var ofProcess: Environment {
    var environment = Environment()
    environment.noColor = SystemCall.environmentVariable("NO_COLOR")
    environment.terminalKind = SystemCall.environmentVariable("TERM")
    // Shells keep COLUMNS to themselves, so the terminal is asked.
    environment.columns =
      SystemCall.environmentVariable("COLUMNS")
      ?? SystemCall.terminalWidth(SystemCall.standardOutput).map { "\($0)" }
    environment.stateDirectory = FileIdentityStore.standardDirectory()
    if let folder = SystemCall.environmentVariable("TMPDIR"), !folder.isEmpty {
      environment.temporaryFolder = folder
    }
    environment.programFolder = programFolder
    return environment
  }

  /// The folder of the program that was called, by a path or by a name that the shell looked up.
  private static var programFolder: String? {
    guard let called = CommandLine.arguments.first, !called.isEmpty else { return nil }
    var paths = [called]
    if !called.contains("/") {
      paths = (SystemCall.environmentVariable("PATH") ?? "").split(separator: ":")
        .map { "\($0)/\(called)" }
    }
    guard let path = paths.first(where: SystemCall.isThere),
      let resolved = try? SystemCall.resolved(path), let slash = resolved.lastIndex(of: "/")
    else { return nil }
    return String(resolved[..<slash])
  }
}
