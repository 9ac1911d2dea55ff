import Foundation

/// The most memory that this process has had at once, as Linux counts it.
package enum PeakMemory {
  /// Forgets the peak so far; the memory now.
  package static func reset() -> Int {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return read()
  }

  package static func read() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }
}
