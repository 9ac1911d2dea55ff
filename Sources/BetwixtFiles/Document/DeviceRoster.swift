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
      // Whatever a clock has said before: this one may be right again.
      devices[index].seen = max(0, time)
    }
    return devices[index] != before
  }

  /// The devices that were seen at a time or later.
  public func devices(seenSince time: Int64) -> [Device] { devices.filter { $0.seen >= time } }

  /// Drops devices: those that are this installation itself, under earlier names.
  mutating func leaveOut(_ replicas: Set<ReplicaID>) {
    devices.removeAll { replicas.contains($0.replica) }
  }

  /// Notes when each device last wrote, and forgets times that are yet to come: a clock that was wrong
  /// would keep a device that is gone for ever.
  mutating func note(writesIn list: ReplicatedList, until now: Int64) {
    guard !devices.isEmpty, let horizon = AdmissionPolicy(now: now).horizon else { return }
    let newest = list.newestWrites(before: horizon)
    for index in devices.indices {
      let written = newest[devices[index].replica]?.milliseconds ?? 0
      let seen = devices[index].seen < horizon.milliseconds ? devices[index].seen : 0
      devices[index].seen = min(now, max(seen, written))
    }
  }
}

extension ReplicatedList {
  /// When each replica wrote last what still stands, by the clocks of the replicas.
  ///
  /// - Parameter horizon: Times from which on none counts.
  /// - Returns: A time for each replica of which something stands.
  /// - Complexity: O(*n*)
  package func newestWrites(before horizon: Timestamp) -> [ReplicaID: Timestamp] {
    var newest: [ReplicaID: Timestamp] = [:]
    for item in allItems() {
      for entry in item.entries where entry.stamp.time < horizon {
        let replica = entry.stamp.replica
        newest[replica] = Swift.max(newest[replica] ?? entry.stamp.time, entry.stamp.time)
      }
    }
    return newest
  }
}

// MARK: - Bytes

extension DeviceRoster {
  /// The most that reading a roster takes in.
  static let sizeLimit = 16 << 20

  private static let form = StateRecord(
    mark: [0x89, 0x42, 0x54, 0x52, 0x0d, 0x0a, 0x1a, 0x0a], version: 1)

  // More are no devices of people, and a folder full of strangers must fill nothing.
  private static let limit = 1024
  private static let rowsLimit = sizeLimit / 2

  /// The roster's bytes: as many devices as there is room for, those that were seen last.
  var bytes: [UInt8] {
    let newest = devices.sorted { ($1.seen, $0.replica) < ($0.seen, $1.replica) }
    var rows: [(replica: ReplicaID, bytes: [UInt8])] = []
    var byteCount = 0
    for device in newest.prefix(DeviceRoster.limit) {
      var row: [UInt8] = []
      row.appendBigEndian(device.replica.rawValue)
      row.appendBigEndian(UInt64(bitPattern: device.seen))
      row += VersionVector.encoded(device.version[...])
      byteCount += row.count
      if byteCount > DeviceRoster.rowsLimit { break }
      rows.append((device.replica, row))
    }
    return DeviceRoster.form.bytes { bytes in
      bytes.appendVarint(rows.count)
      for row in rows.sorted(by: { $0.replica < $1.replica }) { bytes += row.bytes }
    }
  }

  /// Reads a roster's bytes.
  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    var reader = try DeviceRoster.form.reader(of: bytes)
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
