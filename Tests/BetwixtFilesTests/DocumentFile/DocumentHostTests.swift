import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Sessions between two document files, and the examination of files.
struct DocumentHostTests {
  private let random = SharedRandom(seed: 51)

  /// A document with an identity of its own and some items.
  private func host(
    _ disk: SimulatedDisk, items: Int, after start: ReplicatedList
  ) throws -> DocumentHost {
    let store = FileIdentityStore(
      "/state", machine: [], fileSystem: disk, random: { [random] in random.next() })
    let identity = try Identity.open(start, in: store, random: { [random] in random.next() })
    var me = identity.replica(for: start) { 1_777_000_000_000 }
    let list = DocumentWork.edited(start, items, by: &me)
    return DocumentHost(
      try DocumentFile.create(
        at: DocumentWork.path, holding: list, settings: DocumentWork.settings(disk), by: identity))
  }

  /// Runs two sessions against each other until neither has anything to say.
  private func converse(_ left: inout DocumentHost, _ right: inout DocumentHost) {
    var nonce = SplitMix64(seed: 5)
    var first = SyncSession(
      SyncSetup(replica: left.identity?.replica), list: left.list,
      nonce: .random(using: &nonce), now: 0)
    var second = SyncSession(
      SyncSetup(replica: right.identity?.replica), list: right.list,
      nonce: .random(using: &nonce), now: 0)
    var toRight: [[UInt8]] = []
    var toLeft: [[UInt8]] = []
    perform(first.start(now: 0), &first, &left, &toRight)
    perform(second.start(now: 0), &second, &right, &toLeft)
    while !toRight.isEmpty || !toLeft.isEmpty {
      if !toRight.isEmpty {
        perform(second.receive(toRight.removeFirst(), now: 0), &second, &right, &toLeft)
      }
      if !toLeft.isEmpty {
        perform(first.receive(toLeft.removeFirst(), now: 0), &first, &left, &toRight)
      }
    }
    #expect(first.isClosed && second.isClosed)
  }

  private func perform(
    _ outputs: [SyncOutput], _ session: inout SyncSession, _ host: inout DocumentHost,
    _ sent: inout [[UInt8]]
  ) {
    for output in outputs {
      switch output {
      case .send(let bytes):
        sent.append(bytes)
      case .merge(let delta, let ticket):
        let outcome = host.merge(delta)
        perform(
          session.settled(ticket, outcome: outcome, list: host.file.list, now: 0), &session, &host,
          &sent)
      case .makeDurable(let sequence, let ticket):
        let outcome = host.makeDurable(upTo: sequence)
        perform(
          session.settled(ticket, outcome: outcome, list: host.file.list, now: 0), &session, &host,
          &sent)
      case .event(let event): host.note(event)
      case .close: break
      }
    }
  }

  @Test func twoDocumentsBecomeEqualAndStaySo() throws {
    let (phone, tablet) = (SimulatedDisk(), SimulatedDisk())
    let empty = ReplicatedList(id: DocumentWork.listID)
    var left = try host(phone, items: 30, after: empty)
    var right = try host(tablet, items: 20, after: empty)
    converse(&left, &right)
    #expect(left.file.list == right.file.list)
    #expect(left.file.list.version == right.file.list.version)
    #expect(left.file.list.count == 50)
    for (disk, identity) in [(phone, left.identity), (tablet, right.identity)] {
      let me = try #require(identity)
      #expect(me.rotation == nil)
      // Only what is on the drive counts.
      let after = SimulatedDisk(disk.drive.crashed { .lost })
      let again = try DocumentFile.open(
        at: DocumentWork.path, settings: DocumentWork.settings(after))
      #expect(again.list == left.file.list)
      #expect(again.list.version == left.file.list.version)
    }
  }

  @Test func aRolledBackDocumentWritesUnderANewIdentity() throws {
    let (phone, tablet) = (SimulatedDisk(), SimulatedDisk())
    let empty = ReplicatedList(id: DocumentWork.listID)
    var left = try host(phone, items: 3, after: empty)
    let backup = phone.bytes(DocumentWork.path) ?? []
    let writer = left.identity
    var me = try #require(writer).replica(for: left.file.list) { 1_777_000_000_000 }
    try left.file.commit(DocumentWork.edited(left.file.list, 4, by: &me))
    var right = try host(tablet, items: 1, after: empty)
    converse(&left, &right)
    let old = writer?.replica
    left.finish().close()
    phone.overwrite(DocumentWork.path, backup)
    var file = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(phone))
    let store = FileIdentityStore(
      "/state", machine: [], fileSystem: phone, random: { [random] in random.next() })
    try file.identify(in: store, random: { [random] in random.next() })
    #expect(file.identity?.rotation?.evidence == .wentBack)
    #expect(file.identity?.replica != old)
    var restored = DocumentHost(file)
    converse(&restored, &right)
    #expect(restored.file.list == right.file.list)
    #expect(restored.file.list.count == 8)
  }

  @Test func anExaminationTellsWhatIsWrongAndChangesNothing() throws {
    let disk = SimulatedDisk()
    let empty = ReplicatedList(id: DocumentWork.listID)
    var made = try host(disk, items: 2, after: empty)
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 }
    for _ in 0..<3 { try made.file.commit(DocumentWork.edited(made.file.list, 1, by: &me)) }
    let list = made.file.list
    made.finish().close()
    let bytes = try #require(disk.bytes(DocumentWork.path))
    let sound = try DocumentExamination(of: DocumentWork.path, in: disk)
    #expect(sound.isSound)
    #expect(sound.list == list)
    #expect(sound.commits.map(\.ordinal) == [0, 1, 2, 3])
    #expect(sound.commits.last.map { $0.offset + $0.byteCount } == bytes.count)
    var damaged = bytes
    damaged[sound.commits[2].offset + 30] ^= 1
    let found = try DocumentExamination(damaged)
    #expect(found.commits.count == 2)
    #expect(found.salvaged.map(\.ordinal) == [3])
    #expect(
      found.problems == [
        .damage(
          at: sound.commits[2].offset, salvagedCommits: 1, lostBytes: sound.commits[2].byteCount),
        .missingCommits(first: 2, last: 2),
      ])
    try found.salvage(to: "/rescued.trip", settings: DocumentWork.settings(disk))
    let rescued = try DocumentExamination(of: "/rescued.trip", in: disk)
    #expect(rescued.isSound)
    #expect(rescued.list == found.list)
    let sealed = try DocumentExamination(try SealedBlock.encode(list))
    #expect(sealed.container == .sealedBlock && sealed.isSound)
    #expect(throws: DocumentFileFailure.notFound) {
      try DocumentExamination(of: "/nothing", in: disk)
    }
  }

  /// A newer version commits while the document is open: what this one cannot read it neither follows
  /// with writes of its own nor leaves out.
  @Test(arguments: 0..<5) func whatANewerVersionWroteMeanwhileStays(_ operation: Int) throws {
    let disk = SimulatedDisk()
    var settings = DocumentWork.settings(disk)
    settings.access = .shared
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    let start = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 2, by: &me)
    let file = try DocumentFile.create(at: DocumentWork.path, holding: start, settings: settings)
    let bytes = try #require(disk.bytes(DocumentWork.path))
    let unknown = try TransportEqualityTests.newer(0xeeee, seed: 5)
    var critical = try Block(.delta, of: start.id, holding: unknown).encoded()
    critical[2] = 0x80
    let log = try DocumentHeader(bytes).log
    let newer = bytes + CommitFrame.encode(critical, ordinal: 1, in: log)
    disk.overwrite(DocumentWork.path, newer)
    var host = DocumentHost(file)
    let news = DocumentWork.edited(start, 1, by: &me)
    let delta = news.delta(since: start.version)
    switch operation {
    case 0:
      guard case .failed("read-only") = host.merge(delta) else {
        Issue.record("it was merged")
        return
      }
    case 1: #expect(throws: DocumentFileFailure.readOnly) { try host.file.commit(news) }
    case 2: #expect(throws: DocumentFileFailure.readOnly) { try host.file.compact() }
    case 3: #expect(throws: DocumentFileFailure.readOnly) { try host.file.replace(by: start) }
    default:
      // Who only reads sees what can be read, once, and what comes then is for newer ones.
      #expect(try !host.file.refresh())
      #expect(throws: DocumentFileFailure.readOnly) { try host.file.commit(news) }
    }
    let isReadOnly = host.file.isReadOnly
    #expect(isReadOnly && host.file.list == start)
    #expect(disk.bytes(DocumentWork.path) == newer)
    // And nobody else is kept from it.
    disk.close(try disk.lock(DocumentFile.lockPath(of: DocumentWork.path)))
  }
}
