import Betwixt

// Between rounds each side pushes what its list became, position by position of its log.
//
// The stream is the premise: after a round that ended equal, who has merged a pushed change holds
// all that its sender held behind it. So no change says a version.

extension SyncSession {
  /// How long both sides are silent before lists are compared that no answer has compared.
  private static let quiet: Int64 = 1_000
  /// How far rounds that are needed stand apart.
  private static let pause: Int64 = 1_000
  private static let neededRoundLimit = 3
  private static let fewEntries = 16
  /// How many changes are one, at most.
  private static let groupCount = 64
  private static let groupByteCount = SyncSetup.plainFrame / 2

  /// Whether nothing was refused and nothing is held that the peer has forgotten, so that both lists
  /// must be equal at equal places.
  private var isWhole: Bool { refusals.sent == 0 && refusals.received == 0 && isFloorMet }

  /// Whether there is nothing to push or to answer.
  var isLevel: Bool { live.place >= log.end && !live.wantsRound }

  // MARK: Pushing

  /// Sends what comes next in the log, if there is something and it may go.
  mutating func sendChange() -> Bool {
    guard setup.isLive, round == nil, !isWaiting, isRunning else { return false }
    if live.wantsRound, startNeededRound() { return true }
    guard live.place < log.end else { return false }
    guard live.place >= log.first else {
      startNextRound()
      return true
    }
    let position = log[live.place]
    if position.origin == origin {
      answer(position)
      return true
    }
    guard !position.isEmpty else {
      live.place += 1
      return true
    }
    return push(position)
  }

  private mutating func push(_ position: EditLog.Position) -> Bool {
    guard let first = position.payload, first.count <= flow.maximumFrame else {
      startNextRound()
      return true
    }
    var numbers = log.group(from: live.place, for: origin)
    let joined = numbers.count > 1 ? log.payload(joining: numbers) : nil
    if joined == nil { numbers = live.place..<live.place + 1 }
    let payload = joined ?? first
    let own = setup.replica == nil ? 0 : log.highest(of: setup.replica, in: numbers)
    guard own <= durable else {
      ask(.durable(own)) { .makeDurable(upTo: own, $0) }
      return true
    }
    guard live.unanswered.count < LiveState.unansweredLimit else {
      fail(SyncFailure(.limitExceeded, "the peer answers nothing"))
      return true
    }
    let frame = Frame(.push, payload: payload, isCritical: true)
    guard flow.pay(for: frame) else { return false }
    for number in numbers { refusals.sentEntryCount += Int64(log[number].entryCount) }
    live.push(numbers, own: own, digest: log[numbers.upperBound - 1].digest)
    live.place = numbers.upperBound
    live.lastMessage = timing.now
    emit(frame)
    return true
  }

  /// Moves past what the peer has brought in a round.
  ///
  /// Both compare it there, and it is neither pushed nor answered: a peer may bring more of it than the
  /// log keeps.
  ///
  /// The first change of anybody else is never passed, nor what stands behind it: it was in neither
  /// list at the start of the round. It is pushed when that is over, or, where the log has moved on
  /// meanwhile, the next round brings it.
  mutating func passOwn() {
    while live.place >= log.first, live.place < log.end, log[live.place].origin == origin {
      live.place += 1
    }
  }

  /// Says that a change of the peer is held, if it came outside of a round.
  private mutating func answer(_ position: EditLog.Position) {
    live.place += 1
    guard live.place > live.roundEnd else { return }
    live.walk(position.digest)
    live.lastMessage = timing.now
    let done = Done(
      taken: live.walked, sent: live.sent, digest: isWhole ? position.digest : nil)
    emit(Frame(.done, payload: done.payload, isCritical: true))
  }

  // MARK: Taking

  mutating func takePush(_ frame: Frame) throws(DecodeFailure) {
    // One that was sent before the peer's OPEN belongs to what is compared.
    guard let list, round.map({ $0.peer == nil && $0.number > 0 }) ?? true else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    var byteCount = SessionFlow.cost(of: frame)
    let news = try gather(
      behind: try pushedDelta(frame, of: list), on: list, byteCount: &byteCount)
    guard !isClosed else { return }
    if let (dot, excess) = setup.limits.excess(of: list, merging: news) {
      fail(SyncFailure(.limitExceeded, "\(dot): \(excess)"))
      return
    }
    live.lastMessage = timing.now
    for range in news.ranges { doubtIdentity(range.replica, through: range.through) }
    guard news.floor.isEmpty || hear(floor: news.floor) else { return }
    // As much of the peer's floor is taken as is about writes that have come: here may be the rest.
    var (delta, withheld) = admit(hasPeerFloor ? news : news.forgetting(below: peerFloor), to: list)
    if !setup.takesFloor { delta = delta.forgetting(below: VersionVector()) }
    for refusal in withheld { tell(.withheld(refusal)) }
    // What was refused before may have replaced what a range of this change covers.
    if refusals.sent > 0 { delta = delta.claimingDensely(besides: list) }
    delta.know(heard(list))
    if delta.isEmpty {
      if isOfHub { log.append(.init(nothingIn: list, origin: origin)) }
      pushed(delta, refusals: withheld, byteCount: byteCount, storedIn: list)
    } else {
      ask(.push(delta, withheld: withheld, byteCount: byteCount)) { .merge(delta, $0) }
    }
  }

  private func pushedDelta(
    _ frame: Frame, of list: ReplicatedList
  ) throws(DecodeFailure) -> Delta {
    let block = try Block(decoding: frame.payload, limits: setup.limits)
    guard block.kind == .delta else { throw DecodeFailure(.otherKind, at: 1) }
    guard block.list == list.id else { throw DecodeFailure(.otherList, at: 4) }
    guard !block.delta.isEmpty, !block.delta.saysWhatIsKnown else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    return block.delta
  }

  /// A pushed change, in a hub together with those that have come behind it: stored together, and
  /// one change to everybody else.
  ///
  /// Not after a refusal: what was replaced in between proves no claim, and is not sent again.
  private mutating func gather(
    behind first: Delta, on list: ReplicatedList, byteCount: inout Int
  ) throws(DecodeFailure) -> Delta {
    var deltas = [first]
    live.take()
    while isOfHub, refusals.sent == 0, deltas.count < SyncSession.groupCount,
      byteCount < SyncSession.groupByteCount, let frame = flow.input.next(if: .push)
    {
      timing.noteFrame(isProgress: true)
      guard takeCredit(for: frame) else { return first }
      deltas.append(try pushedDelta(frame, of: list))
      byteCount += SessionFlow.cost(of: frame)
      live.take()
    }
    if isOfHub { live.gather(deltas.count) }
    share?.takeChange(byteCount: byteCount, pieceCount: deltas.count, at: timing.now)
    guard deltas.count > 1 else { return first }
    let joined = Delta(joining: deltas, for: list.version)
    // A floor that came behind a restoring is joined before it now.
    let hasFloor = setup.takesFloor && (!joined.floor.isEmpty || !hasPeerFloor)
    return hasFloor ? joined.restoringWhole(in: list) : joined
  }

  /// Takes note that a pushed change was stored, but for what was refused.
  mutating func pushed(
    _ delta: Delta, refusals: [Refusal], byteCount: Int, storedIn stored: ReplicatedList
  ) {
    timing.noteProgress()
    let before = list
    refuse(refusals)
    guard !isClosed, let before else { return }
    let taken = delta.leavingOut(refusals, mergingInto: before)
    if !isOfHub { note(taken, mergedInto: before, as: stored) }
    view?.merge(taken)
    release(byteCount)
  }

  /// Notes what a host has stored, and what it changed meanwhile without a word.
  private mutating func note(
    _ taken: Delta, mergedInto before: ReplicatedList, as stored: ReplicatedList
  ) {
    let draft = EditLog.Position.Draft(taken, on: before)
    var stored = stored
    stored.settleDigest()
    list = stored
    if round != nil { viewIsList = false }
    // Most often it is what came and nothing else, which a few hashes tell.
    if taken.count <= SyncSession.fewEntries, taken.floor.isEmpty,
      before.floor == stored.floor, before.digest(merging: taken.entries) == stored.digest
    {
      log.append(
        EditLog.Position(
          draft, behind: stored, origin: origin, isAnswerOnly: true,
          restoredWhole: false))
      return
    }
    var expected = before
    expected.mergeSettling(taken)
    let rest =
      expected.digest == stored.digest && expected.floor == stored.floor
      ? nil
      : EditLog.Position(
        from: expected, to: stored, restoredWhole: log.sendsRestoredWhole)
    guard let rest, !rest.isEmpty else {
      // With the digest of what the host really holds: who has lost something is found out.
      log.append(
        EditLog.Position(
          draft, behind: stored, origin: origin, restoredWhole: log.sendsRestoredWhole))
      return
    }
    log.append(
      EditLog.Position(
        draft, behind: expected, origin: origin, restoredWhole: log.sendsRestoredWhole))
    log.append(rest)
  }

  /// What the peer had heard of this side's list when it sent what has just come: all but what was
  /// pushed to it and is not answered, and what is still to be pushed.
  private func heard(_ list: ReplicatedList) -> VersionVector {
    let oldest = live.unanswered.first?.places.lowerBound ?? live.place
    // Who does not know says nothing: then all that met is told as concurrent.
    guard min(oldest, live.place) >= log.first else { return [:] }
    var known = list.version
    var numbers = live.unanswered.flatMap { $0.places }
    numbers.append(contentsOf: min(live.place, log.end)..<log.end)
    for number in numbers where log[number].origin != origin {
      for step in log[number].steps {
        known[step.replica] = min(known[step.replica], step.after)
      }
    }
    return known
  }

  // MARK: Answers

  mutating func takeDone(_ frame: Frame) throws(DecodeFailure) {
    let done = try Done(decoding: frame.payload)
    guard setup.isLive, let own = live.confirm(done) else {
      throw DecodeFailure(.badNumber, at: 0)
    }
    live.lastMessage = timing.now
    if own > 0 { tell(.acknowledged(upTo: own)) }
    if isWhole, live.compare(done) == false { live.wantsRound = true }
  }

  mutating func takeCheck(_ frame: Frame) throws(DecodeFailure) {
    let check = try Done(decoding: frame.payload)
    guard setup.isLive, let digest = check.digest else { throw DecodeFailure(.truncated, at: 0) }
    guard isWhole, round == nil, isLevel, check.taken == live.sent, check.sent == live.walked
    else { return }
    if list?.digest.start != digest { live.wantsRound = true }
  }

  // MARK: Time

  /// When something is due that nobody sends a message about.
  var liveDeadline: Int64? {
    // What waits for credit goes first, and it is the credit that wakes the session then.
    guard setup.isLive, isRunning, round == nil, !isWaiting, !flow.hasQueued else { return nil }
    if live.wantsRound { return SessionTiming.later(SyncSession.pause, after: live.lastRound) }
    return isCheckOpen ? SessionTiming.later(SyncSession.quiet, after: live.lastMessage) : nil
  }

  private var isCheckOpen: Bool { live.needsCheck && isLevel && isWhole }

  /// Compares what no answer has compared.
  mutating func checkIfDue() {
    guard let deadline = liveDeadline, timing.now >= deadline else { return }
    if live.wantsRound {
      advance()
    } else if let list {
      live.noteCheck()
      let check = Done(taken: live.walked, sent: live.sent, digest: list.digest.start)
      emit(Frame(.check, payload: check.payload, isCritical: true))
    }
  }

  private mutating func startNeededRound() -> Bool {
    guard timing.now >= SessionTiming.later(SyncSession.pause, after: live.lastRound) else {
      return false
    }
    live.neededRoundCount += 1
    guard live.neededRoundCount < SyncSession.neededRoundLimit else {
      fail(SyncFailure(.notConverged, "the lists differ again and again"))
      return true
    }
    // Who ends now ends with lists that may differ.
    agreedDigest = nil
    startNextRound()
    return true
  }
}

extension EditLog.Position {
  /// A change of which nothing was taken.
  init(nothingIn list: ReplicatedList, origin: UInt64) {
    self.init(
      Draft(Delta.Builder().build(), on: list), behind: list, origin: origin, restoredWhole: false)
  }
}

extension Delta {
  /// Whether it says more of what its sender knew than its ranges do.
  var saysWhatIsKnown: Bool {
    var claimed = VersionVector()
    for range in ranges { claimed[range.replica] = max(claimed[range.replica], range.through) }
    return !premise.isEmpty || context != claimed
  }
}
