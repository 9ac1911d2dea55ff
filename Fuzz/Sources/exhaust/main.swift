import BetwixtTesting
import FuzzSupport

let usage = """
  OVERVIEW: Runs every program of a few actions over three replicas and two items, and over two
  documents in files that are copied and put back.

  USAGE: exhaust [--actions <most>] [--file-actions <most>]

  Both items are there and known to all at first; the clock stands still, so that stamps tie. All is
  done twice, with rising and with falling ids. States that were reached before are not gone on
  from again. Programs over files have at most four actions, or as many as are asked for.
  """
let options = Options(numbers: ["--actions", "--file-actions"], usage: usage)
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

let fileLength = Int(min(options.number("--file-actions", else: UInt64(min(length, 4))), 6))
var files = FileSearch(length: fileLength)
do {
  try files.run()
} catch {
  fail("FAILED: \(error)")
}
print(
  "\(files.programCount) programs of up to \(fileLength) actions over files that are copied and put "
    + "back, all of them sound")
