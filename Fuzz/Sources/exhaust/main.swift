import BetwixtTesting
import FuzzSupport

let usage = """
  OVERVIEW: Runs every program of a few actions over three replicas and two items.

  USAGE: exhaust [--actions <most>]

  Both items are there and known to all at first; the clock stands still, so that stamps tie. All is
  done twice, with rising and with falling ids. States that were reached before are not gone on
  from again.
  """
let options = Options(numbers: ["--actions"], usage: usage)
let length = Int(min(options.number("--actions", else: 5), 8))

var states = 0
for isRising in [true, false] {
  var search = Search(length: length, isRising: isRising)
  do {
    try search.run()
  } catch {
    fail("FAILED: \(error)")
  }
  print(
    "\(isRising ? "rising" : "falling") ids: \(search.stateCount) states, "
      + "\(search.stepCount) steps, for \(search.programCount) programs of up to \(length) actions")
  states += search.stateCount
}
print("\(states) states, all of them sound")
