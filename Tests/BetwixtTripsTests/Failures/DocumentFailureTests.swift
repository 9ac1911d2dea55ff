import BetwixtTrips
import Testing

@Suite struct DocumentFailureTests {
  @Test func descriptionNamesFilePlaceReasonAndText() {
    var failure = DocumentFailure(
      file: "a/trip.json", place: .text(line: 12, column: 3), reason: .wrongType,
      text: "“day” is a whole number")
    #expect("\(failure)" == "a/trip.json:12:3: wrong-type: “day” is a whole number")
    failure.place = .binary(offset: 77)
    failure.reason = .truncated
    failure.text = "the block ends here"
    #expect("\(failure)" == "a/trip.json: offset 77: truncated: the block ends here")
  }

  @Test func columnsCountBytesFromOne() {
    let bytes = Array("{\n\"é\":\r\n 1 x}".utf8)
    func place(of offset: Int) -> DocumentFailure.Place {
      DocumentFailure(file: "", bytes: bytes, problem: TextProblem(.syntax, at: offset, ""))
        .place
    }
    #expect(place(of: 0) == .text(line: 1, column: 1))
    #expect(place(of: 1) == .text(line: 1, column: 2))
    #expect(place(of: 2) == .text(line: 2, column: 1))
    #expect(place(of: 6) == .text(line: 2, column: 5))
    #expect(place(of: bytes.count) == .text(line: 3, column: 6))
  }

  @Test func firstProblemIsTheOneThatStandsFirst() throws {
    var first = FirstProblem()
    try first.rethrow()
    first.note(.missing, at: 9, "later")
    first.note(.badValue, at: 4, "first")
    first.note(.wrongType, at: 4, "beside it")
    #expect(first.problem == TextProblem(.badValue, at: 4, "first"))
    #expect(throws: TextProblem.self) { try first.rethrow() }
  }

  @Test func reasonsAreTheStableWords() {
    let words = DocumentFailure.Reason.allCases.map(\.rawValue).joined(separator: " ")
    #expect(
      words == """
        invalid-utf8 syntax truncated duplicate-member too-deep number-out-of-range wrong-type \
        missing bad-value duplicate-id reserved-id wrong-trip unknown-member unsupported-version \
        too-large
        """)
  }
}
