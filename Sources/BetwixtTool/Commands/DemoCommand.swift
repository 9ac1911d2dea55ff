import BetwixtTrips

extension Command {
  /// Plays the demo.
  static let demo = Command(
    name: "demo",
    synopsis: "[-o FOLDER] [--color WHEN]",
    summary: "Edits a sample trip on two devices offline and merges them.",
    details: """
      The trip is built in: two weeks along the Pacific coast with real games of the World Cup \
      2026. Nothing is written without -o.
      """,
    operands: [],
    operandCount: 0...0,
    ownOptions: [.folder, .color],
    examples: ["betwixt demo", "betwixt demo -o sample"],
    action: { (arguments, session) throws(ToolFailure) in
      let style = try session.style(arguments)
      let folder = arguments.value(of: .folder)
      if folder == "-" { throw session.usage("the demo writes several files, not one stream") }
      let story: DemoStory
      do {
        story = try DemoStory()
      } catch {
        throw ToolFailure(.internalFault, "Error: the built-in trip does not work: \(error)")
      }
      session.print(story.text(width: session.environment.width, style: style))
      if let folder {
        try session.write(story, into: folder)
      } else {
        session.report("\nNothing was written. 'betwixt demo -o FOLDER' writes the files to try.\n")
      }
      return story.merged == story.mergedOnTablet ? .done : .internalFault
    })
}

extension Session {
  fileprivate mutating func write(_ story: DemoStory, into folder: String) throws(ToolFailure) {
    do { try OutputFile.makeFolder(folder) } catch { throw ToolFailure(error) }
    try write(Array(DemoTrip.json.utf8), to: "\(folder)/base.json")
    try write(TripJSON.encode(story.phone.list()), to: "\(folder)/phone.trip.json")
    try write(TripJSON.encode(story.tablet.list()), to: "\(folder)/tablet.trip.json")
    try write(TripJSON.encode(story.merged), to: "\(folder)/merged.trip.json")
    func word(_ name: String) -> String { "\(folder)/\(name)".shellPath }
    report(
      """

      Written to \(folder): base.json phone.trip.json tablet.trip.json merged.trip.json
      Try:
        betwixt diff \(word("base.json")) \(word("merged.trip.json"))
        betwixt merge \(word("tablet.trip.json")) \(word("phone.trip.json")) | betwixt show -

      """)
  }
}

extension OptionSpec {
  /// Names the folder that the demo writes to.
  static let folder = OptionSpec(
    "output", letter: "o", placeholder: "FOLDER",
    help: """
      Write the trip, both copies and the merged one to FOLDER, which is made if it is missing. \
      Files of these names are replaced.
      """)
}
