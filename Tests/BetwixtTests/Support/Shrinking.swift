import Testing

/// What a run ended with that it must not.
struct Divergence: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws if a condition of a run does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(Divergence) {
  guard condition else { throw Divergence(message()) }
}

/// Runs generated programs; a failing one is cut down and printed as it can be pasted into a test.
func checkPrograms(
  seeds: Range<UInt64>, length: Int, mix: Action.Mix,
  sourceLocation: SourceLocation = #_sourceLocation,
  run: ([Action]) -> Divergence?
) {
  for seed in seeds {
    var source = ChoiceSource(seed: seed)
    let program = Action.program(length: length, mix, from: &source)
    guard let divergence = run(program) else { continue }
    let (shrunk, reason) = shrink(program, divergence, run)
    let lines = shrunk.map { "  .\($0)," }.joined(separator: "\n")
    Issue.record("seed \(seed): \(reason)\n[\n\(lines)\n]", sourceLocation: sourceLocation)
    return
  }
}

/// Leaves out steps, ever fewer at a time, as long as the run still fails.
private func shrink(
  _ program: [Action], _ divergence: Divergence, _ run: ([Action]) -> Divergence?
) -> ([Action], Divergence) {
  var best = (program, divergence)
  var size = program.count / 2
  while size > 0 {
    var start = 0
    while start < best.0.count {
      var candidate = best.0
      candidate.removeSubrange(start..<min(start + size, candidate.count))
      if let found = run(candidate) { best = (candidate, found) } else { start += size }
    }
    size /= 2
  }
  return best
}
