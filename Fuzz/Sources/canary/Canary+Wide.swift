import BetwixtFiles
import BetwixtTesting

extension Canary {
  /// Bugs of programs that work on documents in files, each with the actions that show it.
  static let wide =
    HostMistake.allCases.map { Canary($0) } + [
      staleCache, cutRename, rewrite, lostNames, lostHeads, lostRights, lostSegments, hiddenFolders,
    ]

  private init(_ mistake: HostMistake) {
    self.init(name: mistake.rawValue, kinds: mistake.kinds, saying: mistake.words) {
      $0.mistakes = [mistake]
      // It takes ten actions in one order, which no mix of everything comes upon.
      if mistake == .absorbsLittle {
        $0.mix = ActionMix([.write: 3, .carry: 2, .share: 6, .absorb: 4, .haul: 8])
      }
      // Anything else that is done may be a reason for what these say.
      if mistake == .knowsNothing { $0.mix = ActionMix([.editor: 1, .act: 3, .takeBack: 3]) }
      if mistake == .givesUpEarly { $0.mix = ActionMix([.write: 4, .flip: 4]) }
      if mistake == .runsOutOfRoom { $0.mix = ActionMix([.write: 3, .fill: 2]) }
    }
  }

  /// A program that keeps a document open never sees what others do to the file.
  private static let staleCache = Canary(
    name: "stale-cache", kinds: [.type, .beside], saying: []
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .servingFromCache) }
  }

  /// A document that replaces another one loses its last byte.
  private static let cutRename = Canary(
    name: "cut-rename", kinds: [.pack, .flip], saying: []
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .cuttingWhatReplaces) }
  }

  /// What is appended is written together with all that was there before.
  private static let rewrite = Canary(
    name: "rewrite", kinds: [.die, .hinder], saying: []
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .rewritingToAppend) }
  }

  /// New names are never brought to the drive.
  private static let lostNames = Canary(
    name: "lost-names", kinds: [.power, .die], saying: []
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .forgettingNames) }
  }

  /// A document that others may not read is open to them once it is written anew.
  private static let lostRights = Canary(
    name: "lost-rights", kinds: [.chmod], saying: []
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .ignoringRights) }
  }

  /// A program takes what another one of the machine has put into the folder for a stranger's.
  private static let lostHeads = Canary(
    name: "lost-heads", kinds: [.beside], saying: []
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .losingHeads) }
  }

  /// What is put into a folder is not there.
  private static let lostSegments = Canary(
    name: "lost-segments", kinds: [.publish, .snapshot],
    saying: ["a folder was written and lacks"], isWide: false
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .losingSegments) }
    simulation.mix = ActionMix([.insert: 4, .set: 2, .publish: 2, .snapshot: 1])
  }

  /// What others have put into a folder is not seen.
  private static let hiddenFolders = Canary(
    name: "hidden-folders", kinds: [.fetch],
    saying: ["a device read a folder and lacks"], isWide: false
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .hidingFolders) }
    simulation.mix = ActionMix([.insert: 4, .set: 2, .fetch: 3, .publish: 2])
  }
}

extension HostMistake {
  /// The actions that show it; nothing else does.
  fileprivate var kinds: Set<ActionKind> {
    switch self {
    case .forgetsCommit: [.write, .type, .hinder, .die]
    case .namesByNumber: [.putBack, .copy, .carry, .cut, .rename, .restoreImage, .renew, .link]
    case .namesByLength: [.cut, .putBack, .copy, .carry, .rename, .renew, .restoreImage]
    case .namesByCount: [.restoreImage]
    case .namesByFile: [.cut, .putBack, .copy, .carry, .restoreImage]
    case .revivesPrevious: [.rename, .renew]
    case .believesAnyPrevious: [.renew]
    case .believesAnyImage: [.pack, .putBack, .copy, .carry, .rename, .renew, .restoreImage, .flip]
    case .hoardsImages: [.hinder]
    case .followsNoLinks: [.link]
    case .overlooksConflictedCopies: [.carry]
    case .sweepsAnything: [.litter]
    case .hidesFindings: [.flip]
    case .stopsAtBadIdentity: [.flipIdentity, .die, .stop, .power]
    case .joinsWithoutRemovals: [.join]
    case .dropsFromSessions: [.meet]
    case .overlooksTwins: [.join, .takeBack]
    case .clearsFolder: [.share]
    case .absorbsNothing: [.absorb]
    case .absorbsLittle: [.haul]
    case .believesEarly: [.share]
    case .clearsDoubles: [.haul]
    case .refusesUnions: [.fill]
    case .missesChanges: [.beside]
    case .believesFailures: [.hinder]
    case .keepsSomeSteps: [.act]
    case .takesBackTwo: [.takeBack]
    case .knowsNothing: [.takeBack]
    case .refusesToRefresh: [.type]
    case .givesUpEarly, .believesDamage: [.flip]
    case .fallsSilent: [.meet]
    case .pairsNothing: [.pair]
    case .runsOutOfRoom: [.fill]
    case .takesAnything: [.stranger]
    }
  }

  /// What is said where it is found, in one way or another.
  fileprivate var words: [String] {
    switch self {
    case .forgetsCommit: ["lacks"]
    case .namesByNumber, .namesByLength, .namesByCount, .namesByFile: ["have one id"]
    case .revivesPrevious: ["holds what nobody wrote", "is brought back"]
    case .believesAnyPrevious: ["shows another document"]
    case .believesAnyImage: ["lacks the acknowledged", "holds what nobody wrote"]
    case .hoardsImages: ["what nobody needs stays beside it"]
    case .followsNoLinks: ["wrongKind"]
    case .overlooksConflictedCopies: ["nobody has the acknowledged"]
    case .sweepsAnything: ["the user's own file"]
    case .hidesFindings: ["is shown as whole"]
    case .stopsAtBadIdentity: ["the identity cannot be kept"]
    case .knowsNothing: ["nothing is known of the last act"]
    case .refusesToRefresh: ["is as it was left, and cannot be read again"]
    case .givesUpEarly: ["is damaged elsewhere, and lacks"]
    case .believesDamage: ["shows what nobody wrote"]
    case .fallsSilent: ["both ends of a session of documents wait"]
    case .pairsNothing: ["was synced with another document and lacks"]
    case .runsOutOfRoom: ["an honest edit is refused"]
    default: []
    }
  }
}
