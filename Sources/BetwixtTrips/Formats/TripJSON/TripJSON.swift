public import Betwixt

/// `.trip.json`: the full state of a list as text.
///
/// Equal states give equal bytes, so `cmp`, `git diff` and checksums work, and nothing is lost:
/// reading what was written gives the same list, and writing what was read from a written file
/// gives the same bytes.
public enum TripJSON {
  static let formatWord = "betwixt-trip"
  static let version: Int64 = 1

  /// Writes a list.
  ///
  /// - Complexity: O(*n* log *n*) for *n* writes
  public static func encode(_ list: ReplicatedList) -> [UInt8] {
    var writer = JSONWriter()
    writer.document(list)
    return writer.bytes
  }

  /// Reads a file.
  ///
  /// White space and the order of members and items are free. Anything that is no part of the
  /// state is refused, because it could not be kept.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - file: The name of the file, for errors.
  /// - Returns: The list.
  /// - Throws: The first problem in the file: of its UTF-8, else of its syntax, else of its
  ///   meaning.
  /// - Complexity: O(*n* log *n*) for *n* bytes
  public static func decode(
    _ bytes: [UInt8], file: String
  ) throws(DocumentFailure) -> ReplicatedList {
    do {
      return try TripJSONReader.read(try JSONScanner.scan(bytes)).list
    } catch {
      throw DocumentFailure(file: file, bytes: bytes, problem: error)
    }
  }
}
