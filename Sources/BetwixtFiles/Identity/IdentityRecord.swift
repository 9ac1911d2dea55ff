public import Betwixt
import BetwixtSync

/// What an installation knows about its own identity in one document at one path.
///
/// It is kept outside the document, so that a copy of the document is not a copy of the identity.
public struct IdentityRecord: Hashable, Sendable {
  /// One who writes, or wrote, in the document here.
  public struct Writer: Hashable, Sendable {
    /// The id.
    public var replica: ReplicaID

    /// The last commit with writes of its own; `nil` before the first.
    public var tail: CommitTail?

    /// Makes a writer.
    public init(replica: ReplicaID, tail: CommitTail? = nil) {
      self.replica = replica
      self.tail = tail
    }
  }

  /// Which document.
  public let document: ListID

  /// Who writes in it now.
  public var writer: Writer

  /// Who wrote in it before, newest first: a document that goes back to what one of them left is
  /// written by that one again.
  ///
  /// Somebody who goes to and fro between branches of a version control gets a new id only when
  /// these do not reach.
  public var earlier: [Writer] = []

  /// Ids that were given up for ever, oldest first.
  public var former: [ReplicaID]

  /// Whether the id was given up because an exchange did not end equal, and none has since: such a
  /// defect must not take a new id each time.
  public var awaitsEqualExchange = false

  /// Whether the record before this one could not be read, so that nobody knows under which ids was
  /// written here until then.
  public var followsUnreadable = false

  /// The last commit of the file before the newest that is noted here, whoever made it.
  ///
  /// A file that ends with it is as it was when that one was begun.
  public var base: CommitTail?

  /// When anything about the document was changed last before the newest commit that is noted here, in
  /// nanoseconds since 1970; 0 where that is not known.
  public var changeTime: Int64 = 0

  /// Which file the document was when the last commit was noted, or a step was kept that is none of its
  /// own; `nil` before the first.
  ///
  /// A file that is renamed stays the same, a copy is another one.
  public var file: FileMark?

  /// A commit that was noted in the store and not made; not kept itself.
  var withdrawn: CommitTail?

  /// Whether this says who writes from now on and what the last commit is, whatever is kept; not kept
  /// itself.
  ///
  /// After the file of a generation before was put back, that is a lesser number than the one that is
  /// kept. Any other save leaves what is kept as it is, for what it knows of that may be old.
  var isNews = false

  /// Where the record was made: another place means that it was copied or restored.
  public var place: StorePlace

  /// Who writes in the document now.
  public var replica: ReplicaID { writer.replica }

  /// The other ids that may be taken again.
  public var earlierReplicas: Set<ReplicaID> {
    Set(earlier.map(\.replica)).subtracting([replica])
  }

  /// All ids that this installation writes or wrote under, of those that the record remembers: also those
  /// that it wrote under until the document went back, and those that it gave up.
  var replicasEver: Set<ReplicaID> { earlierReplicas.union(former).union([replica]) }

  /// Makes a record of somebody who has not written yet.
  public init(
    document: ListID, replica: ReplicaID, former: [ReplicaID] = [], place: StorePlace
  ) {
    self.document = document
    writer = Writer(replica: replica)
    self.former = former
    self.place = place
  }
}

/// Which file of which drive something is, whatever it is called.
public struct FileMark: Hashable, Sendable {
  /// Which drive.
  public var device: UInt64

  /// Which file of that drive.
  public var inode: UInt64

  /// When the file was made, in nanoseconds since 1970; 0 where the system does not tell.
  public var birthTime: Int64

  /// Makes a mark.
  public init(device: UInt64, inode: UInt64, birthTime: Int64) {
    self.device = device
    self.inode = inode
    self.birthTime = birthTime
  }

  init(_ status: FileStatus) {
    self.init(device: status.device, inode: status.inode, birthTime: status.birthTime)
  }
}

/// The machine and the file that a record lies in.
public struct StorePlace: Hashable, Sendable {
  /// A name of the machine that a copy of its files does not carry along; empty if there is none.
  public var machine: [UInt8]

  /// Which drive.
  public var device: UInt64

  /// Which file of that drive.
  public var inode: UInt64

  /// When that file was made, in nanoseconds since 1970; 0 where the system does not tell.
  public var birthTime: Int64

  /// Makes a place.
  public init(machine: [UInt8], device: UInt64, inode: UInt64, birthTime: Int64 = 0) {
    self.machine = machine
    self.device = device
    self.inode = inode
    self.birthTime = birthTime
  }
}

extension IdentityRecord {
  /// How many writers are remembered with their last commits, the present one among them.
  static let writerCount = 8

  /// Notes the last commit of the present writer.
  ///
  /// - Parameters:
  ///   - tail: The commit.
  ///   - isSame: Whether it only writes anew what the one before left: then that one stays good, for
  ///     one of the two files will be there.
  ///   - base: The last commit before it.
  ///   - status: The file that it will stand in, before it does.
  mutating func note(
    _ tail: CommitTail, isSame: Bool, after base: CommitTail?, in status: FileStatus?
  ) {
    isNews = true
    self.base = base
    changeTime = status?.changeTime ?? 0
    if let status { file = FileMark(status) }
    if isSame, writer.tail != nil { earlier.insert(writer, at: 0) }
    writer.tail = tail
    if !isSame { earlier = earlier.filter { $0.replica != replica } }
    trim()
  }

  /// Goes on as another writer.
  mutating func begin(_ next: Writer) {
    isNews = true
    base = nil
    earlier.insert(writer, at: 0)
    writer = next
    earlier.removeAll { $0 == next || $0.tail == nil }
    trim()
  }

  /// Gives the present writer up for ever.
  mutating func giveUp(for next: ReplicaID) {
    isNews = true
    base = nil
    former.append(replica)
    earlier = earlier.filter { $0.replica != replica }
    writer = Writer(replica: next)
  }

  private mutating func trim() {
    earlier = Array(earlier.prefix(IdentityRecord.writerCount - 1))
  }

  /// This record, with what another program has saved since it was read.
  func joined(with present: IdentityRecord) -> IdentityRecord {
    var joined = self
    joined.former = present.former + former.filter { !present.former.contains($0) }
    joined.followsUnreadable = followsUnreadable || present.followsUnreadable
    if !isNews, withdrawn == nil || present.writer.tail != withdrawn {
      (joined.writer, joined.earlier) = (present.writer, present.earlier)
      (joined.base, joined.changeTime, joined.file) = (
        present.base, present.changeTime, present.file
      )
    }
    (joined.withdrawn, joined.isNews) = (nil, false)
    joined.file = joined.file ?? present.file
    for writer in [present.writer] + present.earlier
    where writer.tail != nil && writer.replica != joined.replica
      && !joined.earlier.contains(writer)
    {
      joined.earlier.append(writer)
    }
    joined.earlier = joined.earlier.filter { !joined.former.contains($0.replica) }
    joined.trim()
    return joined
  }

  // MARK: Bytes

  private static let form = StateRecord(
    mark: [0x89, 0x42, 0x54, 0x49, 0x0d, 0x0a, 0x1a, 0x0a], version: 1)

  /// The most that reading a record takes in.
  static let sizeLimit = 1 << 20

  /// The record's bytes, with a checksum at the end.
  var bytes: [UInt8] {
    IdentityRecord.form.bytes { bytes in
      bytes += document.bytes
      bytes.appendBigEndian(place.device)
      bytes.appendBigEndian(place.inode)
      bytes.appendBigEndian(UInt64(bitPattern: place.birthTime))
      bytes.append((awaitsEqualExchange ? 1 : 0) | (followsUnreadable ? 2 : 0))
      bytes.appendVarint(place.machine.count)
      bytes += place.machine
      bytes.appendVarint(1 + earlier.count)
      for writer in [writer] + earlier { writer.append(to: &bytes) }
      bytes.append(base == nil ? 0 : 1)
      base?.append(to: &bytes)
      bytes.append(file == nil ? 0 : 1)
      if let file {
        bytes.appendBigEndian(file.device)
        bytes.appendBigEndian(file.inode)
        bytes.appendBigEndian(UInt64(bitPattern: file.birthTime))
        bytes.appendBigEndian(UInt64(bitPattern: changeTime))
      }
      bytes.appendVarint(former.count)
      for id in former { bytes.appendBigEndian(id.rawValue) }
    }
  }

  /// Reads a record's bytes.
  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    var reader = try IdentityRecord.form.reader(of: bytes)
    document = ListID(high: try reader.uint64(), low: try reader.uint64())
    let device = try reader.uint64()
    let inode = try reader.uint64()
    let birthTime = Int64(bitPattern: try reader.uint64())
    let flags = try reader.byte()
    guard flags < 4 else { throw reader.failure(.badNumber) }
    (awaitsEqualExchange, followsUnreadable) = (flags & 1 != 0, flags & 2 != 0)
    let machine = Array(try reader.take(try reader.count(ofAtLeast: 1)))
    place = StorePlace(machine: machine, device: device, inode: inode, birthTime: birthTime)
    let count = try reader.count(ofAtLeast: Writer.leastByteCount)
    guard (1...IdentityRecord.writerCount).contains(count) else {
      throw reader.failure(.badNumber)
    }
    writer = try Writer(&reader)
    for _ in 1..<count { earlier.append(try Writer(&reader)) }
    if try reader.flag() { base = try CommitTail(&reader) }
    if try reader.flag() {
      file = FileMark(
        device: try reader.uint64(), inode: try reader.uint64(),
        birthTime: Int64(bitPattern: try reader.uint64()))
      changeTime = Int64(bitPattern: try reader.uint64())
    }
    former = []
    for _ in 0..<(try reader.count(ofAtLeast: 8)) {
      former.append(ReplicaID(rawValue: try reader.uint64()))
    }
    try reader.finish()
  }
}

extension IdentityRecord.Writer {
  fileprivate static let leastByteCount = 9

  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.appendBigEndian(replica.rawValue)
    bytes.append(tail == nil ? 0 : 1)
    tail?.append(to: &bytes)
  }

  fileprivate init(_ reader: inout Reader) throws(DecodeFailure) {
    replica = ReplicaID(rawValue: try reader.uint64())
    if try reader.flag() { tail = try CommitTail(&reader) }
  }
}

extension CommitTail {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.appendBigEndian(log.rawValue)
    bytes.appendBigEndian(generation)
    bytes.appendBigEndian(ordinal)
    bytes.appendBigEndian(checksum)
  }

  fileprivate init(_ reader: inout Reader) throws(DecodeFailure) {
    self.init(
      log: LogID(rawValue: try reader.uint64()), generation: try reader.uint64(),
      ordinal: try reader.uint32(), checksum: try reader.uint32())
  }
}

extension Reader {
  /// A byte that is 0 or 1.
  fileprivate mutating func flag() throws(DecodeFailure) -> Bool {
    let flag = try byte()
    guard flag <= 1 else { throw failure(.reserved) }
    return flag == 1
  }
}
