import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Session {
  /// Talks about a document with a program that is run for it, or with whoever started this one.
  mutating func converse(
    _ name: String, running line: String?, isMade: Bool, silence: Int64?,
    admission: AdmissionPolicy
  ) throws(ToolFailure) -> SyncOutcomeReport {
    let place = try DocumentPlace(name)
    if isMade, !place.exists {
      var host = NamedDocument(isMade: true, settings: serverSettings) { _ in place.path }
      let end = try talk(
        &host, list: nil, by: nil, running: line, silence: silence, admission: admission)
      if host.list == nil, end.isSilence {
        throw ToolFailure(
          .tryAgain,
          """
          Error: the other side did not say which document it has, and waits to hear that from \
          here, or is slow (--silence waits longer); of one that serves many documents, make an \
          empty copy with 'betwixt new --id ID \(name.shellPath)', and sync that
          """)
      }
      for message in host.messages { warn(message) }
      guard let list = host.list else {
        _ = try end.traffic()
        throw ToolFailure(name, because: DocumentFileFailure.notFound)
      }
      return SyncOutcomeReport(
        end, list: list, before: ReplicatedList(id: list.id), losses: host.losses,
        notTaken: host.notTaken)
    }
    var document = try openDocument(name, access: .shared, isWriting: false)
    let (writer, list) = (document.writer, document.list)
    let talk: (value: (end: ConversationEnd, events: [SyncEvent]), changes: ListChanges)
    do {
      talk = try document.hosting { (host) throws(ToolFailure) in
        (
          try self.talk(
            &host, list: list, by: writer, running: line, silence: silence, admission: admission),
          host.events
        )
      }
    } catch {
      tell(&document)
      return SyncOutcomeReport(failed: error, on: &document, before: list)
    }
    // What the session has shown of the own id counts, however it ended.
    tell(&document)
    return SyncOutcomeReport(
      talk.value.end, list: document.list, before: list,
      losses: talk.changes.losses(
        in: document.list, there: "the other copy", calledAsIn: [list]),
      notTaken: NotTaken.all(in: talk.value.events))
  }

  /// Runs one session.
  ///
  /// - Parameters:
  ///   - host: What it works on.
  ///   - list: The list, if it is known before the other side has spoken.
  ///   - writer: Who writes on this side.
  ///   - line: What to run for the other side; `nil` for standard input and output.
  ///   - silence: How long the other side may say nothing, in milliseconds; `nil` as ever.
  ///   - admission: What is let in.
  /// - Returns: How it ended.
  /// - Throws: ``ToolFailure`` if there was no session.
  mutating func talk(
    _ host: inout some SessionHost & ~Copyable, list: ReplicatedList?, by writer: ReplicaID?,
    running line: String?, silence: Int64? = nil, admission: AdmissionPolicy
  ) throws(ToolFailure) -> ConversationEnd {
    guard line != nil || !outputIsTerminal else {
      throw usage("option '--stdio' is for the other end of --exec, not for a terminal")
    }
    PeerProcess.ignoreBrokenPipes()
    var end = ConversationEnd(line: line)
    do {
      if let line {
        let peer = try PeerProcess(line)
        let result = Result { () throws(FileSystemError) in
          try run(
            &host, list: list, by: writer, silence: silence, admission: admission,
            reading: peer.output, writing: peer.input)
        }
        end.exitCode = peer.finish()
        end.pipe = try result.get()
      } else {
        end.pipe = try run(
          &host, list: list, by: writer, silence: silence, admission: admission,
          reading: SystemCall.standardInput,
          writing: SystemCall.standardOutput)
      }
    } catch let error as FileSystemError {
      throw ToolFailure(.inputOutput, "Error: the connection failed: \(error.sentence)")
    } catch {
      let reason = (error as? SystemError)?.reason ?? "\(error)"
      throw ToolFailure(.inputOutput, "Error: cannot run '\((line ?? "").printable)': \(reason)")
    }
    return end
  }

  private func run(
    _ host: inout some SessionHost & ~Copyable, list: ReplicatedList?, by writer: ReplicaID?,
    silence: Int64?, admission: AdmissionPolicy, reading input: Int32, writing output: Int32
  ) throws(FileSystemError) -> PipeEnding {
    var random = SystemRandomNumberGenerator()
    var setup = SyncSetup(
      replica: writer, implementation: "betwixt \(Tool.version)",
      wallClock: SystemCall.wallClockMilliseconds, admission: admission)
    setup.silence = silence
    let talk = SyncSession(
      setup, list: list, nonce: .random(using: &random), now: PipeDriver.now())
    var driver = PipeDriver(talk, reading: input, writing: output)
    let progress = progress()
    if let progress {
      driver.progress = { sent, received in
        progress.show("\(sent >> 10) KiB sent, \(received >> 10) KiB received")
      }
    }
    defer { progress?.finish() }
    return try driver.run(&host)
  }
}

extension SyncOutcomeReport {
  /// What a session came to, however it ended.
  fileprivate init(
    _ end: ConversationEnd, list: ReplicatedList, before: ReplicatedList, losses: MergeReport,
    notTaken: [NotTaken]
  ) {
    self.init(list: list, before: before, losses: losses, notTaken: notTaken)
    do { traffic = try end.traffic() } catch { failure = error }
  }
}

/// How a session ended, for the one who started it.
struct ConversationEnd {
  fileprivate let line: String?
  fileprivate var pipe: PipeEnding?
  fileprivate var exitCode: Int32?

  /// Whether nobody said anything until one side gave up.
  fileprivate var isSilence: Bool {
    switch pipe?.end {
    case .failed(let failure), .peerFailed(let failure): failure.code == .timeout
    case .cut, .finished, nil: false
    }
  }

  /// The traffic of a session that ended well.
  ///
  /// - Throws: ``ToolFailure`` that says what went wrong and what helps.
  func traffic() throws(ToolFailure) -> [(name: String, count: Int, words: String)] {
    guard let pipe else { throw ToolFailure(.internalFault, "Error: there was no session") }
    switch pipe.end {
    case .finished:
      return [
        ("bytesSent", pipe.sentByteCount, "bytes sent"),
        ("bytesReceived", pipe.receivedByteCount, "received"),
      ]
    case .cut:
      throw cut(pipe)
    case .failed(let failure):
      throw failed(failure, pipe: pipe)
    case .peerFailed(let failure):
      throw ToolFailure(
        failure.exitCode, "Error: the other side gave up: \(failure.sentence(isPeer: true))")
    }
  }

  private func cut(_ pipe: PipeEnding) -> ToolFailure {
    guard pipe.receivedByteCount == 0, let exitCode, let line else {
      return ToolFailure(
        .tryAgain, "Error: the connection was cut; what arrived is kept, and the next sync goes on")
    }
    return ToolFailure(
      .inputOutput,
      "Error: '\(line.printable)' ended with the exit code \(exitCode) before it said anything")
  }

  private func failed(_ failure: SyncFailure, pipe: PipeEnding) -> ToolFailure {
    guard pipe.strayText.isEmpty else {
      return ToolFailure(
        .badData,
        """
        Error: the other side wrote '\(pipe.strayText.printable)' in place of the sync protocol; \
        login scripts there must print nothing, and the command must be 'betwixt sync --stdio' or \
        'betwixt serve'
        """)
    }
    return ToolFailure(failure.exitCode, "Error: \(failure.sentence(isPeer: false))")
  }
}

extension SyncFailure {
  /// The exit code that it ends with.
  fileprivate var exitCode: ExitCode {
    switch code {
    case .timeout, .identityInUse, .unavailable: .tryAgain
    case .storage: .inputOutput
    case .notConverged, .noProgress: .internalFault
    default: .badData
    }
  }

  /// What went wrong and what helps, in words.
  fileprivate func sentence(isPeer: Bool) -> String {
    let text = detail.printable
    return switch code {
    case .documentUnknown where text.isEmpty && isPeer:
      "it has no such document; the option --create there makes it"
    case .documentUnknown where text.isEmpty:
      "there is no such document here; the option --create makes it"
    case .documentUnknown where ListID(text) != nil: "the other side has another document: \(text)"
    case .documentUnknown:
      isPeer ? "it does not open its document: \(text)" : text
    case .identityInUse:
      "both sides wrote as \(text) and have taken new ids now; run it again"
    case .timeout where isPeer: "it heard nothing for too long"
    case .timeout:
      "the other side said nothing for too long; what arrived is kept, and --silence waits longer"
    case .notConverged:
      """
      after everything was exchanged the copies differ, which is a defect of betwixt or of the \
      other program: \(text)
      """
    case .versionRange: "no version of the protocol is known to both sides: \(text)"
    case .limitExceeded: "\(self); what had arrived before is kept".printable
    case .malformed where text.hasPrefix("both nonces are equal"):
      "the other side sends back what it is sent; the command has to run 'betwixt sync --stdio'"
    default: "\(self)".printable
    }
  }
}
