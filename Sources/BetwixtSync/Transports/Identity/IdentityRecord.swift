public import Betwixt

/// What an installation knows about its own identity in one document.
///
/// It is kept outside the document, so that a copy of the document is not a copy of the identity.
public struct IdentityRecord: Hashable, Sendable {
  /// Which document.
  public let document: ListID

  /// Who writes in it.
  public var replica: ReplicaID

  /// The highest number of an own write that ever left the device.
  public var published: Int64

  /// Ids that were given up, oldest first.
  public var former: [ReplicaID]

  /// Whether the id was given up because an exchange did not end equal, and none has since: such a
  /// defect must not take a new id each time.
  public var awaitsEqualExchange = false

  /// Where the record was made: another place means that it was copied or restored.
  public var place: StorePlace

  /// Makes a record.
  public init(
    document: ListID, replica: ReplicaID, published: Int64 = 0, former: [ReplicaID] = [],
    place: StorePlace
  ) {
    self.document = document
    self.replica = replica
    self.published = published
    self.former = former
    self.place = place
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
  /// This record, with what another program has saved since it was read.
  func joined(with present: IdentityRecord) -> IdentityRecord {
    var joined = self
    joined.former = present.former + former.filter { !present.former.contains($0) }
    if present.replica == replica {
      joined.published = max(published, present.published)
    } else if !joined.former.contains(present.replica) {
      joined.former.append(present.replica)
    }
    return joined
  }

  private static let magic: [UInt8] = [0x89, 0x42, 0x54, 0x49, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let version: UInt16 = 1
  /// The most that reading a record takes in.
  static let sizeLimit = 1 << 20

  /// The record's bytes, with a checksum at the end.
  var bytes: [UInt8] {
    var bytes = IdentityRecord.magic
    bytes.appendBigEndian(IdentityRecord.version)
    bytes += document.bytes
    bytes.appendBigEndian(replica.rawValue)
    bytes.appendBigEndian(UInt64(bitPattern: published))
    bytes.appendBigEndian(place.device)
    bytes.appendBigEndian(place.inode)
    bytes.appendBigEndian(UInt64(bitPattern: place.birthTime))
    bytes.append(awaitsEqualExchange ? 1 : 0)
    bytes.appendVarint(place.machine.count)
    bytes += place.machine
    bytes.appendVarint(former.count)
    for id in former { bytes.appendBigEndian(id.rawValue) }
    bytes.appendBigEndian(CRC32C.checksum(bytes[...]))
    return bytes
  }

  /// Reads a record's bytes.
  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    let end = max(0, bytes.count - 4)
    var trailer = Reader(bytes, in: end..<bytes.count)
    var reader = Reader(bytes, in: 0..<end)
    try reader.expect(IdentityRecord.magic, .badMagic)
    guard try trailer.uint32() == CRC32C.checksum(bytes[..<end]) else {
      throw DecodeFailure(.badChecksum, at: end)
    }
    guard try reader.uint16() == IdentityRecord.version else {
      throw DecodeFailure(.newerVersion, at: 8)
    }
    document = ListID(high: try reader.uint64(), low: try reader.uint64())
    replica = ReplicaID(rawValue: try reader.uint64())
    guard let number = Int64(exactly: try reader.uint64()) else {
      throw reader.failure(.badNumber)
    }
    published = number
    let device = try reader.uint64()
    let inode = try reader.uint64()
    let birthTime = Int64(bitPattern: try reader.uint64())
    let flag = try reader.byte()
    guard flag <= 1 else { throw reader.failure(.reserved) }
    awaitsEqualExchange = flag == 1
    let machine = Array(try reader.take(try reader.count(ofAtLeast: 1)))
    place = StorePlace(machine: machine, device: device, inode: inode, birthTime: birthTime)
    former = []
    for _ in 0..<(try reader.count(ofAtLeast: 8)) {
      former.append(ReplicaID(rawValue: try reader.uint64()))
    }
    try reader.finish()
  }
}
