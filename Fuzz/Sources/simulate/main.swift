import BetwixtTesting
import FuzzSupport

let usage = """
  OVERVIEW: Runs programs of several replicas with faults, and compares each step with a model.

  USAGE: simulate [--seed <first>] [--runs <count>] [--operations <count>] [--replicas <most>]
                  [--length <actions>] [--thorough <step>] [--wide <of 16>] [--only <kinds>]
                  [--program <file>] [--quiet] [--first]

  A failure prints the command that replays it and the smallest program that shows it. With
  --operations, runs go on until so many actions were done. Of 16 programs --wide many, 4 unless told,
  are about documents in files, and what people do with them. Of every fourth program the bytes of the
  list are read back too, and its digest worked out anew; --thorough asks for it at other steps. With
  --program, one file is run. With --first, a failure is not made smaller.
  """
let options = Options(
  numbers: ["--seed", "--runs", "--operations", "--replicas", "--length", "--thorough", "--wide"],
  words: ["--program", "--only"], flags: ["--quiet", "--first"], usage: usage)

var simulation = Simulation(
  replicas: 2...Int(min(max(options.number("--replicas", else: 4), 2), 16)))
simulation.length = Int(min(options.number("--length", else: 60), 100_000))

simulation.wideShare = Int(min(options.number("--wide", else: 4), 16))
if let words = options.word("--only") {
  var weights: [ActionKind: Int] = [:]
  for word in words.split(separator: ",") {
    let parts = word.split(separator: "=")
    guard let kind = ActionKind(rawValue: String(parts[0])) else {
      fail("Error: '\(word)' is no kind of action.", code: 64)
    }
    weights[kind] = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
  }
  simulation.mix = ActionMix(weights)
}

if let path = options.word("--program") {
  guard let text = text(ofFile: path) else { fail("Error: \(path) cannot be read.", code: 66) }
  do {
    let program = try Program(text)
    do {
      let report = try simulation.run(program)
      print("\(path): holds, trace \(report.trace)")
    } catch {
      fail("\(path): \(simulation.failure(program, seed: nil))")
    }
  } catch {
    fail("Error: \(path): \(error)", code: 65)
  }
} else {
  LongRun(
    simulation, first: options.number("--seed", else: 1),
    runs: options.number("--runs", else: 1000),
    operations: options.number("--operations", else: 0), isQuiet: options.has("--quiet"),
    shrinks: !options.has("--first"), thoroughStep: options.number("--thorough", else: 4),
    only: options.word("--only")
  ).go()
}
