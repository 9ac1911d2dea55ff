import BetwixtTool
import Foundation
import TestSupport
import Testing

@Suite struct InputFileTests {
  private func failure(_ body: () throws -> Void) -> FileFailure? {
    do {
      try body()
      return nil
    } catch {
      return error as? FileFailure
    }
  }

  @Test func readsAllBytes() throws {
    let folder = try ScratchFolder()
    let text = String(repeating: "0123456789", count: 20_000)
    let path = try folder.write(text, to: "long")
    #expect(try InputFile.read(path, limit: { _ in 200_000 }) == Array(text.utf8))
    #expect(try InputFile.read(folder.write("", to: "empty"), limit: { _ in 10 }).isEmpty)
  }

  @Test func theLimitIsExact() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("12345", to: "a")
    #expect(try InputFile.read(path, limit: { _ in 5 }).count == 5)
    #expect(
      failure { _ = try InputFile.read(path, limit: { _ in 4 }) }?.kind == .tooLarge(limit: 4))
  }

  @Test func whatIsNoFileIsUnreadable() throws {
    let folder = try ScratchFolder()
    #expect(
      failure { _ = try InputFile.read(folder.path("x"), limit: { _ in 5 }) }?.kind == .unreadable)
    #expect(failure { _ = try InputFile.read(folder.path, limit: { _ in 5 }) }?.kind == .unreadable)
    #expect(failure { _ = try InputFile.read("", limit: { _ in 5 }) }?.kind == .unreadable)
  }

  @Test func aPipeWithoutAWriterIsSaidAtOnce() throws {
    let folder = try ScratchFolder()
    let path = folder.path("pipe")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let found = whatMustReturn("reading a pipe") {
      failure { _ = try InputFile.read(path, limit: { _ in 5 }) }
    }
    #expect(found?.kind == .unreadable)
    #expect(found?.reason == "it is a pipe that nobody writes into")
  }

  /// As the shell makes it of `<(command)`, whose writer takes its time.
  @Test(arguments: ["printf 'some text'", "sleep 0.2; printf some; sleep 0.2; printf ' text'"])
  func aPipeWithAWriterIsReadToItsEnd(line: String) throws {
    let pipe = Pipe()
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    writer.arguments = ["-c", line]
    writer.standardOutput = pipe
    try writer.run()
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try InputFile.read(path, limit: { _ in 99 }) == Array("some text".utf8))
    writer.waitUntilExit()
  }

  @Test("A source is read to its end, whatever its parts", arguments: [1, 3, 1_000])
  func sources(_ partSize: Int) throws {
    let source = MemorySource("some text", partSize: partSize)
    #expect(try source.readAll(calling: "-", limit: { _ in 9 }) == Array("some text".utf8))
    let second = MemorySource("some text", partSize: partSize)
    #expect(
      failure { _ = try second.readAll(calling: "-", limit: { _ in 8 }) }?.kind
        == .tooLarge(limit: 8))
  }
}
