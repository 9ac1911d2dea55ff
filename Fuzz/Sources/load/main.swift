import BetwixtFiles
import Foundation
import FuzzSupport

let usage = """
  OVERVIEW: Puts a server process under load, over sockets of this machine.

  USAGE: load [--clients N] [--documents N] [--rate N | --closed | --light] [--seconds N] [--kills N]
              [--attack KIND [--attackers N]] [--server PROGRAM] | --smoke | --goals | --attacks

  The clients are spread over the documents, and edit at a rate of all together, or each when its
  last edit is acknowledged. It tells how long it takes until another client sees an edit, how many
  are acknowledged, and the memory of the server. It fails if something acknowledged is lost, if a
  list differs from another or from its file, or if an honest client is turned away.
  With --light they are edits that wait, of clients that speak the frames and hold no list, so that
  the server is measured and not the clients beside it; a whole client looks on at every tenth
  document.
  Attackers get only the time that nobody else wants, as though they ran on another machine.
  Kinds of attacks: \(Attack.allCases.map(\.rawValue).joined(separator: ", ")).
  --server names another program to put under load. It is called with "serve FOLDER MODE", listens at
  the socket FOLDER/socket, takes eight bytes as the name of a user and answers with a byte that is 1,
  and keeps its documents in FOLDER as a ServerFolder does.
  With --kills the server is killed and begun again so often. --smoke takes seconds; --goals
  measures what the scorecard says, in two minutes, and --attacks each attack three times, in eight:
  how long edits take before the attackers come, and beside them.
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
  _ = try await report(LoadRun(clients: 40, documents: 4, seconds: 1, isLight: true))
  _ = try await report(LoadRun(clients: 6, documents: 2, rate: 0, kills: 3))
  for attack in Attack.allCases {
    let count = attack == .connections ? 300 : nil
    _ = try await report(LoadRun(rate: 20, seconds: 1, attack: attack, attackers: count))
  }
}

/// Whether 1,000 clients on 100 documents do five times what one does.
func crowd() async throws {
  let one = try await report(LoadRun(clients: 1, seconds: 8, isLight: true))
  let all = try await report(LoadRun(clients: 1_000, documents: 100, seconds: 15, isLight: true))
  print(
    "a thousand clients: \(LoadRun.text(all.editsPerSecond / one.editsPerSecond)) x the edits of one"
  )
}

/// What each kind of attack does to honest clients, three times.
func attacks() async throws {
  var rows: [String] = []
  for attack in Attack.allCases {
    var results: [LoadRun.Result] = []
    for _ in 0..<3 {
      results.append(try await report(LoadRun(rate: 100, seconds: 6, attack: attack)))
    }
    let ratios = results.map { $0.most / $0.calm }.sorted()
    rows.append(
      "| \(attack.rawValue) | "
        + results.map { "\(LoadRun.text($0.calm)) : \(LoadRun.text($0.most))" }
        .joined(separator: ", ")
        + " | \(LoadRun.text(ratios[1])) | \(LoadRun.text(results.map(\.cores).max() ?? 0))"
        + " | \(results.map(\.memory).max() ?? 0) |")
  }
  print(
    """
    | attack | 99 of 100 seen within, ms, without : beside | ratio in the middle | cores | MB |
    |---|---|---|---|---|
    \(rows.joined(separator: "\n"))
    """)
}

/// What the scorecard says, but for the attacks.
func goals() async throws {
  _ = try await report(LoadRun(clients: 1_000, rate: 10, seconds: 20))
  try await crowd()
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
  await attack.run(words[3] + "/socket", LoadRun.list(0), count: Int(words[4]))
} else {
  let options = Options(
    numbers: ["--clients", "--documents", "--rate", "--seconds", "--kills", "--attackers"],
    words: ["--attack", "--server"],
    flags: ["--closed", "--light", "--smoke", "--goals", "--attacks"],
    usage: usage)
  if options.has("--smoke") {
    try await smoke()
  } else if options.has("--goals") {
    try await goals()
  } else if options.has("--attacks") {
    try await attacks()
  } else {
    var run = LoadRun()
    run.clients = max(1, Int(options.number("--clients", else: 20)))
    run.documents = max(1, Int(options.number("--documents", else: 1)))
    run.isLight = options.has("--light")
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
