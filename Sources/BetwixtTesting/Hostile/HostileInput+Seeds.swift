import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension HostileInput {
  /// Inputs to begin with: good ones, which a fuzzer changes.
  ///
  /// - Complexity: O(1)
  public var seeds: [[UInt8]] {
    switch self {
    case .frames, .session: HostileSeeds.streams
    case .block: HostileSeeds.blocks
    case .blockPair: HostileSeeds.pairs
    case .sealed: HostileSeeds.sealed
    case .sealedRepaired: HostileSeeds.blocks
    case .document: HostileSeeds.documents + HostileSeeds.sealed
    case .documentRepaired: HostileSeeds.commits
    case .folder: HostileSeeds.segments
    case .sessionRepaired: HostileSeeds.streams.map(Repair.parts(ofStream:))
    case .hostilePeer, .program: HostileSeeds.programs
    case .identity: HostileSeeds.identities
    case .keys: HostileSeeds.keys
    case .tripJSON: HostileSeeds.lists.map(TripJSON.encode)
    case .plainJSON: HostileSeeds.texts
    case .calendar: HostileSeeds.calendars
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
    lists.flatMap { list in
      let whole = list.delta(since: VersionVector())
      let part = list.delta(since: [ReplicaID(rawValue: 1): 3])
      return [
        Block(.snapshot, of: list.id, holding: whole), Block(.delta, of: list.id, holding: part),
      ]
      .compactMap { try? $0.encoded() }
    }
  }

  static var pairs: [[UInt8]] {
    let blocks = blocks
    return zip(blocks, blocks.dropFirst()).map { first, second in
      [UInt8(first.count >> 8 & 0xff), UInt8(first.count & 0xff)] + first + second
    }
  }

  static var sealed: [[UInt8]] { lists.compactMap { try? SealedBlock.encode($0) } }

  static var segments: [[UInt8]] {
    lists.enumerated().compactMap { number, list in
      let writer = ReplicaID(rawValue: 0x2a)
      let heads = FolderHeads(directory: writer, ordinal: Int64(number + 1), heads: [])
      let delta = list.delta(since: VersionVector())
      let block = Block(
        number.isMultiple(of: 2) ? .segment : .folderSnapshot, of: list.id, holding: delta,
        heads: heads)
      return try? block.encoded()
    }
  }

  /// What the two sides of some sessions sent.
  static var streams: [[UInt8]] {
    lists.flatMap { list -> [[UInt8]] in
      var sides = [
        (list: HostileSession.list, nonce: 2 as UInt64, sent: [] as [UInt8]),
        (list: list, nonce: 1, sent: []),
      ]
      var sessions = sides.map { side in
        SyncSession(
          SyncSetup(replica: ReplicaID(rawValue: side.nonce)), list: side.list,
          nonce: SessionNonce(high: side.nonce, low: side.nonce), now: 0)
      }
      var waiting = sessions.indices.map { sessions[$0].start(now: 0) }
      while let side = waiting.firstIndex(where: { !$0.isEmpty }) {
        switch waiting[side].removeFirst() {
        case .send(let bytes):
          sides[side].sent += bytes
          waiting[1 - side] += sessions[1 - side].receive(bytes, now: 0)
        case .merge(let delta, let ticket):
          sides[side].list.merge(delta)
          let list = sides[side].list
          waiting[side] += sessions[side].settled(ticket, outcome: .done(), list: list, now: 0)
        case .makeDurable(_, let ticket):
          let list = sides[side].list
          waiting[side] += sessions[side].settled(ticket, outcome: .done(), list: list, now: 0)
        case .event, .close: break
        }
      }
      return sides.map(\.sent)
    }
  }

  static var commits: [[UInt8]] {
    lists.compactMap { list in
      let whole = list.delta(since: VersionVector())
      let news = list.delta(since: [ReplicaID(rawValue: 1): 5])
      let blocks = [
        Block(.snapshot, of: list.id, holding: whole), Block(.delta, of: list.id, holding: news),
      ]
      return Repair.joined(blocks.compactMap { try? $0.encoded() }.map { (0, $0) })
    }
  }

  static var documents: [[UInt8]] { commits.map(Repair.document) }

  static var identities: [[UInt8]] {
    let disk = SimulatedDisk()
    let store = FileIdentityStore("/state", machine: [1, 2], fileSystem: disk, random: { 4 })
    var settings = DocumentFile.Settings(random: { 5 })
    settings.fileSystem = disk
    let list = ReplicatedList(id: World.listID)
    let identity = try? Identity.open(list, in: store, random: { 9 })
    _ = try? DocumentFile.create(
      at: Storage.documentPath, holding: list, settings: settings, by: identity)
    return disk.files(under: "/state").map(\.bytes)
  }

  static var keys: [[UInt8]] {
    lists.compactMap { list in
      guard let first = list.first?.key?.bytes, let last = list.last?.key?.bytes else { return nil }
      return [UInt8(first.count)] + first + [UInt8(last.count)] + last + [1, 2]
    }
  }

  static var texts: [[UInt8]] {
    [
      """
      {"name":"Follow Mexico","startDate":"2026-06-11","days":[{"items":[{"kind":"game",\
      "home":"MEX","away":"RSA","start":"2026-06-11T13:00-06:00","lat":19.3,"lon":-99.1}]}]}
      """,
      #"{"format":"betwixt-tasks","groups":[{"name":"a","tasks":[{"title":"\u00e9","done":true}]}]}"#,
      #"{"name":"","items":[{"id":"x","day":1,"sortOrder":1.5,"title":"a\nb"}]}"#,
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
