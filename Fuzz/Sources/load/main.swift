import BetwixtFiles
import Foundation
import FuzzSupport

let usage = """
  OVERVIEW: Puts a server process under load, over sockets of this machine.

  USAGE: load [--clients N] [--documents N] [--rate N | --closed] [--seconds N] [--kills N]
              [--attack KIND [--attackers N]] [--server PROGRAM] | --smoke | --goals

  The clients are spread over the documents, and edit at a rate of all together, or each when its
  last edit is acknowledged. It tells how long it takes until another client sees an edit, how many
  are acknowledged, and the memory of the server. It fails if something acknowledged is lost, if a
  list differs from another or from its file, or if an honest client is turned away.
  Attackers get only the time that nobody else wants, as though they ran on another machine.
  Kinds of attacks: \(Attack.allCases.map(\.rawValue).joined(separator: ", ")).
  --server names another program to put under load. It is called with "serve FOLDER MODE", listens at
  the socket FOLDER/socket, takes eight bytes as the name of a user and answers with a byte that is 1,
  and keeps its documents in FOLDER as a ServerFolder does.
  With --kills the server is killed and begun again so often. --smoke takes seconds; --goals
  measures what the scorecard says.
  """

/// Many connections are many open files.
func raiseFileLimit() {
  var limit = rlimit()
  #if os(Linux)
  let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  let kind = RLIMIT_NOFILE
  #endif
  guard unsafe getrlimit(kind, &limit) == 0 else { return }
  limit.rlim_cur = min(limit.rlim_max, 20_000)
  unsafe _ = setrlimit(kind, &limit)
}

func report(_ run: LoadRun) async throws -> LoadRun.Result {
  let result = try await run.run()
  print(result.text)
  _ = fflush(nil)
  return result
}

/// A little of everything.
func smoke() async throws {
  _ = try await report(LoadRun(clients: 20, documents: 2, rate: 40, seconds: 1))
  _ = try await report(LoadRun(clients: 20, documents: 4, rate: 0, seconds: 1))
  _ = try await report(LoadRun(clients: 6, documents: 2, rate: 0, kills: 3))
  for attack in Attack.allCases {
    let count = attack == .connections ? 300 : nil
    _ = try await report(LoadRun(rate: 20, seconds: 1, attack: attack, attackers: count))
  }
}

func goals() async throws {
  _ = try await report(LoadRun(clients: 1_000, rate: 10, seconds: 20))
  let one = try await report(LoadRun(clients: 1, rate: 0, seconds: 10))
  let all = try await report(LoadRun(clients: 1_000, documents: 100, rate: 0, seconds: 20))
  print("a thousand clients: \(all.editsPerSecond / one.editsPerSecond) x the edits of one")
  let calm = try await report(LoadRun(rate: 20, seconds: 15))
  for attack in Attack.allCases {
    let result = try await report(LoadRun(rate: 20, seconds: 15, attack: attack))
    print("beside \(attack.rawValue): \(result.most / calm.most) x the time")
  }
  _ = try await report(LoadRun(clients: 20, documents: 4, rate: 0, kills: 20))
}

/// A process that another one began ends with it.
func endWithParent() {
  let parent = getppid()
  Task {
    while getppid() == parent { try? await Task.sleep(for: .seconds(1)) }
    exit(1)
  }
}

raiseFileLimit()
_ = signal(SIGPIPE, SIG_IGN)
let words = CommandLine.arguments
if words.count == 4, words[1] == "serve" {
  endWithParent()
  try await Serving.run(
    .path(words[2] + "/socket"), folder: words[2], isBounded: words[3] == "bounded")
} else if words.count == 5, words[1] == "attack", let attack = Attack(rawValue: words[2]) {
  endWithParent()
  await attack.run(.path(words[3] + "/socket"), LoadRun.list(0), count: Int(words[4]))
} else {
  let options = Options(
    numbers: ["--clients", "--documents", "--rate", "--seconds", "--kills", "--attackers"],
    words: ["--attack", "--server"], flags: ["--closed", "--smoke", "--goals"], usage: usage)
  if options.has("--smoke") {
    try await smoke()
  } else if options.has("--goals") {
    try await goals()
  } else {
    var run = LoadRun()
    run.clients = max(1, Int(options.number("--clients", else: 20)))
    run.documents = max(1, Int(options.number("--documents", else: 1)))
    run.rate = options.has("--closed") ? 0 : max(1, Double(options.number("--rate", else: 20)))
    run.seconds = Double(options.number("--seconds", else: 10))
    run.kills = Int(options.number("--kills", else: 0))
    run.program = options.word("--server")
    if let word = options.word("--attack") {
      guard let attack = Attack(rawValue: word) else {
        fail("Error: no such attack.\n\(usage)", code: 64)
      }
      run.attack = attack
      let count = options.number("--attackers", else: 0)
      run.attackers = count == 0 ? nil : Int(count)
    }
    _ = try await report(run)
  }
}
