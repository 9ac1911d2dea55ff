import Betwixt
import Testing

@testable import BetwixtFiles

/// Every failure of a document says what helps, and nothing that does not.
@Suite("What a failure says") struct FailureTextTests {
  private func text(_ cause: Document.Failure.Cause) -> String {
    "\(Document.Failure("x.trip", cause: cause))"
  }

  private func error(_ reason: FileSystemError.Reason, _ number: Int32 = 0) -> FileSystemError {
    FileSystemError("append", because: reason, number: number)
  }

  @Test func aDriveThatIsFullNeedsRoom() {
    #expect(text(.file(.fileSystem(error(.noSpace)))).hasSuffix("make room on its drive"))
    let state = IdentityStoreFailure(error(.noSpace))
    for cause in [.identity(state), .file(.identity(state)), .folderState(error(.noSpace))]
      as [Document.Failure.Cause]
    {
      #expect(text(cause).contains("make room on the drive of Settings.stateDirectory"))
      #expect(!text(cause).contains("free the state directory"))
    }
  }

  @Test func whatMayNotBeWrittenMayBeRead() {
    #expect(text(.file(.fileSystem(error(.notPermitted)))).contains("access = .readOnly"))
  }

  /// Nobody gets rights to write on such a drive.
  @Test func aDriveThatIsReadOnlyIsNoMatterOfRights() {
    let error = PosixCall.failure("lock", number: 30)
    #expect(error.reason == .readOnlyDrive)
    let said = text(.file(.fileSystem(error)))
    #expect(said.contains("its drive is read-only") && !said.contains("right"), "\(said)")
    #expect(text(.folderState(error)).contains("Settings.stateDirectory"))
    #expect(text(.folder(.fileSystem(error.at("/shared/a")))).contains("read-only: use another"))
  }

  @Test func whoHasTooManyFilesOpenIsNotSentToLookAtTheDrive() {
    let full = PosixCall.failure("open", number: 24)
    #expect(full.reason == .tooManyOpen)
    let causes: [Document.Failure.Cause] = [
      .file(.fileSystem(full)), .identity(IdentityStoreFailure(full)), .folderState(full),
    ]
    for cause in causes {
      #expect(text(cause).contains("ulimit -n") && !text(cause).contains("stateDirectory"))
    }
    // Once, whether it is known where or not.
    for error in [full, full.at("/shared/a")] {
      #expect(text(.folder(.fileSystem(error))).split(separator: ";").count == 2)
    }
  }

  @Test func aFolderIsNoDocument() {
    #expect(text(.file(.fileSystem(error(.wrongKind, 21)))).contains("name a document"))
    let tooLong = error(.failed, PosixCall.nameTooLong)
    #expect(text(.file(.fileSystem(tooLong))).contains("choose a shorter name"))
    #expect(!text(.file(.fileSystem(error(.failed, 5)))).contains("name"))
  }

  @Test func whatIsGoneOrReplacedIsOpenedAgain() {
    #expect(text(.file(.notFound)).contains("moved or deleted"))
    #expect(text(.file(.surprise)).contains("another document has its name: open that"))
  }

  @Test func anEditThatFailedSaysWhy() {
    let failure = Document.Failure("x.trip", cause: .noStateDirectory)
    #expect("\(Document.EditFailed<EditFailure>.failed(failure))" == "\(failure)")
    struct No: Error, CustomStringConvertible { let description = "no" }
    #expect("\(Document.EditFailed<No>.refused(No()))" == "no")
  }
}
