#if os(Linux)
import BetwixtFiles
import BetwixtSync
import Foundation
import TestSupport
import Testing

/// What an examination of a great file takes, in a process of its own.
@Suite struct ExaminationMemoryTests {
  /// `.ci/try-tool` does the same with a gigabyte.
  @Test func aGreatFileThatIsNoDocumentIsNotKeptInMemory() async {
    await #expect(processExitsWith: .success) {
      let path = NSTemporaryDirectory() + "zeros-\(UInt64.random(in: 0 ... .max)).trip"
      defer { try? FileManager.default.removeItem(atPath: path) }
      guard FileManager.default.createFile(atPath: path, contents: nil),
        let file = FileHandle(forWritingAtPath: path),
        (try? file.truncate(atOffset: 64 << 20)) != nil
      else { exit(3) }
      // Code that runs for the first time is read from the drive.
      if (try? DocumentExamination([UInt8](repeating: 0, count: 100))) != nil { exit(4) }
      let before = try PeakMemory.reset()
      do throws(DocumentFileFailure) {
        _ = try DocumentExamination(of: path)
        exit(5)
      } catch {
        if error != DocumentFileFailure.unreadable(DecodeFailure(.badMagic, at: 0)) { exit(6) }
      }
      if try PeakMemory.read() - before > 4 << 20 { exit(7) }
    }
  }
}
#endif
