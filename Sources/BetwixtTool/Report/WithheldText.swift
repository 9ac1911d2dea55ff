import Betwixt
import BetwixtSync
import BetwixtTrips

/// A write that is not let in, or should not be there, in words and for programs.
struct WithheldText {
  private let write: WithheldWrite
  private let item: ListItem?

  /// - Parameters:
  ///   - write: The write.
  ///   - list: The list that knows its item, if any does.
  init(_ write: WithheldWrite, in list: ReplicatedList) {
    self.write = write
    item = write.entry.item == .root ? nil : list[id: write.entry.item]
  }

  /// What the clock here shows.
  static var now: String {
    Moment(milliseconds: SystemCall.wallClockMilliseconds)?.description ?? "no time"
  }

  private var isRoot: Bool { write.entry.item == .root }

  private var label: String {
    isRoot ? "the trip" : item.map { "“\($0.summary)”" } ?? "item \(write.entry.item)"
  }

  private var register: String {
    switch write.entry.register {
    case .life: "life"
    case .position: "position"
    case .field(let name): name.text
    case .other: "\(write.entry.register)"
    }
  }

  private var time: String {
    Moment(milliseconds: write.entry.stamp.time.milliseconds)?.description ?? "no time"
  }

  /// `title of “Dinner” was written at 2031-01-01T00:00:00Z, more than a day ahead of the clock`.
  var sentence: String {
    switch write.reason {
    case .timeAhead:
      "\(register) of \(label) was written at \(time), more than a day ahead of the clock here"
    case .lifeAhead: "\(label) was removed and restored more often than anybody can"
    case .incomplete: "\(label) is one of too many items without a place"
    }
  }

  /// One line of JSON.
  ///
  /// - Parameters:
  ///   - kind: What happened to the write.
  ///   - file: Where it stands.
  ///   - side: Which copy did not take it.
  ///   - words: Why, where that is none of our reasons.
  /// - Returns: The line with its break.
  func json(
    _ kind: String, of file: String? = nil, by side: String? = nil, because words: String? = nil
  ) -> String {
    var line = JSONLine()
    if let file { line.add("file", file) }
    line.add(kind, words ?? reason)
    if let side { line.add("by", side) }
    line.add("item", isRoot ? "root" : write.entry.item.uuid)
    if let item { line.add("label", item.summary) }
    line.add("register", register)
    line.add("time", time)
    line.add("writer", write.entry.stamp.replica.description)
    return line.text
  }

  private var reason: String {
    switch write.reason {
    case .timeAhead: "timeAhead"
    case .lifeAhead: "lifeAhead"
    case .incomplete: "incomplete"
    }
  }
}

extension Session {
  /// The policy for what comes from elsewhere.
  func admission(_ arguments: ParsedArguments) -> AdmissionPolicy {
    AdmissionPolicy(
      now: arguments.isSet(.acceptClock) ? nil : SystemCall.wallClockMilliseconds)
  }

  /// Refuses a file with writes that are not let in.
  ///
  /// - Parameters:
  ///   - joined: The list with what the file brings.
  ///   - list: The list without it; `nil` if there was none.
  ///   - name: The file.
  ///   - arguments: With what was chosen.
  /// - Throws: ``ToolFailure``, which says which write and why.
  func check(
    _ joined: ReplicatedList, over list: ReplicatedList?, of name: String,
    arguments: ParsedArguments
  ) throws(ToolFailure) {
    let delta = joined.delta(since: list?.version ?? VersionVector())
    let withheld = admission(arguments).admit(
      delta, to: list ?? ReplicatedList(id: joined.id)
    ).withheld
    guard let first = withheld.first else { return }
    let more = withheld.count > 1 ? ", and \(withheld.count - 1) more" : ""
    let cure =
      first.reason == .timeAhead
      ? "; set the clock right, or take it all the same with --accept-clock" : ""
    throw ToolFailure(
      .badData,
      "Error: \(name): \(WithheldText(first, in: joined).sentence)\(more)\(cure)".printable)
  }

  /// Says which writes were not taken in, on this side or the other one, to a quiet run too.
  mutating func show(_ withheld: [NotTaken], in list: ReplicatedList, arguments: ParsedArguments) {
    for one in withheld {
      guard let first = one.writes.first else { continue }
      if arguments.isSet(.json), !arguments.contains(.stdio) {
        for write in one.writes {
          print(
            WithheldText(write, in: list).json(
              "notTaken", by: one.isOther ? "other" : "this", because: one.words))
        }
        continue
      }
      let more = one.writes.count > 1 ? ", and \(one.writes.count - 1) more" : ""
      let words = one.words ?? WithheldText(first, in: list).sentence
      let later = one.isPostponed ? "; it waits where it is" : ""
      warn("\(one.source): \(words)\(more)\(later)".printable + "\n")
    }
  }
}

/// Some writes that one side did not take in.
struct NotTaken {
  /// Who says so, or where they are.
  var source: String
  var writes: [WithheldWrite]
  var isPostponed: Bool
  /// In the other side's words.
  var words: String?
  /// Whether it is the other side that did not take them.
  var isOther = false
}

extension NotTaken {
  /// What was not put into a folder.
  static func heldBack(_ writes: [WithheldWrite], from root: String) -> [NotTaken] {
    writes.isEmpty
      ? []
      : [
        NotTaken(
          source: "not put into \(root)", writes: writes, isPostponed: true, isOther: true)
      ]
  }

  /// What a session told of writes that were not taken.
  static func all(in events: [SyncEvent]) -> [NotTaken] {
    events.compactMap { event in
      switch event {
      case .withheld(let refusal):
        NotTaken(
          source: "not taken from the other copy",
          writes: refusal.entries.map { WithheldWrite($0, because: reason(of: refusal)) },
          isPostponed: refusal.isDeferred)
      case .refused(let refusal):
        NotTaken(
          source: "not taken by the other copy",
          writes: refusal.entries.map { WithheldWrite($0, because: reason(of: refusal)) },
          isPostponed: refusal.isDeferred, words: refusal.reason, isOther: true)
      default: nil
      }
    }
  }

  private static func reason(of refusal: Refusal) -> WithheldWrite.Reason {
    [.timeAhead, .lifeAhead, .incomplete].first { "\($0)" == refusal.reason } ?? .timeAhead
  }
}

extension OptionSpec {
  /// Believes the times of others.
  static let acceptClock = OptionSpec(
    "accept-clock",
    help: """
      Take in what was written more than a day ahead of the clock here, too: it wins over edits \
      of other devices until then.
      """)
}
