import Foundation

/// A folder of one test's own, removed with the value.
final class ScratchFolder {
  let path: String

  init() throws {
    let parent = FileManager.default.temporaryDirectory
    path = parent.appendingPathComponent("betwixt-tests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    return path(name)
  }

  /// Writes a file of bytes.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  /// Takes a file away.
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// The bytes of a file.
  func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The content of a file.
  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The names in the folder, sorted.
  var names: [String] {
    get throws { try names(in: ".") }
  }

  /// The names in a folder of the folder, sorted.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }
}
