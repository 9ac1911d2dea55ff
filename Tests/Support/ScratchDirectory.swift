import Foundation

/// Whether the long forms of tests run: BETWIXT_LONG=1.
package let runsLong = ProcessInfo.processInfo.environment["BETWIXT_LONG"] == "1"

/// A directory of the real file system for one test.
package final class ScratchDirectory: Sendable {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "betwixt-" + UUID().uuidString
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
