import BetwixtTrips

/// A recorded writing session: single-character patches and the text they lead to.
struct TypingTrace {
  struct Malformed: Error, CustomStringConvertible {
    var description: String { "the trace is not of the form {endContent, txns: [{patches}]}" }
  }

  struct Patch {
    let position: Int
    let deleted: Int
    let inserted: String
  }

  let patches: [Patch]
  let end: String

  /// Reads the JSON of `editing-traces`, already unpacked.
  init(path: String) throws {
    let json = try JSONScanner.scan(InputFile.read(path))
    guard let end = json["endContent"]?.string, let transactions = json["txns"]?.elements else {
      throw Malformed()
    }
    self.end = end
    patches = try transactions.flatMap { transaction in
      guard let patches = transaction["patches"]?.elements else { throw Malformed() }
      return try patches.map(TypingTrace.patch)
    }
  }

  /// The patches as edits of a list of one-character strings.
  var operations: [ListOperation] {
    patches.flatMap { patch in
      (0..<patch.deleted).map { _ in ListOperation.delete(at: patch.position) }
        + patch.inserted.unicodeScalars.enumerated().map { offset, scalar in
          .insert(at: patch.position + offset, value: String(scalar))
        }
    }
  }

  private static func patch(_ json: JSONValue) throws -> Patch {
    guard let parts = json.elements, parts.count == 3, let position = parts[0].count,
      let deleted = parts[1].count, let inserted = parts[2].string
    else { throw Malformed() }
    return Patch(position: position, deleted: deleted, inserted: inserted)
  }
}
