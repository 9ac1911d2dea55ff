import Betwixt
import Foundation

/// The golden vectors of the scheme.
struct SortKeyVectors: Decodable {
  struct Number: Decodable {
    let bits: String
    let bytes: String
  }

  struct Imported: Decodable {
    let bits: String
    let id: String
    let key: String
  }

  struct Between: Decodable {
    let left: String?
    let right: String?
    let replica: String
    let counter: Int64
    let key: String?
    let sortOrder: String?
    let reason: String?
    let note: String?
  }

  struct Malformed: Decodable {
    let hex: String
    let reason: String
    let offset: Int
  }

  let numbers: [Number]
  let imports: [Imported]
  let between: [Between]
  let refused: [Between]
  let malformed: [Malformed]

  /// Reads the copy beside the tests, or another set of the same shape.
  static func load() throws -> SortKeyVectors {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["BETWIXT_SORT_KEY_VECTORS"]
      ?? tests.appendingPathComponent("Resources/sort-key-vectors.json").path
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try JSONDecoder().decode(SortKeyVectors.self, from: data)
  }
}
