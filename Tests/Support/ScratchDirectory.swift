import Foundation

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
