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

  @Test func aNameThatIsTooLongIsSaidWithItsCure() {
    let error = FileSystemError("open", because: .failed, number: SystemCall.nameTooLong)
    let said = ToolFailure("rome.trip", because: .fileSystem(error))
    #expect(said.text.contains("a shorter one"))
  }

  @Test(arguments: [
    (FileSystemError.Reason.readOnlyDrive, "its drive is read-only"), (.notOwner, "only the owner"),
  ])
  func whereRightsDoNotHelpNobodyIsSentForThem(_ reason: FileSystemError.Reason, _ cure: String) {
    let error = FileSystemError("lock", because: reason, number: 30)
    let said = ToolFailure("rome.trip", because: .fileSystem(error))
    #expect(said.text.contains(cure) && !said.text.contains("the right to"), "\(said.text)")
  }

  @Test func aFolderThatIsNotThereIsNamed() {
    func refusal(_ name: String) -> ToolFailure? {
      do {
        _ = try DocumentPlace(name)
        return nil
      } catch {
        return error
      }
    }
    let none = "/none-\(UInt64.random(in: 0...(.max)))"
    let text = refusal("\(none)/a/rome.trip")?.text
    #expect(text?.hasSuffix(": there is no folder \(none)/a") == true)
    #expect(refusal("\(none)/rome.trip")?.code == .noInput)
    #expect(refusal("")?.text == "Error: cannot read '': the name is empty")
    #expect(refusal("/rome.trip") == nil)
  }
}
