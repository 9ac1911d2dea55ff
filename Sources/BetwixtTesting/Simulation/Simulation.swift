public import Betwixt
public import BetwixtFiles
import BetwixtSync

/// Several replicas of one list that edit, exchange and fail, with a naive model beside each.
///
/// In the tests of a program that uses these lists:
///
///     @Test func bookingsConverge() throws {
///       var simulation = Simulation(replicas: 3)
///       simulation.edit = { list, me, choices in try addBooking(to: &list, choices, by: &me) }
///       simulation.invariant = { list in try checkBookings(list) }
///       try simulation.check(seeds: 0..<100)
///     }
///
/// After each step the list that changed is compared with a model of some hundred lines; at the end
/// all replicas must hold the same bytes. A failure names its seed and the smallest program that
/// shows it, which ``run(_:)`` runs again.
public struct Simulation {
  /// How many replicas a program has at least and at most.
  public var replicas: ClosedRange<Int>

  /// How many actions a program has.
  public var length = 60

  /// Which actions come how often; `nil` draws another mix for each seed.
  public var mix: ActionMix?

  /// How many of 16 programs are of the wider world: documents in files, which commands edit and people
  /// copy, restore and damage; see ``ActionMix/wide(from:)``.
  public var wideShare = 0

  /// What the programs that work on documents in files do wrong.
  public var mistakes: Set<HostMistake> = []

  /// Whether two replicas may write under one id, and numbers may go back.
  public var hasImpostors = true

  /// Whether a run reads the bytes of a list back, works its digest out anew, and looks at each item
  /// and each claim on its way, which takes about half as long again.
  ///
  /// Without it a run still compares after each step what the list shows with the model, and at the
  /// end all lists with each other, each item with the model, and each claim with what is held.
  public var isThorough = true

  /// An edit of the embedding program, called for the action `edit`; what it chooses from the source
  /// must be all it depends on.
  public var edit: ((inout ReplicatedList, inout Replica, inout ChoiceSource) throws -> Void)?

  /// What must hold of every list after every step.
  public var invariant: ((ReplicatedList) throws -> Void)?

  /// The embedding program's own transport: brings a delta to a replica with the given list.
  ///
  /// What it returns must have the same content; it may go through bytes and a server.
  public var carry: ((Delta, ReplicatedList) throws -> Delta)?

  /// Inserts the next item of a run that is typed at one place; `nil` inserts it at an offset.
  public var type:
    ((inout ReplicatedList, Int, Int64, inout Replica) throws(EditFailure) -> ItemID)?

  /// The embedding program's own way to forget what removed items held, below a floor.
  public var forget: ((inout ReplicatedList, VersionVector) throws -> Void)?

  /// What the embedding program's sessions are told to be the list of a replica.
  public var open: ((ReplicatedList) throws -> ReplicatedList)?

  /// What it makes of a delta that a session asks to merge into a list.
  public var take: ((Delta, ReplicatedList) throws -> Delta)?

  /// Puts something between the documents and the disk of a replica.
  public var fileSystem: ((SimulatedDisk) -> any FileSystem)?

  /// Makes a simulation.
  ///
  /// - Parameter replicas: How many replicas there are.
  /// - Precondition: There are 1 to ``Program/maximumReplicaCount``.
  public init(replicas: Int) { self.init(replicas: replicas...replicas) }

  /// Makes a simulation whose programs have different numbers of replicas.
  ///
  /// - Precondition: There are 1 to ``Program/maximumReplicaCount``.
  public init(replicas: ClosedRange<Int>) {
    precondition(
      replicas.lowerBound >= 1 && replicas.upperBound <= Program.maximumReplicaCount,
      "\(replicas) are no numbers of replicas")
    self.replicas = replicas
  }

  // MARK: Running

  /// The program of a seed.
  ///
  /// - Complexity: O(*n*) for *n* actions
  public func program(seed: UInt64) -> Program {
    var source = ChoiceSource(seed: seed)
    return program(from: &source)
  }

  /// A program of the choices of a source, such as the bytes of a fuzzer.
  ///
  /// - Complexity: O(*n*) for *n* actions
  public func program(from source: inout ChoiceSource) -> Program {
    let count = replicas.lowerBound + source.next(below: replicas.count)
    var mix = mix ?? drawnMix(from: &source)
    if !hasImpostors { mix = mix.leavingOut(\.makesImpostors) }
    if edit != nil { mix = mix.adding(.edit, weight: 12) }
    return Program(replicaCount: count, length: length, mix: mix, from: &source)
  }

  private func drawnMix(from source: inout ChoiceSource) -> ActionMix {
    wideShare > 0 && source.chance(wideShare, in: 16)
      ? ActionMix.wide(from: &source) : ActionMix.swarm(from: &source)
  }

  /// Runs a program and brings all replicas together.
  ///
  /// - Returns: What happened.
  /// - Throws: ``Violation`` if something was not as it must be.
  /// - Complexity: O(*n* *k*) for *n* actions on lists of *k* entries
  @discardableResult
  public func run(_ program: Program) throws(Violation) -> RunReport {
    var world = World(self, program: program)
    return try world.run()
  }

  /// Checks the program of each seed.
  ///
  /// - Returns: What happened in all of them.
  /// - Throws: ``SimulationFailure`` for the first seed that fails.
  /// - Complexity: one run for each seed, and some thousands to make a failure smaller
  @discardableResult
  public func check(seeds: Range<UInt64>) throws(SimulationFailure) -> RunReport {
    var total = RunReport()
    for seed in seeds {
      let program = program(seed: seed)
      do {
        total.add(try run(program))
      } catch {
        throw failure(program, seed: seed)
      }
    }
    return total
  }

  /// Makes a failing program smaller.
  ///
  /// - Parameters:
  ///   - program: A program that fails.
  ///   - seed: Where it came from.
  /// - Returns: The smallest program found, and what is wrong with it.
  /// - Complexity: some thousand runs
  public func failure(_ program: Program, seed: UInt64?) -> SimulationFailure {
    let shrunk = program.shrunk { reason($0) != nil }
    return SimulationFailure(
      seed: seed, program: shrunk,
      reason: reason(shrunk) ?? "holds when it is run again: something here is not deterministic")
  }

  private func reason(_ program: Program) -> String? {
    do {
      try run(program)
      return nil
    } catch {
      return error.description
    }
  }
}

/// What happened in runs.
public struct RunReport: Hashable, Sendable {
  /// How many programs were run.
  public internal(set) var runs = 0

  /// How many actions did something, by kind; those that found nothing to do are left out.
  public internal(set) var actions: [ActionKind: Int] = [:]

  /// A hash over all that happened.
  public internal(set) var trace = TraceHash()

  /// The greatest number of rounds of exchanges that it took until all were equal.
  public internal(set) var rounds = 0

  /// How many runs had an id that was used twice.
  public internal(set) var impostorRuns = 0

  /// How many registers of removed items were let go.
  public internal(set) var forgotten = 0

  /// How many registers restored items lacked or had in an older state at the end, because somebody
  /// had let them go: the price of forgetting.
  public internal(set) var price = 0

  /// Nothing happened.
  public init() {}

  /// How many actions did something.
  ///
  /// - Complexity: O(1)
  public var actionCount: Int { actions.values.reduce(0, +) }

  /// Takes what happened in other runs in.
  ///
  /// - Complexity: O(1)
  public mutating func add(_ other: RunReport) {
    runs += other.runs
    actions.merge(other.actions, uniquingKeysWith: +)
    trace.combine(other.trace.value)
    rounds = max(rounds, other.rounds)
    impostorRuns += other.impostorRuns
    forgotten += other.forgotten
    price += other.price
  }
}

/// A program that showed what must not be.
public struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The seed that failed; `nil` for a program from elsewhere.
  public let seed: UInt64?

  /// The smallest program found, for ``Simulation/run(_:)``.
  public let program: Program

  /// What is wrong.
  public let reason: String

  /// All three.
  public var description: String {
    let origin = seed.map { "seed \($0): " } ?? ""
    return "\(origin)\(reason)\n\(program)"
  }
}
