import BetwixtTesting
import Testing

@Suite("Programs are text")
struct ProgramTests {
  @Test("what is written is read again")
  func roundTrip() throws {
    let simulation = Simulation(replicas: 1...5)
    for seed in 0..<200 as Range<UInt64> {
      let program = simulation.program(seed: seed)
      #expect(try Program(program.description) == program, "seed \(seed)")
    }
  }

  @Test("numbers that are 0 are not written")
  func short() throws {
    let program = Program(
      replicaCount: 2, actions: [Action(0, .insert), Action(1, .move, 3, 0, 2), Action(0, .undo)])
    #expect(
      program.description == """
        betwixt program 1
        replicas 2
        0 insert
        1 move item 3 section 2
        0 undo

        """)
    let text = "# found by hand\n\nbetwixt program 1\nreplicas 2\n# here\n0 undo\n"
    #expect(try Program(text) == Program(replicaCount: 2, actions: [Action(0, .undo)]))
  }

  @Test(
    "a line that is no action is named",
    arguments: [
      "0", "0 fly", "0 insert offset", "0 insert offset x", "0 insert item 1", "99 insert",
      "-1 insert", "0 insert offset -1", "0 insert offset 99", "insert",
    ])
  func refused(line: String) {
    let text = "betwixt program 1\nreplicas 2\n0 insert\n\(line)\n"
    let error = #expect(throws: Violation.self) { try Program(text) }
    #expect(error?.description == "line 4 is no action: \(line)")
  }

  @Test("a header that is none is named", arguments: ["", "replicas 2", "betwixt program 2"])
  func header(text: String) {
    #expect(throws: Violation.self) { try Program(text) }
  }

  @Test("counts of replicas are 1 to 16", arguments: ["0", "17", "two", ""])
  func replicaCount(count: String) {
    #expect(throws: Violation.self) { try Program("betwixt program 1\nreplicas \(count)\n") }
  }

  @Test("bytes make programs, of whatever they are")
  func bytes() throws {
    let simulation = Simulation(replicas: 3)
    for seed in 0..<20 as Range<UInt64> {
      var random = ChoiceSource(seed: seed)
      let bytes = (0..<random.next(below: 200)).map { _ in UInt8(random.next(below: 256)) }
      var source = ChoiceSource(bytes: bytes)
      let program = simulation.program(from: &source)
      #expect(program.actions.count <= bytes.count)
      try simulation.run(program)
    }
  }
}
