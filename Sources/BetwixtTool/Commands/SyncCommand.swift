import Betwixt
import BetwixtSync

extension Command {
  /// Makes two copies of a document equal.
  static let sync = Command(
    name: "sync",
    synopsis: "(--with FILE | --exec COMMAND | --stdio) FILE",
    summary: "Brings a document and a copy of it elsewhere to the same state.",
    details: """
      Both sides end with all edits of both. What arrives is on the drive before it is \
      acknowledged, and a session that was cut goes on with the next one.
      """,
    operands: [
      ("FILE", "A document or a .trip file; it becomes a document with the first change.")
    ],
    operandCount: 1...1,
    ownOptions: [.with, .exec, .stdio],
    examples: [
      "betwixt sync --with /media/stick/rome.trip rome.trip",
      "betwixt sync --exec 'ssh host betwixt sync --stdio rome.trip' rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let path = arguments.operands[0]
      let ways = [
        arguments.value(of: .with) != nil, arguments.value(of: .exec) != nil,
        arguments.isSet(.stdio),
      ]
      guard ways.count(where: { $0 }) == 1 else {
        throw session.usage("one of --with, --exec and --stdio is needed")
      }
      if let other = arguments.value(of: .with) {
        return try DocumentSync.join(path, other, &session)
      }
      return try DocumentSync.converse(path, running: arguments.value(of: .exec), &session)
    })
}

extension OptionSpec {
  fileprivate static let with = OptionSpec(
    "with", placeholder: "FILE", help: "The copy is FILE, a document on this machine.")

  fileprivate static let exec = OptionSpec(
    "exec", placeholder: "COMMAND",
    help: "Run COMMAND with the shell and talk to its standard input and output.")

  fileprivate static let stdio = OptionSpec(
    "stdio", help: "Talk through standard input and output: for the other end of --exec.")
}

/// What the command does, in the order in which it must be done.
private enum DocumentSync {
  /// Joins two documents of this machine.
  static func join(
    _ path: String, _ other: String, _ session: inout Session
  ) throws(ToolFailure) -> ExitCode {
    var first = try open(path, &session)
    var second = try open(other, &session)
    guard first.list.id == second.list.id else {
      throw ToolFailure(.badData, "Error: \(path) and \(other) are different documents")
    }
    do throws(DocumentFileFailure) {
      try first.commit(second.list)
    } catch {
      throw ToolFailure(path, error)
    }
    do throws(DocumentFileFailure) {
      try second.commit(first.list)
    } catch {
      throw ToolFailure(other, error)
    }
    session.report("both hold \(first.list.count) items, digest \(first.list.digest)\n")
    return .done
  }

  private static func open(
    _ path: String, _ session: inout Session
  ) throws(ToolFailure) -> DocumentFile {
    do {
      let file = try DocumentFile.open(path, .ofTool)
      for finding in file.report.findings { session.report("\(path): \(finding)\n") }
      return file
    } catch {
      throw ToolFailure(path, error)
    }
  }

  /// Talks to a program, or to whoever started this one.
  static func converse(
    _ path: String, running line: String?, _ session: inout Session
  ) throws(ToolFailure) -> ExitCode {
    // The tool makes no writes of its own, so it needs no identity.
    var host = DocumentHost(try open(path, &session), nil)
    PeerProcess.ignoreBrokenPipes()
    let ending: PipeEnding
    do {
      if let line {
        let peer = try PeerProcess(line)
        defer { peer.finish() }
        ending = try run(&host, reading: peer.output, writing: peer.input)
      } else {
        ending = try run(
          &host, reading: SystemCall.standardInput, writing: SystemCall.standardOutput)
      }
    } catch let error as FileSystemError {
      throw ToolFailure(.inputOutput, "Error: the connection failed: \(error)")
    } catch {
      throw ToolFailure(.inputOutput, "Error: cannot run '\(line ?? "")': \(error)")
    }
    return try conclude(host, ending, path, &session)
  }

  private static func run(
    _ host: inout DocumentHost, reading input: Int32, writing output: Int32
  ) throws(FileSystemError) -> PipeEnding {
    var random = SystemRandomNumberGenerator()
    let talk = SyncSession(
      SyncSetup(implementation: "betwixt \(Tool.version)"), list: host.list,
      nonce: .random(using: &random), now: PipeDriver.now())
    var driver = PipeDriver(talk, reading: input, writing: output)
    return try driver.run(&host)
  }

  private static func conclude(
    _ host: borrowing DocumentHost, _ ending: PipeEnding, _ path: String, _ session: inout Session
  ) throws(ToolFailure) -> ExitCode {
    let list = host.file.list
    switch ending.end {
    case .finished:
      session.report(
        """
        \(path): \(list.count) items, digest \(list.digest), \
        \(ending.sentByteCount) bytes sent, \(ending.receivedByteCount) received

        """)
      return .done
    case .cut:
      throw ToolFailure(.tryAgain, "Error: the connection was cut; what arrived is kept")
    case .failed(let failure), .peerFailed(let failure):
      let text = ending.strayText.printable
      let stray = text.isEmpty ? "" : "; the other side wrote '\(text)'"
      throw ToolFailure(.badData, "Error: \(failure)\(stray)")
    }
  }
}
