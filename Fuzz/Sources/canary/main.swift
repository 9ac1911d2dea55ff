import BetwixtTesting
import FuzzSupport

let usage = """
  OVERVIEW: Plants bugs, one at a time, and fails unless the simulation finds each of them.

  USAGE: canary [--seed <first>] [--runs <most for each>] [--only <name>]

  A bug counts as found if a run fails within the budget, the smallest program found has at most
  ten actions, and that program holds when the bug is taken out.
  """
let options = Options(numbers: ["--seed", "--runs"], words: ["--only"], usage: usage)
let first = options.number("--seed", else: 1)
let budget = options.number("--runs", else: 2000)
let only = options.word("--only")
let chosen = Canary.all.filter { only == nil || $0.name == only }
guard !chosen.isEmpty else {
  fail("Error: no such bug; there are \(Canary.all.map(\.name).joined(separator: ", ")).", code: 64)
}

var missed: [String] = []
for canary in chosen {
  let verdict = canary.hunt(seeds: first..<first &+ budget)
  print("\(canary.name): \(verdict.text)")
  if !verdict.isFound { missed.append(canary.name) }
}
if !missed.isEmpty { fail("FAILED: not found: \(missed.joined(separator: ", "))") }
print("all \(chosen.count) planted bugs were found")
