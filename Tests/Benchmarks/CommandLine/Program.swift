import BetwixtFiles
import BetwixtTrips

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The command: from arguments to an exit code.
enum Program {
  private enum ExitCode {
    static let wrongResult: Int32 = 1
    static let usage: Int32 = 64
    static let badData: Int32 = 65
    static let noInput: Int32 = 66
    static let failure: Int32 = 70
  }

  static func run(_ arguments: [String]) -> Int32 {
    do {
      return try run(Invocation(arguments))
    } catch let error as Invocation.Misuse {
      complain("Error: \(error)\n\(HelpText.usage)")
      return ExitCode.usage
    } catch let error as Typing.NoTrace {
      complain("Error: \(error)")
      return ExitCode.usage
    } catch let error as InputFile.Unreadable {
      complain("Error: \(error)")
      return ExitCode.noInput
    } catch {
      complain("Error: \(error)")
      return error is TypingTrace.Malformed || error is TextProblem
        ? ExitCode.badData : ExitCode.failure
    }
  }

  private static func run(_ invocation: Invocation) throws -> Int32 {
    if invocation.wantsHelp {
      print(HelpText.help)
      return 0
    }
    if invocation.wantsList {
      print(HelpText.list)
      return 0
    }
    let lines = try lines(invocation)
    let results = try ResultSet(lines: lines)
    switch invocation.form {
    case .lines: break
    case .markdown: print(ResultTable.summary(results))
    case .comparison(let path):
      let theirs = try ResultSet(lines: String(decoding: InputFile.read(path), as: UTF8.self))
      print(ResultTable.comparison(results, theirs))
    }
    let isWrong = results.rows.contains(where: \.isWrong)
    return isWrong ? ExitCode.wrongResult : 0
  }

  /// The result lines: from a file, from this process, or from children.
  private static func lines(_ invocation: Invocation) throws -> String {
    if let path = invocation.ownResults {
      return String(decoding: try InputFile.read(path), as: UTF8.self)
    }
    let workloads = try invocation.workloads()
    guard !workloads.isEmpty else {
      throw Invocation.Misuse(description: "no workload named")
    }
    var collected = ""
    for (place, workload) in workloads.enumerated() {
      let wanted = invocation.wantsAll ? nil : invocation.names[place]
      for _ in 0..<invocation.repetitions {
        let text =
          workloads.count == 1 && invocation.repetitions == 1
          ? try inProcess(workload, wanted, invocation.settings)
          : try ChildProcess.output(of: arguments(for: workload, wanted, invocation.settings))
        if case .lines = invocation.form { print(text, terminator: "") }
        collected += text
      }
    }
    return collected
  }

  private static func inProcess(_ workload: Workload, _ wanted: String?, _ settings: Settings)
    throws -> String
  {
    var lines = try workload.run(settings)
    if let wanted, wanted != workload.name, workload.lines.contains(wanted) {
      lines.removeAll { $0.workload != wanted }
    }
    return lines.map { $0.json.description + "\n" }.joined()
  }

  private static func arguments(
    for workload: Workload, _ wanted: String?, _ settings: Settings
  ) -> [String] {
    var arguments = ["--cap", "\(settings.cap)"]
    if let trace = settings.trace { arguments += ["--trace", trace] }
    return arguments + [wanted ?? workload.name]
  }

  private static func complain(_ message: String) {
    let bytes = Array((message + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
