import Betwixt
import BetwixtFiles
import BetwixtSync

extension Command {
  /// Examines document files and rescues what is in them.
  static let doctor = Command(
    name: "doctor",
    synopsis: "[-o FILE] FILE",
    summary: "Examines a document file and says what is wrong with it.",
    details: """
      Nothing is changed. The exit code is 1 if anything is wrong, now or since a repair whose \
      damaged original (FILE.damaged-1) is still there. With -o all that can be recovered is \
      written into a new document: every whole commit of FILE, whatever its first bytes are, and \
      of the generation before. FILE may be a FILE.damaged-1 or FILE.previous, too. Writes that no \
      later edit can beat, from a clock that was far ahead or made to do harm, are named, and stand \
      in the new document as if they were written now; 'betwixt repair --clock' does that for one's \
      own writes in place.
      """,
    operands: [("FILE", "A document or a .trip file.")],
    operandCount: 1...1,
    ownOptions: [.rescue, .json],
    examples: [
      "betwixt doctor trip.trip", "betwixt doctor -o rescued.trip trip.trip",
      "betwixt doctor -o before.trip trip.trip.previous",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let path = arguments.operands[0]
      guard arguments.value(of: .rescue) != "-" else {
        throw session.usage("a document is a file, not a stream: name one with -o")
      }
      let place = try DocumentPlace(path)
      try place.checkIsFile()
      let examination: DocumentExamination
      do throws(DocumentFileFailure) {
        examination = try DocumentExamination(of: place.path)
      } catch {
        guard case .unreadable = error,
          let before = DocumentExamination(generationBefore: place.path)
        else { throw ToolFailure(path, nothingRecoveredBecause: error) }
        examination = before
      }
      let poison = try Poison(
        in: examination.list, own: session.writers(of: path, examination: examination))
      if let target = arguments.value(of: .rescue) {
        try session.salvage(examination, of: place.path, poison: poison, to: target)
      }
      session.print(
        arguments.isSet(.json)
          ? examination.json(path, poison: poison) : examination.text(path, poison: poison))
      return examination.isSound && poison.isEmpty ? .done : .negative
    })
}

/// Writes that no later edit can beat.
private struct Poison {
  let writes: [WithheldWrite]
  /// How many of them this installation made.
  let ownCount: Int

  var isEmpty: Bool { writes.isEmpty }

  init(in list: ReplicatedList, own writers: Set<ReplicaID>) {
    writes = list.poisoned(under: AdmissionPolicy(now: SystemCall.wallClockMilliseconds))
    ownCount = writes.count { writers.contains($0.entry.stamp.replica) }
  }
}

extension Session {
  /// Who has written in a document here.
  fileprivate mutating func writers(
    of path: String, examination: DocumentExamination
  ) throws(ToolFailure) -> Set<ReplicaID> {
    let settings = documentSettings(.readOnly)
    guard let place = try? DocumentPlace(path),
      let state = DocumentState(of: place.path, settings: settings),
      let record = try? state.identityStore(settings).record(of: examination.list.id)
    else { return [] }
    return Set(record.former + [record.replica])
  }

  /// Writes what can be recovered, without what no later edit could beat.
  fileprivate mutating func salvage(
    _ examination: DocumentExamination, of path: String, poison: Poison, to target: String
  ) throws(ToolFailure) {
    var someone = Replica(id: ReplicaID(rawValue: SystemCall.randomBits())) {
      SystemCall.wallClockMilliseconds
    }
    let list: ReplicatedList
    do throws(EditFailure) {
      list = try examination.list.rewriting(poison.writes.map { $0.entry }, by: &someone)
    } catch {
      throw ToolFailure(.negative, "Error: \(target.printable): \(error)")
    }
    do {
      try Document.create(
        at: target, settings: documentSettings(.exclusive), startingWith: list, like: path
      ).close()
      hasChanged = true
    } catch {
      throw ToolFailure(error)
    }
  }
}

extension OptionSpec {
  fileprivate static let rescue = OptionSpec(
    "output", letter: "o", placeholder: "FILE",
    help: "Write what can be recovered to FILE, which must not exist yet.")
}

extension DocumentExamination {
  private var kind: String {
    switch container {
    case .document: "document"
    case .sealedBlock: "sealed"
    }
  }

  fileprivate func text(_ path: String, poison: Poison) -> String {
    var text =
      "\(path.printable): \(kind), \(byteCount) bytes, \(ItineraryText.count(Int64(list.count), "item")), digest \(list.digest)\n"
    if case .document(let generation) = container {
      text +=
        "generation \(generation), \(ItineraryText.count(Int64(commits.count), "commit")) in order\n"
    }
    let forgotten = list.forgottenItemCount
    if forgotten > 0 {
      let items = ItineraryText.count(Int64(forgotten), "removed item")
      text += "what \(items) held is forgotten, but for what was written later\n"
    }
    for problem in problems { text += "problem: \(problem)\n" }
    for write in poison.writes {
      text += "problem: \(WithheldText(write, in: list).sentence.printable)\n"
    }
    if poison.ownCount > 0 {
      text +=
        "\(poison.ownCount) of these writes were made here; where the clock is right, "
        + "'betwixt repair --clock' mends them\n"
    }
    if isSound, poison.isEmpty { text += "nothing is wrong\n" }
    return text
  }

  fileprivate func json(_ path: String, poison: Poison) -> String {
    var line = JSONLine()
    line.add("file", path)
    line.add("kind", kind)
    line.add("bytes", Int64(byteCount))
    line.add("items", Int64(list.count))
    line.add("commits", Int64(commits.count))
    line.add("salvaged", Int64(salvaged.count))
    line.add("digest", list.digest.description)
    line.add("problems", Int64(problems.count + poison.writes.count))
    line.add("poisoned", Int64(poison.writes.count))
    line.add("ownFuture", Int64(poison.ownCount))
    line.add("forgotten", Int64(list.forgottenItemCount))
    return line.text
  }
}

extension ToolFailure {
  /// A file of which nothing can be recovered: what others are told to try was tried.
  fileprivate init(_ path: String, nothingRecoveredBecause failure: DocumentFileFailure) {
    guard case .unreadable(let cause) = failure else {
      self.init(path, because: failure)
      return
    }
    if let words = HollowFile.words(at: path) {
      self.init(.badData, "Error: \(path.printable) \(words)")
      return
    }
    self.init(
      .badData,
      """
      \(path.printable): \(cause): nothing can be recovered from it. A .trip that was exported or merged has one \
      checksum over all of its bytes and no commits: take another copy of it, or export it again
      """)
  }
}
