/// A mistake that a program around the library can make with documents in files.
///
/// None is made unless ``Simulation/mistakes`` names it. Each is found by a kind of action that
/// nothing else stands in for, which shows that runs without a finding have looked:
///
///     var simulation = Simulation(replicas: 2)
///     simulation.wideShare = 16
///     simulation.mistakes = [.hidesFindings]
///     try simulation.check(seeds: 0..<1000)  // throws: a damaged file is shown as whole
public enum HostMistake: String, CaseIterable, Hashable, Sendable {
  /// A value is acknowledged and not committed.
  case forgetsCommit = "forgets-commit"

  /// New items are named after the writer and its numbers alone, which go back with the file.
  case namesByNumber = "names-by-number"

  /// New items are named after the length of the file, which a cut makes what it was.
  case namesByLength = "names-by-length"

  /// New items are named after a count in the state folder, which a backup turns back.
  case namesByCount = "names-by-count"

  /// New items are named after the file's own number, which a copy over it leaves as it is.
  case namesByFile = "names-by-file"

  /// Where a document is missing, the generation before it is taken.
  case revivesPrevious = "revives-previous"

  /// A generation before of another document is taken for one of this.
  case believesAnyPrevious = "believes-any-previous"

  /// The decoded snapshot that is kept of a file is taken for whatever snapshot it has by now.
  case believesAnyImage = "believes-any-image"

  /// The decoded snapshot that is kept of a file stays where a drive is full.
  case hoardsImages = "hoards-images"

  /// Symbolic links are not followed.
  case followsNoLinks = "follows-no-links"

  /// What a tool has put beside a document as a conflicted copy is never brought in.
  case overlooksConflictedCopies = "overlooks-conflicted-copies"

  /// Whatever begins like a temporary file is swept away.
  case sweepsAnything = "sweeps-anything"

  /// What opening a file has found is told to nobody.
  case hidesFindings = "hides-findings"

  /// An identity that cannot be read keeps everything from being opened.
  case stopsAtBadIdentity = "stops-at-bad-identity"

  /// Removals are left out where a copy is brought in.
  case joinsWithoutRemovals = "joins-without-removals"

  /// The last field of what a session brings is acknowledged and dropped.
  case dropsFromSessions = "drops-from-sessions"

  /// Writes under the own id that came from elsewhere change nothing: two go on under one id.
  case overlooksTwins = "overlooks-twins"

  /// Files of a shared folder are removed before anybody has read them.
  case clearsFolder = "clears-folder"

  /// What a tool has brought twice into a shared folder is removed twice.
  case clearsDoubles = "clears-doubles"

  /// The files of a device that is gone are removed, and what only they hold is put in nowhere.
  case absorbsNothing = "absorbs-nothing"

  /// The files of a device that is gone are removed, and what no other file holds is put in again: at the
  /// same time somebody removes those.
  case absorbsLittle = "absorbs-little"

  /// What a file of a folder claims counts before the files have come that it stands on.
  case believesEarly = "believes-early"

  /// A list with more fields than one device ever writes is not written.
  case refusesUnions = "refuses-unions"

  /// What a sync took in before it failed is looked at, and shown nowhere.
  case missesChanges = "misses-changes"

  /// An edit is acknowledged though the file system refused to write it.
  case believesFailures = "believes-failures"

  /// Of every other act no step is kept.
  case keepsSomeSteps = "keeps-some-steps"

  /// Where nothing is known of the last act, the one before is taken back without a word.
  case takesBackTwo = "takes-back-two"

  /// Whoever takes something back is told that nothing is known of it.
  case knowsNothing = "knows-nothing"

  /// A program that has a document open cannot read it again, even if nobody has touched it.
  case refusesToRefresh = "refuses-to-refresh"

  /// What stands behind a damaged header is given up where something else is damaged as well.
  case givesUpEarly = "gives-up-early"

  /// Of a damaged file something is shown that was never in it.
  case believesDamage = "believes-damage"

  /// A session says no more after some bytes, though the line is whole.
  case fallsSilent = "falls-silent"

  /// Two documents are synced, and neither gets anything.
  case pairsNothing = "pairs-nothing"

  /// An insertion is refused where there is room.
  case runsOutOfRoom = "runs-out-of-room"

  /// Whatever a peer sends is taken.
  case takesAnything = "takes-anything"
}
