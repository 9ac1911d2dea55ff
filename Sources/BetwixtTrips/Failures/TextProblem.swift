/// A problem at a byte of a text, before the caller's name for the text is known.
package struct TextProblem: Error, Hashable, Sendable {
  /// The byte where it stands, counted from 0.
  package var offset: Int

  package var reason: DocumentFailure.Reason

  package var text: String

  package init(_ reason: DocumentFailure.Reason, at offset: Int, _ text: String) {
    self.offset = offset
    self.reason = reason
    self.text = text
  }
}

/// Keeps the first problem of a text while its parts are checked in any order.
package struct FirstProblem: Sendable {
  package private(set) var problem: TextProblem?

  package init() {}

  /// Takes note of a problem; of two at one byte the one that came first stays.
  package mutating func note(_ reason: DocumentFailure.Reason, at offset: Int, _ text: String) {
    if let problem, problem.offset <= offset { return }
    problem = TextProblem(reason, at: offset, text)
  }

  /// Throws the first problem, if there was one.
  package func rethrow() throws(TextProblem) {
    if let problem { throw problem }
  }
}
