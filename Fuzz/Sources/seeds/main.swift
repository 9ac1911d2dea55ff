import BetwixtTesting
import FuzzSupport

let usage = """
  OVERVIEW: Writes the inputs to begin with of each target of libFuzzer, or names the targets.

  USAGE: seeds [--into <folder>]

  The folder has one folder for each target; what is there already stays.
  """
let options = Options(words: ["--into"], usage: usage)
for target in HostileInput.allCases {
  guard let folder = options.word("--into") else {
    print(target.rawValue)
    continue
  }
  for (number, bytes) in try target.seeds.enumerated() {
    let path = "\(folder)/\(target.rawValue)/seed-\(number)"
    guard save(bytes, to: path) else { fail("Error: \(path) cannot be written.", code: 73) }
  }
}
