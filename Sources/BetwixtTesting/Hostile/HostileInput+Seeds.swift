import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension HostileInput {
  /// Inputs to begin with: good ones, which a fuzzer changes; ``accepts(_:)`` says so of each.
  ///
  /// - Throws: What making them failed with.
  /// - Complexity: O(1)
  public var seeds: [[UInt8]] {
    get throws {
      switch self {
      case .frames, .session: HostileSeeds.streams
      case .block, .sealedRepaired: try HostileSeeds.blocks
      case .blockPair: try HostileSeeds.pairs
      case .sealed: try HostileSeeds.sealed
      case .document: try HostileSeeds.documents + HostileSeeds.sealed
      case .documentRepaired: try HostileSeeds.commits
      case .folder: try HostileSeeds.segments
      case .sessionRepaired: HostileSeeds.streams.map(Repair.parts(ofStream:))
      case .hostilePeer, .program: HostileSeeds.programs
      case .identity: try HostileSeeds.identities
      case .keys: HostileSeeds.keys
      case .tripJSON: HostileSeeds.lists.map(TripJSON.encode)
      case .plainJSON: HostileSeeds.texts
      case .calendar: HostileSeeds.calendars
      }
    }
  }
}

/// Good inputs of all kinds.
enum HostileSeeds {
  static var lists: [ReplicatedList] {
    (0..<6 as Range<UInt64>).map { seed in
      var source = ChoiceSource(seed: seed)
      return source.list(itemCount: Int(seed) * 3, id: World.listID)
    }
  }

  static var blocks: [[UInt8]] {
    get throws {
      try lists.flatMap { list in
        let whole = list.delta(since: VersionVector())
        let part = list.delta(since: [ReplicaID(rawValue: 1): 3])
        return [
          try Block(.snapshot, of: list.id, holding: whole).encoded(),
          try Block(.delta, of: list.id, holding: part).encoded(),
        ]
      }
    }
  }

  static var pairs: [[UInt8]] {
    get throws {
      let blocks = try blocks
      return zip(blocks, blocks.dropFirst()).map { first, second in
        [UInt8(first.count >> 8 & 0xff), UInt8(first.count & 0xff)] + first + second
      }
    }
  }

  static var sealed: [[UInt8]] {
    get throws { try lists.map { list in try SealedBlock.encode(list) } }
  }

  static var segments: [[UInt8]] {
    get throws {
      try lists.enumerated().map { number, list in
        let writer = ReplicaID(rawValue: 0x2a)
        let heads = FolderHeads(directory: writer, ordinal: Int64(number + 1), heads: [])
        let delta = list.delta(since: VersionVector())
        let block = Block(
          number.isMultiple(of: 2) ? .segment : .folderSnapshot, of: list.id, holding: delta,
          heads: heads)
        return try block.encoded()
      }
    }
  }

  /// What others said in sessions with a ``HostileSession``, with the smaller nonce and with the greater.
  static var streams: [[UInt8]] {
    lists.flatMap { list in
      [1, 3].map { nonce in stream(of: list, nonce: nonce) }
    }
  }

  private static func stream(of list: ReplicatedList, nonce: UInt64) -> [UInt8] {
    var lists = [HostileSession.list, list]
    var sessions = [
      HostileSession.session,
      SyncSession(
        SyncSetup(replica: ReplicaID(rawValue: 2)), list: list,
        nonce: SessionNonce(high: nonce, low: nonce), now: 0),
    ]
    var waiting = sessions.indices.map { sessions[$0].start(now: 0) }
    var sent: [UInt8] = []
    while let side = waiting.firstIndex(where: { !$0.isEmpty }) {
      switch waiting[side].removeFirst() {
      case .send(let bytes):
        if side == 1 { sent += bytes }
        waiting[1 - side] += sessions[1 - side].receive(bytes, now: 0)
      case .merge(let delta, let ticket):
        lists[side].merge(delta)
        waiting[side] += sessions[side].settled(
          ticket, outcome: .done(), list: lists[side], now: 0)
      case .makeDurable(_, let ticket):
        waiting[side] += sessions[side].settled(
          ticket, outcome: .done(), list: lists[side], now: 0)
      case .event, .close: break
      }
    }
    return sent
  }

  static var commits: [[UInt8]] {
    get throws {
      try lists.map { list in
        let whole = list.delta(since: VersionVector())
        let news = list.delta(since: [ReplicaID(rawValue: 1): 5])
        return Repair.joined([
          (0, try Block(.snapshot, of: list.id, holding: whole).encoded()),
          (0, try Block(.delta, of: list.id, holding: news).encoded()),
        ])
      }
    }
  }

  static var documents: [[UInt8]] {
    get throws { try commits.map(Repair.document) }
  }

  static var identities: [[UInt8]] {
    get throws {
      let disk = SimulatedDisk()
      let store = FileIdentityStore("/state", machine: [1, 2], fileSystem: disk, random: { 4 })
      var settings = DocumentFile.Settings(random: { 5 })
      settings.fileSystem = disk
      let list = ReplicatedList(id: World.listID)
      let identity = try Identity.open(list, in: store, random: { 9 })
      _ = try DocumentFile.create(
        at: Storage.documentPath, holding: list, settings: settings, by: identity)
      return disk.files(under: "/state").filter { $0.path.hasSuffix(".identity") }.map(\.bytes)
    }
  }

  static var keys: [[UInt8]] {
    lists.compactMap { list in
      // Keys of two sections may stand in any order.
      let keys = list.compactMap(\.key).sorted()
      guard let first = keys.first?.bytes, let last = keys.last?.bytes else { return nil }
      return [UInt8(first.count)] + first + [UInt8(last.count)] + last + [1, 2]
    }
  }

  static var texts: [[UInt8]] {
    [
      """
      {"id":"a","name":"Follow Mexico","startDate":"2026-06-11","days":2,"items":[{"id":"b","day":1,\
      "kind":"game","gameId":"1","home":"MEX","away":"RSA","start":"2026-06-11T13:00-06:00",\
      "latitude":19.3,"longitude":-99.1,"sortOrder":0,"tripId":"a"}]}
      """,
      """
      {"format":"betwixt-tasks","id":"t","name":"a","tasks":[{"id":"b","text":"\\u00e9",\
      "scheduledDate":"2026-02-13","state":"active","sortOrder":0}]}
      """,
      #"{"id":"a","name":"","items":[{"id":"x","day":1,"sortOrder":1.5,"title":"a\nb"}]}"#,
    ].map { Array($0.utf8) }
  }

  static var calendars: [[UInt8]] {
    let text = """
      VERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTART;TZID=America/New_York:20260612T150000\r
      DURATION:PT2H\r\nSUMMARY:Dinner\\, late\r\n and long\r\nEND:VEVENT\r\nBEGIN:VEVENT\r
      UID:2\r\nDTSTART;VALUE=DATE:20260613\r\nDTEND;VALUE=DATE:20260615\r\nEND:VEVENT\r
      END:VCALENDAR\r\n
      """
    return [Array(text.utf8)]
  }

  static var programs: [[UInt8]] {
    (0..<6 as Range<UInt64>).map { seed in
      var source = ChoiceSource(seed: seed)
      return (0..<300).map { _ in UInt8(source.next(below: 256)) }
    }
  }
}
