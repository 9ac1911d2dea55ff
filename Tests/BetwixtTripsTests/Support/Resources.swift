import Foundation

/// The files beside the tests.
enum Resources {
  static func bytes(_ path: String, file: StaticString = #filePath) throws -> [UInt8] {
    let tests = URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
      .deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: tests.appendingPathComponent("Resources/\(path)")))
  }
}
