import Foundation
import FuzzSupport
import Synchronization

/// Times of edits, gathered from all clients.
final class Measuring: Sendable {
  private let samples = Mutex<[Int64]>([])
  let acknowledged = Atomic<Int>(0)

  static var wallMilliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  /// Microseconds that never go back.
  static var now: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }

  func add(_ times: [Int64]) {
    if !times.isEmpty { samples.withLock { $0 += times } }
  }

  func reset() {
    samples.withLock { $0 = [] }
    acknowledged.store(0, ordering: .relaxed)
  }

  /// Milliseconds within which the edits were seen.
  func times() -> Times { Measuring.times(of: samples.withLock { $0 }) }

  /// Milliseconds: half of them, 99 of 100, and all.
  typealias Times = (count: Int, half: Double, most: Double, all: Double)

  /// What microseconds come to.
  static func times(of samples: [Int64]) -> Times {
    let sorted = samples.sorted()
    func part(_ share: Double) -> Double {
      guard let last = sorted.indices.last else { return .nan }
      return Double(sorted[min(last, Int(Double(sorted.count) * share))]) / 1_000
    }
    return (sorted.count, part(0.5), part(0.99), part(1))
  }
}

/// Seconds of a core that this process has used.
var ownSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// Another process: this program with other arguments.
final class Child {
  private let process = Process()

  /// Begins this program or another one; an idle one only gets the time that nobody else wants, as
  /// though it ran on another machine.
  init(_ arguments: [String], of program: String? = nil, isIdle: Bool = false) throws {
    let program = program ?? CommandLine.arguments[0]
    var command = [program]
    if isIdle {
      let hasClasses = FileManager.default.isExecutableFile(atPath: "/usr/bin/chrt")
      command =
        hasClasses
        ? ["/usr/bin/chrt", "--idle", "0", program] : ["/usr/bin/nice", "-n", "19", program]
    }
    command += arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// Ends it without a warning, if it has not ended yet.
  func kill() {
    guard process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The most memory that it ever took, and what it takes now, in MB; 0 where that is not told.
  var memory: (peak: Int, now: Int) {
    let text = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    func value(_ name: String) -> Int {
      let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
      return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }
    return (value("VmHWM:"), value("VmRSS:"))
  }

  /// Seconds of a core that it has used; 0 where that is not told.
  var seconds: Double {
    let text = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    // What stands before the last parenthesis is a name.
    let words = text?.split(separator: ")").last?.split(separator: " ") ?? []
    guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// Waiting that has an end.
enum Patience {
  /// Asks every few milliseconds whether something holds; after two minutes the run has failed.
  static func wait(for what: String, until holds: () async -> Bool) async {
    let end = Measuring.now + 120_000_000
    while await !holds() {
      guard Measuring.now < end else { fail("FAILED: waited two minutes for \(what)") }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}
