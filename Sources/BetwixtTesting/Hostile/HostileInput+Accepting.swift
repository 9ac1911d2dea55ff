import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension HostileInput {
  /// Whether some bytes are a good input: all of them are decoded, opened or taken in.
  ///
  /// Choices of a peer or of a program are always good.
  ///
  /// - Complexity: whatever reading the bytes takes
  public func accepts(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .frames: Accepting.frames(bytes)
    case .block: (try? Block(decoding: bytes)) != nil
    case .blockPair: Accepting.pair(bytes)
    case .sealed: (try? SealedBlock.decodeBlock(bytes)) != nil
    case .sealedRepaired: (try? SealedBlock.decodeBlock(Repair.sealed(bytes))) != nil
    case .document: Accepting.document(bytes)
    case .documentRepaired: Accepting.document(Repair.document(bytes))
    case .folder: Accepting.folder(Repair.sealed(bytes))
    case .session: HostileSession.accepts(bytes)
    case .sessionRepaired: HostileSession.accepts(Repair.stream(bytes))
    case .hostilePeer, .program: true
    case .identity: Accepting.identity(bytes)
    case .keys: Accepting.keys(bytes)
    case .tripJSON: (try? TripJSON.decode(bytes, file: "a")) != nil
    case .plainJSON: (try? TripFile(decoding: bytes, name: "a")) != nil
    case .calendar: (try? TripFile(decoding: HostileText.calendar(bytes), name: "a")) != nil
    }
  }
}

private enum Accepting {
  /// At least one frame, and nothing behind the last.
  static func frames(_ bytes: [UInt8]) -> Bool {
    var stream = FrameStream()
    stream.append(bytes)
    var chain = FrameChain()
    var again = Frame.preamble
    while let frame = try? stream.next() { chain.append(frame, to: &again) }
    return again == bytes && again != Frame.preamble
  }

  static func pair(_ bytes: [UInt8]) -> Bool {
    guard let (first, second) = HostileBytes.pair(bytes) else { return false }
    return (try? Block(decoding: first)) != nil && (try? Block(decoding: second)) != nil
  }

  /// Nothing is wrong, and who opens it for writing has what it holds.
  static func document(_ bytes: [UInt8]) -> Bool {
    guard let examination = try? DocumentExamination(bytes), examination.isSound else {
      return false
    }
    guard case .document = examination.container else { return true }
    let (disk, settings) = HostileBytes.documentPlace(bytes)
    guard let file = try? DocumentFile.open(at: "/trip", settings: settings) else { return false }
    return file.list == examination.list && disk.bytes("/trip") == bytes
  }

  /// The one file is read, and nothing of it waits.
  static func folder(_ bytes: [UInt8]) -> Bool {
    var folder = HostileBytes.folder(bytes)
    var list = ReplicatedList(id: World.listID)
    guard let reading = try? folder.read(into: &list, now: 0),
      let block = try? SealedBlock.decodeBlock(bytes)
    else { return false }
    var held = ReplicatedList(id: World.listID)
    held.merge(block.delta)
    return reading.newFiles == 1 && reading.pending.isEmpty && reading.withheld.isEmpty
      && reading.needsUpgrade.isEmpty && list.digest == held.digest
  }

  static func identity(_ bytes: [UInt8]) -> Bool {
    (try? HostileBytes.identities(bytes).record(of: World.listID)) != nil
  }

  /// Both are keys, with room between them.
  static func keys(_ bytes: [UInt8]) -> Bool {
    let (first, second) = HostileBytes.twoKeys(bytes)
    guard let first, let second else { return false }
    return first == second
      || (try? SortKey.between(first, second, replica: ReplicaID(rawValue: 1), counter: 1)) != nil
  }
}
