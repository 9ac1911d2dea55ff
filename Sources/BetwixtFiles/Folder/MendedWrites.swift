import Betwixt
import BetwixtSync

/// Own writes of a clock that was ahead, which were made again: what own files of a shared folder still
/// hold of them is void, and comes out of it.
///
/// Their time would come, and they would win over all that was written since.
struct MendedWrites: Hashable, Sendable {
  /// The writes of one writer that the document held, or had replaced, when they were made again.
  struct Mending: Hashable, Sendable {
    /// Who had written them.
    var replica: ReplicaID

    /// Up to which number the document knew that writer.
    var through: Int64

    /// The first time that was too far ahead, in milliseconds since 1970.
    var time: Int64

    /// Who has made them again.
    ///
    /// A document that does not know that one went back to before it, and holds nothing in their place.
    var mender: ReplicaID

    /// Whether all that another one is about is what this one is about, too.
    fileprivate func covers(_ other: Mending) -> Bool {
      replica == other.replica && through >= other.through && time <= other.time
    }
  }

  /// Newest first.
  private(set) var mendings: [Mending] = []

  private static let limit = 64

  /// Notes what is about to be made again.
  ///
  /// - Parameters:
  ///   - list: The document that holds it.
  ///   - replicas: Under which ids it was written here, newest first; of who wrote nothing in it, nothing
  ///     is void.
  ///   - time: The first time that is too far ahead, in milliseconds since 1970.
  ///   - mender: Who makes it again.
  mutating func note(
    _ list: ReplicatedList, writtenBy replicas: [ReplicaID], from time: Int64, by mender: ReplicaID
  ) {
    // What was made again before may be so now once more.
    let known = known(to: list).mendings
    let (version, present) = (list.version, mendings)
    mendings = replicas.filter { version[$0] > 0 }.map {
      Mending(replica: $0, through: version[$0], time: time, mender: mender)
    }
    for var old in present {
      if known.contains(old) { old.mender = mender }
      if mendings.contains(where: { $0.mender == old.mender && $0.covers(old) }) { continue }
      mendings.removeAll { $0.mender == old.mender && old.covers($0) }
      mendings.append(old)
    }
    mendings = Array(mendings.prefix(MendedWrites.limit))
  }

  /// Those that a document holds something in the place of.
  func known(to list: ReplicatedList) -> MendedWrites {
    guard !mendings.isEmpty else { return self }
    let version = list.version
    var known = self
    known.mendings.removeAll { version[$0.mender] == 0 }
    return known
  }

  /// Whether a writer is one whose writes were made again.
  func names(_ replica: ReplicaID) -> Bool { mendings.contains { $0.replica == replica } }

  /// What of a file of a shared folder is not void.
  ///
  /// What the document holds is not: it has come back all the same.
  ///
  /// - Parameters:
  ///   - delta: What the file holds.
  ///   - isOwn: Whether it was made here, under an earlier id: others may hold what they like.
  ///   - list: The document.
  /// - Returns: The rest, which claims less.
  func rest(of delta: Delta, isOwn: Bool, holding list: ReplicatedList) -> Delta {
    guard !mendings.isEmpty else { return delta }
    let gone =
      isOwn
      ? delta.rows.indices.filter { index in
        let entry = delta.entry(delta.rows[index])
        return contains(entry) && list.entry(at: entry.address) != entry
      } : []
    // What is claimed may have been replaced by what is void.
    guard gone.isEmpty else { return delta.leavingOut(gone).withoutRanges }
    // Who claims a void number that the document does not know keeps from here what others still hold of
    // it. What comes behind the void ones is somebody's who went on: a document that was moved away may
    // have come back.
    let version = list.version
    let unknown = Set(mendings.filter { $0.through > version[$0.replica] }.map(\.replica))
    guard delta.ranges.contains(where: { unknown.contains($0.replica) }) else { return delta }
    return delta.keeping(
      delta.ranges.compactMap { range in
        guard unknown.contains(range.replica) else { return range }
        let through = min(range.through, version[range.replica])
        guard through > range.after else { return nil }
        return CoveredRange(replica: range.replica, after: range.after, through: through)
      })
  }

  /// Whether a write was made again, or had been replaced by one that was.
  private func contains(_ entry: Entry) -> Bool {
    mendings.contains {
      $0.replica == entry.stamp.replica && entry.sequence <= $0.through
        && (entry.stamp.time.milliseconds >= $0.time
          || AdmissionPolicy(now: nil).objection(to: entry) != nil)
    }
  }
}

// MARK: - Text

extension MendedWrites {
  private static let word = "betwixt-mended-1"

  /// The most that reading takes in.
  static let sizeLimit = 1 << 13

  /// A line for each.
  var bytes: [UInt8] {
    let lines = mendings.map {
      "\(MendedWrites.word) \($0.replica) \($0.through) \($0.time) \($0.mender)\n"
    }
    return Array(lines.joined().utf8)
  }

  /// Reads the lines; one that is none does not count.
  init(_ bytes: [UInt8]) {
    mendings = bytes.split(separator: UInt8(ascii: "\n")).prefix(MendedWrites.limit).compactMap {
      line in
      let words = line.split(separator: UInt8(ascii: " "))
        .map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 5, words[0].hasSameBytes(as: MendedWrites.word),
        let replica = ReplicaID(words[1]), let through = Int64(words[2]),
        let time = Int64(words[3]), let mender = ReplicaID(words[4])
      else { return nil }
      return Mending(replica: replica, through: through, time: time, mender: mender)
    }
  }
}
