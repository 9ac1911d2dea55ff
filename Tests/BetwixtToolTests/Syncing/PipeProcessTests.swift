import Betwixt
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// Two commands with pipes between them: small, full, slow, and with other bytes in them.
@Suite struct PipeProcessTests {
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    (laptop, phone) = (try TestDevice(), try TestDevice())
    try #require(
      laptop.run("new", "--name", "Rome", "--days", "3", laptop.path()).code == .done)
    let run = phone.run("sync", "--create", "--with", laptop.path(), phone.path())
    try #require(run.code == .done, "\(run.messages)")
  }

  /// Gives both devices more than any pipe holds.
  private func fill() throws {
    for device in [laptop, phone] {
      let note = String(repeating: "\(device.folder.path) ", count: 600)
      let items = (0..<20).map { number in
        """
        {"id":"\(UUID())","day":1,"title":"Stop \(number)","note":"\(note)",\
        "modifiedAt":"2026-05-01T00:00:00Z"}
        """
      }
      let text = """
        {"id":"\(try device.list().id.uuid)","startDate":"2026-05-01","days":3,
        "items":[\(items.joined(separator: ",\n"))]}
        """
      let run = device.run("import", "--into", device.path(), "--own", "-", input: text)
      try #require(run.code == .done, "\(run.messages)")
    }
  }

  @Test(arguments: [4_096, 65_536])
  func anyPipeIsLargeEnough(_ size: Int32) throws {
    try fill()
    let crossed = try CrossedTools(
      (["sync", "--stdio", laptop.path()], laptop.variables),
      (["sync", "--stdio", phone.path()], phone.variables), pipeSize: size)
    #expect(crossed.codes == [0, 0], "\(crossed.messages)")
    #expect(crossed.messages == ["", ""])
    #expect(try laptop.list() == phone.list())
    #expect(try laptop.list().count == 40)
  }

  #if os(Linux)
  /// What the command ignores itself ends the programs that it runs, as they expect.
  @Test func aPeerIgnoresNothing() throws {
    let run = try SpawnedTool(
      ["sync", "--exec", "grep SigIgn /proc/self/status >&2", laptop.path()],
      environment: laptop.variables)
    let line = try #require(run.messages.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
    let ignored = try #require(UInt64(line.split(whereSeparator: \.isWhitespace)[1], radix: 16))
    for number in [SIGPIPE, SIGXFSZ] {
      #expect(ignored & UInt64(1) << UInt64(number - 1) == 0, "\(line)")
    }
  }
  #endif

  /// Whoever started the command may have made its input such that nobody waits for it.
  @Test func anInputThatDoesNotWaitIsWaitedFor() throws {
    let (input, output) = (Pipe(), Pipe())
    let end = input.fileHandleForReading.fileDescriptor
    _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    let tool = try RunningTool(
      ["digest", "-"], environment: laptop.variables, input: input, output: output)
    Thread.sleep(forTimeInterval: 0.3)
    input.fileHandleForWriting.write(Data(SampleTrip.base.utf8))
    try input.fileHandleForWriting.close()
    #expect(tool.wait() == 0, "\(tool.messages)")
    let expected = ToolRun("digest", "-", input: SampleTrip.base).output
    try output.fileHandleForWriting.close()
    #expect(output.fileHandleForReading.readDataToEndOfFile() == Data(expected.utf8))
  }

  @Test func aPeerThatIsSlowToReadIsWaitedFor() throws {
    try fill()
    let peer = "sleep 0.5; " + phone.line("sync", "--stdio", phone.path())
    let run = laptop.run("sync", "--exec", peer, laptop.path())
    #expect(run.code == .done, "\(run.messages)")
    #expect(try laptop.list() == phone.list())
  }

  @Test func aCutIsNoLoss() throws {
    try fill()
    let before = try laptop.list()
    // The peer's answer ends after some bytes, and so does what it gets.
    let peer = phone.line("sync", "--stdio", phone.path()) + " | head -c 100000"
    let run = laptop.run("sync", "--exec", peer, laptop.path())
    #expect(run.code == .tryAgain, "\(run.messages)")
    #expect(run.messages.contains("the connection was cut"))
    #expect(try laptop.list().count >= before.count)
    let again = phone.line("sync", "--stdio", phone.path())
    #expect(laptop.run("sync", "--exec", again, laptop.path()).code == .done)
    #expect(try laptop.list() == phone.list())
  }

  @Test(arguments: [
    ("echo Welcome to host; ", "the other side wrote 'Welcome to host"),
    ("printf 'Last login: Monday'; ", "the other side wrote 'Last login: Monday"),
  ])
  func noiseIsQuoted(_ noise: String, _ words: String) throws {
    let before = try laptop.folder.bytes("trip.trip")
    let peer = noise + phone.line("sync", "--stdio", phone.path())
    let run = laptop.run("sync", "--exec", peer, laptop.path())
    #expect(run.code == .badData)
    #expect(run.messages.contains(words), "\(run.messages)")
    #expect(run.messages.contains("login scripts there must print nothing"))
    #expect(try laptop.folder.bytes("trip.trip") == before)
  }

  @Test(arguments: [
    ("exit 3", "ended with the exit code 3 before it said anything"),
    ("true", "ended with the exit code 0 before it said anything"),
    ("nonesuch-command 2> /dev/null", "ended with the exit code 127 before it said anything"),
  ])
  func aPeerThatSaysNothingIsNamed(_ peer: String, _ words: String) throws {
    let run = laptop.run("sync", "--exec", peer, laptop.path())
    #expect(run.code == .inputOutput)
    #expect(run.messages.contains("'\(peer)' \(words)"), "\(run.messages)")
  }

  @Test func anotherDocumentIsRefused() throws {
    #expect(phone.run("new", phone.path("other.trip")).code == .done)
    let peer = phone.line("sync", "--stdio", phone.path("other.trip"))
    let run = laptop.run("sync", "--exec", peer, laptop.path())
    #expect(run.code == .badData)
    #expect(run.messages.contains("the other side has another document: "))
  }

  @Test func createMakesACopyOfWhatThePeerNames() throws {
    try fill()
    let peer = laptop.line("sync", "--stdio", laptop.path())
    let run = phone.run("sync", "--create", "--exec", peer, phone.path("copy.trip"))
    #expect(run.code == .done, "\(run.messages)")
    #expect(try phone.list("copy.trip") == laptop.list())
  }

  @Test func silenceIsANumberOfSecondsOfSomebodyWhoIsWaitedFor() throws {
    for text in ["0", "-1", "86401", "1.5", "long"] {
      let run = laptop.run("sync", "--silence=\(text)", "--exec", "true", laptop.path())
      #expect(run.code == .usage && run.messages.contains("from 1 to 86400"), "\(text)")
    }
    let run = laptop.run("sync", "--silence", "5", "--with", "b.trip", laptop.path())
    #expect(run.code == .usage && run.messages.contains("is for --exec and --stdio"))
  }

  @Test func aPeerThatNeverSpeaksIsGivenUp() throws {
    // The shell would wait for its child.
    let silent = "echo $$ > '\(laptop.path("pid"))'; exec sleep 60"
    let run = laptop.run("sync", "--silence", "1", "--exec", silent, laptop.path())
    #expect(run.code == .tryAgain)
    #expect(run.messages.contains("said nothing for too long"))
    #expect(run.messages.contains("--silence waits longer"))
    // It has ended, also where the thread that started it blocks signals, and nobody waits for it.
    let said = try String(contentsOfFile: laptop.path("pid"), encoding: .utf8)
    let pid = try #require(pid_t(said.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(pid, 0) == -1)
    guard runsLong else { return }
    #expect(laptop.run("sync", "--exec", silent, laptop.path()).code == .tryAgain)
  }
}
