extension Delta {
  /// Makes a delta from entries, each checked against what the format allows.
  ///
  ///     var builder = Delta.Builder()
  ///     try builder.add(entry)
  ///     builder.cover(entry.stamp.replica, after: 0, through: entry.sequence)
  ///     list.merge(builder.build())
  public struct Builder: Sendable {
    private var delta = Delta()

    /// Makes an empty builder.
    public init() {}

    /// The number of entries so far.
    public var count: Int { delta.rows.count }

    /// Adds an entry, in any order.
    ///
    /// - Parameter entry: One write. Of several for one register the greatest counts.
    /// - Throws: ``EntryFailure`` if the format has no such entry; the builder is as it was.
    /// - Complexity: O(the bytes of the entry)
    public mutating func add(_ entry: Entry) throws(EntryFailure) {
      try Builder.check(entry)
      let start = delta.bytes.count
      entry.value.appendCanonicalBytes(to: &delta.bytes)
      let code: RegisterCode =
        switch entry.register {
        case .life: .life
        case .position: .position
        default: RegisterCode(index: delta.registers.insert(entry.register))
        }
      delta.rows.append(
        Row(
          item: entry.item, time: entry.stamp.time.rawValue, sequence: entry.sequence,
          replica: delta.replicas.insert(entry.stamp.replica), register: code, start: start,
          count: delta.bytes.count - start))
    }

    /// Gives the entries so far, which are all by one writer, another one.
    ///
    /// An import makes the id of its writer from what it writes, so it is known in the end only.
    package mutating func replaceWriter(by replica: ReplicaID) {
      assert(delta.replicas.rows.count <= 1, "the entries have several writers")
      delta.replicas = ReplicaTable()
      _ = delta.replicas.insert(replica)
    }

    /// Claims that of the writes `after + 1 ... through` of a replica nothing is missing here.
    ///
    /// Empty and negative ranges claim nothing.
    public mutating func cover(_ replica: ReplicaID, after: Int64, through: Int64) {
      guard after >= 0, through > after else { return }
      delta.ranges.append(CoveredRange(replica: replica, after: after, through: through))
      delta.context[replica] = max(delta.context[replica], through)
    }

    /// Says what a receiver must know before it may claim any of the ranges.
    ///
    /// Whoever makes a delta of what was asked for by a version says so: a write that a range covers
    /// may have been replaced by one that is left out because that version claims it.
    public mutating func require(_ version: VersionVector) { delta.premise.formUnion(version) }

    /// Says up to where the sender has forgotten what removed items held.
    ///
    /// - Parameter floor: Joined with what was said before.
    public mutating func forget(below floor: VersionVector) { delta.floor.formUnion(floor) }

    /// Says what else the sender knew: it only serves to tell concurrent writes.
    public mutating func know(_ version: VersionVector) { delta.context.formUnion(version) }

    /// The delta.
    ///
    /// - Complexity: O(*k* log *k*) for *k* entries, O(*k*) if they were added in order
    public consuming func build() -> Delta {
      delta.sort()
      delta.ranges.sort {
        $0.replica != $1.replica ? $0.replica < $1.replica : $0.after < $1.after
      }
      return delta
    }

    static func check(_ entry: Entry) throws(EntryFailure) {
      guard entry.sequence > 0 else { throw EntryFailure(.badSequence) }
      switch (entry.register, entry.value) {
      case (.life, .life(let length)):
        guard length > 0, length <= RegisterValue.longestLife else {
          throw EntryFailure(.badLength)
        }
      case (.position, .position): break
      case (.field, .field(let value)):
        try check(value)
      case (.other(let kind, let name), .other(let raw)):
        guard kind < Register.Kind.firstCritical else { throw EntryFailure(.needsUpgrade) }
        guard kind >= Register.Kind.firstOther else { throw EntryFailure(.wrongKind) }
        guard name.count <= FieldName.maximumByteCount, isUTF8(name) else {
          throw EntryFailure(.badName)
        }
        guard raw.count <= FieldValue.maximumByteCount else { throw EntryFailure(.badValue) }
      default:
        throw EntryFailure(.wrongKind)
      }
    }

    static func isUTF8(_ name: [UInt8]) -> Bool {
      // What is no UTF-8 is repaired, and differs then.
      String(decoding: name, as: UTF8.self).utf8.elementsEqual(name)
    }

    private static func check(_ value: FieldValue?) throws(EntryFailure) {
      guard let value else { return }
      guard value.canonicalByteCount <= FieldValue.maximumByteCount else {
        throw EntryFailure(.badValue)
      }
      if case .unknown(let tag, _) = value {
        guard tag < FieldValue.Tag.firstCritical else { throw EntryFailure(.needsUpgrade) }
        guard tag >= FieldValue.Tag.firstUnknown else { throw EntryFailure(.badValue) }
      }
    }
  }
}
