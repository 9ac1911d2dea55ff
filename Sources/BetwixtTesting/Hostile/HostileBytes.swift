import Betwixt
import BetwixtFiles
import BetwixtSync

/// What must hold of the binary formats, whatever the bytes.
enum HostileBytes {
  static func checkFrames(_ bytes: [UInt8]) throws(Violation) {
    var whole = FrameStream()
    whole.append(bytes)
    let frames = drain(&whole)
    // Any cut of the same bytes gives the same frames.
    var pieces = FrameStream()
    var found: [Frame] = []
    let size = max(1, Int(bytes.first ?? 1))
    var rest = bytes[...]
    while !rest.isEmpty {
      pieces.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      found += drain(&pieces)
    }
    try require(found == frames, "bytes in pieces are \(found.count) frames, not \(frames.count)")
    var chain = FrameChain()
    var again = Frame.preamble
    for frame in frames { chain.append(frame, to: &again) }
    try require(
      frames.isEmpty || bytes.starts(with: again), "frames are written as other bytes")
  }

  private static func drain(_ stream: inout FrameStream) -> [Frame] {
    var frames: [Frame] = []
    while let frame = try? stream.next() { frames.append(frame) }
    return frames
  }

  static func checkBlock(_ bytes: [UInt8]) throws(Violation) {
    guard let block = try? Block(decoding: bytes) else { return }
    let again = try? block.encoded()
    try require(again == bytes, "a block that was accepted is written as other bytes")
    try checkMerges(of: block, block)
  }

  static func checkPair(_ bytes: [UInt8]) throws(Violation) {
    guard let (first, second) = pair(bytes), let first = try? Block(decoding: first),
      let second = try? Block(decoding: second)
    else { return }
    try checkMerges(of: first, second)
  }

  /// The bytes of two blocks, the first behind its length.
  static func pair(_ bytes: [UInt8]) -> (first: [UInt8], second: [UInt8])? {
    guard bytes.count >= 2 else { return nil }
    let size = Int(bytes[0]) << 8 | Int(bytes[1])
    return (Array(bytes.dropFirst(2).prefix(size)), Array(bytes.dropFirst(2 + size)))
  }

  /// Two blocks in both orders, one of them twice: one result, and claims only grow.
  private static func checkMerges(of first: Block, _ second: Block) throws(Violation) {
    var one = ReplicatedList(id: first.list)
    one.merge(first.delta)
    let version = one.version
    one.merge(second.delta)
    try require(one.version.covers(version), "a merge takes a claim back")
    var other = ReplicatedList(id: first.list)
    other.merge(second.delta)
    other.merge(first.delta)
    try require(one == other && one.digest == other.digest, "the order of two blocks matters")
    one.merge(first.delta)
    try require(one == other, "a block that comes twice changes something")
    try require(one.map(\.id) == other.map(\.id), "equal lists are shown in different orders")
  }

  static func checkSealed(_ bytes: [UInt8]) throws(Violation) {
    let block = try? SealedBlock.decodeBlock(bytes)
    if let block {
      try require(
        (try? SealedBlock.encode(block: block)) == bytes, "a sealed block is written otherwise")
    }
    let loaded = try? SealedBlock.decode(bytes)
    if let block, block.kind == .export || block.kind == .snapshot {
      // A list is loaded without a delta in between, and must be what merging that makes.
      var merged = ReplicatedList(id: block.list)
      merged.merge(block.delta)
      try require(
        loaded == merged && loaded?.version == merged.version && loaded?.floor == merged.floor
          && loaded?.map(\.id) == merged.map(\.id), "a list is loaded otherwise than merged")
    } else {
      try require(loaded == nil, "a block that is no list is loaded as one")
    }
    if let list = loaded {
      guard let again = try? SealedBlock.encode(list) else { return }
      try require((try? SealedBlock.decode(again)) == list, "a list is not what its bytes say")
    }
  }

  static func checkDocument(_ bytes: [UInt8]) throws(Violation) {
    let examination = try? DocumentExamination(bytes)
    let (disk, exclusive) = documentPlace(bytes)
    var settings = exclusive
    settings.access = .readOnly
    if let file = try? DocumentFile.open(at: "/trip", settings: settings) {
      try require(disk.bytes("/trip") == bytes, "reading a file has changed it")
      if let examination {
        try require(file.list == examination.list, "a file is not what its examination found")
      }
    }
    settings.access = .exclusive
    let list: ReplicatedList
    do throws(DocumentFileFailure) {
      let file = try DocumentFile.open(at: "/trip", settings: settings)
      list = file.list
    } catch {
      return try require(disk.bytes("/trip") == bytes, "a file that was refused has changed")
    }
    let again = (try? DocumentFile.open(at: "/trip", settings: settings))?.list
    try require(again == list, "a file that was repaired opens with another list")
  }

  /// A disk with a document at `/trip`, and how to open it for writing there.
  static func documentPlace(
    _ bytes: [UInt8]
  ) -> (disk: SimulatedDisk, settings: DocumentFile.Settings) {
    let disk = SimulatedDisk()
    disk.put("/trip", bytes: bytes)
    let random = SeededBits(seed: 1)
    var settings = DocumentFile.Settings(random: { random.next() })
    settings.fileSystem = disk
    settings.access = .exclusive
    return (disk, settings)
  }

  /// A shared folder that holds one file of somebody else.
  static func folder(_ bytes: [UInt8]) -> SharedFolder {
    let disk = SimulatedDisk()
    let directory = "/shared/betwixt-1/\(World.listID)/000000000000002a"
    disk.put(directory + "/00000001-0000000000000000.segment", bytes: bytes)
    let random = SeededBits(seed: 1)
    var settings = SharedFolder.Settings(random: { random.next() })
    settings.fileSystem = disk
    return SharedFolder(
      "/shared", list: World.listID, replica: ReplicaID(rawValue: 5), settings: settings)
  }

  static func checkFolder(_ bytes: [UInt8]) throws(Violation) {
    var folder = folder(bytes)
    var list = ReplicatedList(id: World.listID)
    do {
      try folder.read(into: &list, now: 0)
      let before = list
      try folder.read(into: &list, now: 1)
      try require(list == before, "reading a folder again changes the list")
      try folder.write(list)
      try folder.writeSnapshot(list)
    } catch let error as Violation {
      throw error
    } catch {
      // A content that is too large, or evidence against the own id, is a failure that is told.
    }
  }

  static func checkIdentity(_ bytes: [UInt8]) throws(Violation) {
    let store = identities(bytes)
    guard let record = try? store.record(of: World.listID) else { return }
    let saved = try? store.save(record, durably: true)
    let again = try? store.record(of: World.listID)
    try require(saved != nil && again == saved, "a record is not what was saved")
  }

  /// A store that holds one record.
  static func identities(_ bytes: [UInt8]) -> FileIdentityStore {
    let disk = SimulatedDisk()
    disk.put("/state/\(World.listID).identity", bytes: bytes)
    let random = SeededBits(seed: 1)
    return FileIdentityStore(
      "/state", machine: [1, 2], fileSystem: disk, random: { random.next() })
  }

  /// Two keys, each behind its length, taken from the front of bytes.
  private static func takeKeys(_ rest: inout ArraySlice<UInt8>) -> (SortKey?, SortKey?) {
    func key() -> SortKey? {
      let count = rest.popFirst() ?? 0
      let key = try? SortKey(bytes: Array(rest.prefix(Int(count))))
      rest = rest.dropFirst(Int(count))
      return key
    }
    return (key(), key())
  }

  /// Two keys, each behind its length.
  static func twoKeys(_ bytes: [UInt8]) -> (SortKey?, SortKey?) {
    var rest = bytes[...]
    return takeKeys(&rest)
  }

  /// Two keys, each behind its length; then who asks for one between them.
  static func checkKeys(_ bytes: [UInt8]) throws(Violation) {
    var rest = bytes[...]
    let (first, second) = takeKeys(&rest)
    let replica = ReplicaID(rawValue: UInt64(rest.popFirst() ?? 0))
    let counter = Int64(rest.popFirst() ?? 0) + 1
    for (left, right) in [(first, second), (first, nil), (nil, second), (second, first)] {
      guard let between = try? SortKey.between(left, right, replica: replica, counter: counter)
      else { continue }
      try require(
        left.map { $0 < between } ?? true && right.map { between < $0 } ?? true,
        "a key is not between its neighbours")
      try require(
        (try? SortKey(bytes: between.bytes)) == between, "a key is no key by its own rules")
      // The new key's own neighbourhood must have room too, unless it is at the limit.
      guard between.bytes.count < 900 else { continue }
      for (left, right) in [(left, between), (between, right)] as [(SortKey?, SortKey?)] {
        let next = try? SortKey.between(left, right, replica: replica, counter: counter + 1)
        try require(next != nil, "there is no room beside a new key")
      }
    }
  }

  static func checkProgram(_ bytes: [UInt8]) throws(Violation) {
    var source = ChoiceSource(bytes: bytes)
    let simulation = Simulation(replicas: 2...4)
    let program = simulation.program(from: &source)
    do {
      try simulation.run(program)
    } catch {
      throw Violation("\(error)\n\(program)")
    }
  }
}
