import BetwixtFiles
import Testing

@testable import BetwixtTool

/// What is said of a document file that could not be opened or written.
@Suite struct FileFailureTextTests {
  @Test(arguments: [
    (DocumentFileFailure.notFound, ExitCode.noInput), (.exists, .cannotCreate),
    (.locked, .tryAgain), (.readOnly, .badData), (.ended, .inputOutput), (.surprise, .tryAgain),
    (.notVerified, .inputOutput), (.tooLarge, .badData),
  ])
  func itIsASentenceOfTheFile(_ failure: DocumentFileFailure, _ code: ExitCode) {
    let said = ToolFailure("rome.trip", because: failure)
    #expect(said.code == code)
    #expect(said.text.contains("rome.trip: ") && !said.text.hasSuffix(": \(failure)"))
  }
}
