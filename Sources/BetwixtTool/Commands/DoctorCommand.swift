import Betwixt
import BetwixtSync

extension Command {
  /// Examines document files and rescues what is in them.
  static let doctor = Command(
    name: "doctor",
    synopsis: "[-o FILE] FILE",
    summary: "Examines a document file and says what is wrong with it.",
    details: """
      Nothing is changed. The exit code is 1 if anything is wrong. With -o all that can be \
      recovered is written into a new document.
      """,
    operands: [("FILE", "A document or a .trip file.")],
    operandCount: 1...1,
    ownOptions: [.rescue, .json],
    examples: ["betwixt doctor trip.trip", "betwixt doctor -o rescued.trip trip.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      let path = arguments.operands[0]
      let examination: DocumentExamination
      do throws(DocumentFileFailure) {
        examination = try DocumentExamination(of: path)
        if let target = arguments.value(of: .rescue) {
          try examination.salvage(to: target, .ofTool(.exclusive))
        }
      } catch {
        throw ToolFailure(path, error)
      }
      session.print(
        arguments.isSet(.json) ? examination.json(path) : examination.text(path))
      return examination.isSound ? .done : .negative
    })
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

  fileprivate func text(_ path: String) -> String {
    var text = "\(path): \(kind), \(byteCount) bytes, \(list.count) items, digest \(list.digest)\n"
    if case .document(let generation) = container {
      text += "generation \(generation), \(commits.count) commits in order\n"
    }
    for problem in problems { text += "problem: \(problem)\n" }
    if isSound { text += "nothing is wrong\n" }
    return text
  }

  fileprivate func json(_ path: String) -> String {
    var line = JSONLine()
    line.add("file", path)
    line.add("kind", kind)
    line.add("bytes", Int64(byteCount))
    line.add("items", Int64(list.count))
    line.add("commits", Int64(commits.count))
    line.add("salvaged", Int64(salvaged.count))
    line.add("digest", list.digest.description)
    line.add("problems", Int64(problems.count))
    return line.text
  }
}

extension ToolFailure {
  /// A document file that could not be opened or written.
  init(_ path: String, _ failure: DocumentFileFailure) {
    switch failure {
    case .notFound: self.init(.noInput, "Error: cannot read \(path): there is no such file")
    case .exists: self.init(.cannotCreate, "Error: cannot write \(path): it exists")
    case .locked:
      self.init(.tryAgain, "Error: \(path): another program writes it; try again later")
    case .unreadable(let failure), .needsUpgrade(let failure):
      self.init(.badData, "\(path): \(failure)")
    case .readOnly: self.init(.badData, "\(path): a newer version of betwixt wrote this")
    case .tooLarge: self.init(.badData, "\(path): the document would be too large")
    case .surprise:
      self.init(.tryAgain, "Error: \(path): something else replaced the file; try again")
    case .fileSystem(let error): self.init(.inputOutput, "Error: \(path): \(error.sentence)")
    case .ended, .notVerified: self.init(.inputOutput, "Error: \(path): \(failure)")
    }
  }
}
