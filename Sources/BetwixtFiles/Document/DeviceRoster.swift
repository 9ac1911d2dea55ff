public import Betwixt
import BetwixtSync

/// The devices that an installation has met over a document, and what each of them has acknowledged.
///
/// It decides only how early one forgets politely, never whether that is safe: nobody who is missing
/// here, or who was away for years, is harmed by `ReplicatedList.forget(below:)`.
///
///     var roster = DeviceRoster()
///     roster.note(phone, holds: session.version, at: now)
///     roster.devices(seenSince: now - 90 * day).map(\.replica)   // [phone]
public struct DeviceRoster: Hashable, Sendable {
  /// A device that was met.
  public struct Device: Hashable, Sendable {
    /// Who writes on it.
    public let replica: ReplicaID

    /// When it last told something new, in milliseconds since 1970 by the clock of this
    /// installation; 0 if that is not known.
    public internal(set) var seen: Int64

    /// What it has said that it holds.
    public internal(set) var version: VersionVector
  }

  /// All of them, rising by replica.
  public private(set) var devices: [Device] = []

  /// Nobody yet.
  public init() {}

  /// Notes what a device has said that it holds.
  ///
  /// - Parameters:
  ///   - replica: Who writes on it.
  ///   - version: What it holds.
  ///   - time: What time it is, in milliseconds since 1970.
  ///   - isRead: Whether that was only read somewhere, as in a folder: it may have been said long ago,
  ///     unless it is more than at the last look.
  /// - Returns: Whether that is news.
  /// - Complexity: O(*d* + *r*) for *d* devices and *r* replicas
  @discardableResult
  public mutating func note(
    _ replica: ReplicaID, holds version: VersionVector, at time: Int64, isRead: Bool = false
  ) -> Bool {
    let index = devices.firstIndex { $0.replica >= replica } ?? devices.count
    guard index < devices.count, devices[index].replica == replica else {
      let device = Device(replica: replica, seen: isRead ? 0 : max(0, time), version: version)
      devices.insert(device, at: index)
      return true
    }
    let before = devices[index]
    devices[index].version.formUnion(version)
    if !isRead || devices[index].version != before.version {
      devices[index].seen = max(before.seen, time)
    }
    return devices[index] != before
  }

  /// The devices that were seen at a time or later.
  public func devices(seenSince time: Int64) -> [Device] { devices.filter { $0.seen >= time } }

  /// Drops devices: those that are this installation itself, under earlier names.
  mutating func leaveOut(_ replicas: Set<ReplicaID>) {
    devices.removeAll { replicas.contains($0.replica) }
  }

  /// Notes when each device last wrote.
  mutating func note(writesIn list: ReplicatedList, until now: Int64) {
    guard !devices.isEmpty else { return }
    var newest: [ReplicaID: Timestamp] = [:]
    for item in list.allItems() {
      for entry in item.entries {
        let replica = entry.stamp.replica
        newest[replica] = max(newest[replica] ?? entry.stamp.time, entry.stamp.time)
      }
    }
    for index in devices.indices {
      guard let time = newest[devices[index].replica] else { continue }
      devices[index].seen = max(devices[index].seen, min(now, time.milliseconds))
    }
  }
}

// MARK: - Bytes

extension DeviceRoster {
  /// The most that reading a roster takes in.
  static let sizeLimit = 16 << 20

  private static let magic: [UInt8] = [0x89, 0x42, 0x54, 0x52, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let format: UInt16 = 1
  // More are no devices of people; those that were seen last are kept.
  private static let limit = 1024

  /// The roster's bytes, with a checksum at the end.
  var bytes: [UInt8] {
    let newest = devices.sorted { ($1.seen, $0.replica) < ($0.seen, $1.replica) }
    let kept = newest.prefix(DeviceRoster.limit).sorted { $0.replica < $1.replica }
    var bytes = DeviceRoster.magic
    bytes.appendBigEndian(DeviceRoster.format)
    bytes.appendVarint(kept.count)
    for device in kept {
      bytes.appendBigEndian(device.replica.rawValue)
      bytes.appendBigEndian(UInt64(bitPattern: device.seen))
      bytes += VersionVector.encoded(device.version[...])
    }
    bytes.appendBigEndian(CRC32C.checksum(bytes[...]))
    return bytes
  }

  /// Reads a roster's bytes.
  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    let end = max(0, bytes.count - 4)
    var trailer = Reader(bytes, in: end..<bytes.count)
    var reader = Reader(bytes, in: 0..<end)
    try reader.expect(DeviceRoster.magic, .badMagic)
    guard try trailer.uint32() == CRC32C.checksum(bytes[..<end]) else {
      throw DecodeFailure(.badChecksum, at: end)
    }
    guard try reader.uint16() == DeviceRoster.format else {
      throw DecodeFailure(.newerVersion, at: DeviceRoster.magic.count)
    }
    for _ in 0..<(try reader.count(ofAtLeast: 17)) {
      let replica = ReplicaID(rawValue: try reader.uint64())
      if let last = devices.last, replica <= last.replica { throw reader.failure(.badOrder) }
      let seen = Int64(bitPattern: try reader.uint64())
      guard seen >= 0 else { throw reader.failure(.badNumber) }
      devices.append(
        Device(replica: replica, seen: seen, version: try VersionVector(&reader)))
    }
    try reader.finish()
  }
}
