import Betwixt
import Foundation

/// Vectors of the scheme, as its reference model writes them.
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

  /// Reads a file of vectors in the resources beside the tests.
  static func load(_ name: String) throws -> SortKeyVectors {
    let resources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Resources")
    return try load(resources.appendingPathComponent(name))
  }

  /// The sets to test: the golden ones, numbers longer than a double, keys by several in turns between
  /// imported numbers, and any that the environment names, made with another seed.
  static func loadAll() throws -> [SortKeyVectors] {
    var all = try [
      load("sort-key-vectors.json"), load("sort-key-long-numbers.json"),
      load("sort-key-turns.json"),
    ]
    if let path = ProcessInfo.processInfo.environment["BETWIXT_SORT_KEY_VECTORS"] {
      all.append(try load(URL(fileURLWithPath: path)))
    }
    return all
  }

  private static func load(_ url: URL) throws -> SortKeyVectors {
    try JSONDecoder().decode(SortKeyVectors.self, from: Data(contentsOf: url))
  }
}
