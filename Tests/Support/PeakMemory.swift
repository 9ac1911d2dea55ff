import Foundation

/// The most memory that this process has had at once, as Linux counts it.
package enum PeakMemory {
  struct Unknown: Error {}

  /// Forgets the peak so far; the memory now.
  package static func reset() throws -> Int {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return try read()
  }

  package static func read() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let count = Int(line.filter(\.isNumber))
    else { throw Unknown() }
    return count * 1024
  }
}
