import Betwixt
import BetwixtTrips

extension Command {
  /// Prints the digests of documents.
  static let digest = Command(
    name: "digest",
    synopsis: "[--json] FILE...",
    summary: "Prints the digest of each file's state.",
    details: """
      Two files have one digest exactly if they hold the same writes, whatever their layout. A \
      plain file stands for the writes that its import makes.
      """,
    operands: [("FILE", "A trip in any format, or - for standard input.")],
    operandCount: 1...Int.max,
    ownOptions: [.json],
    examples: ["betwixt digest phone.trip.json tablet.trip.json"],
    action: { (arguments, session) throws(ToolFailure) in
      for file in try session.open(arguments.operands) {
        let digest = file.list().digest.description
        if arguments.isSet(.json) {
          var line = JSONLine()
          line.add("file", file.name)
          line.add("digest", digest)
          session.print(line.text)
        } else {
          session.print("\(digest)  \(file.name.printable)\n")
        }
      }
      return .done
    })
}
