import BetwixtFiles
import BetwixtTesting

extension Canary {
  /// Bugs of programs that work on documents in files, each with the actions that show it.
  static let wide =
    HostMistake.allCases.map(Canary.init) + [
      staleCache, cutRename, rewrite, lostNames, lostHeads, lostRights,
    ]

  private init(_ mistake: HostMistake) {
    self.init(name: mistake.rawValue, kinds: mistake.kinds) {
      $0.mistakes = [mistake]
      // It takes ten actions in one order, which no mix of everything comes upon.
      if mistake == .absorbsLittle {
        $0.mix = ActionMix([.write: 3, .carry: 2, .share: 6, .absorb: 4, .haul: 8])
      }
    }
  }

  /// A program that keeps a document open never sees what others do to the file.
  private static let staleCache = Canary(
    name: "stale-cache", kinds: [.type, .beside]
  ) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .servingFromCache) }
  }

  /// A document that replaces another one loses its last byte.
  private static let cutRename = Canary(name: "cut-rename", kinds: [.pack, .flip]) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .cuttingWhatReplaces) }
  }

  /// What is appended is written together with all that was there before.
  private static let rewrite = Canary(name: "rewrite", kinds: [.die, .hinder]) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .rewritingToAppend) }
  }

  /// New names are never brought to the drive.
  private static let lostNames = Canary(name: "lost-names", kinds: [.power, .die]) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .forgettingNames) }
  }

  /// A document that others may not read is open to them once it is written anew.
  private static let lostRights = Canary(name: "lost-rights", kinds: [.chmod]) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .ignoringRights) }
  }

  /// A program takes what another one of the machine has put into the folder for a stranger's.
  private static let lostHeads = Canary(name: "lost-heads", kinds: [.beside]) { simulation in
    simulation.fileSystem = { MeddlingFileSystem(disk: $0, by: .losingHeads) }
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
    case .takesAnything: [.stranger]
    }
  }
}
