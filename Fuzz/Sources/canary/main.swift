import BetwixtTesting
import FuzzSupport

let usage = """
  OVERVIEW: Plants bugs, one at a time, and fails unless the simulation finds each of them.

  USAGE: canary [--seed <first>] [--runs <most for each>] [--only <name>] [--wide]

  A bug counts as found if a run fails within the budget, the smallest program found has at most
  ten actions, and that program holds when the bug is taken out. With --wide also those bugs are
  planted that only programs over documents in files show; the smallest program must have an action
  of the kind that the bug is about.
  """
let options = Options(
  numbers: ["--seed", "--runs"], words: ["--only"], flags: ["--wide"], usage: usage)
let first = options.number("--seed", else: 1)
let budget = options.number("--runs", else: 20_000)
let only = options.word("--only")
let all = options.has("--wide") || only != nil ? Canary.all + Canary.wide : Canary.all
let chosen = all.filter { only == nil || $0.name == only }
guard !chosen.isEmpty else {
  fail("Error: no such bug; there are \(all.map(\.name).joined(separator: ", ")).", code: 64)
}

var missed: [String] = []
for canary in chosen {
  let verdict = canary.hunt(seeds: first..<first &+ budget)
  print("\(canary.name): \(verdict.text)")
  if !verdict.isFound { missed.append(canary.name) }
}
if !missed.isEmpty { fail("FAILED: not found: \(missed.joined(separator: ", "))") }
print("all \(chosen.count) planted bugs were found")
