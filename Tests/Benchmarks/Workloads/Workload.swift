#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One thing to measure: a name for the command line and what it does.
struct Workload: Sendable {
  let name: String
  let summary: String

  /// The lines it prints, if they are not one line of its own name.
  var lines: [String] = []

  /// Whether it replays a recorded text.
  var needsTrace = false

  let run: @Sendable (Settings) throws -> [ResultLine]

  /// Whether a name on the command line means this workload or one of its lines.
  func answers(to name: String) -> Bool { name == self.name || lines.contains(name) }
}

/// What the command line says about how to run.
struct Settings: Sendable {
  /// Seconds after which a loop stops at the next multiple of 500 operations.
  var cap = defaultCap

  /// The recorded text trace: a path, or `-` for standard input.
  var trace: String?

  /// `BENCH_CAP_S`, or a minute.
  private static let defaultCap: Double = {
    guard let text = unsafe getenv("BENCH_CAP_S") else { return 60 }
    return unsafe Double(String(cString: text)) ?? 60
  }()
}
