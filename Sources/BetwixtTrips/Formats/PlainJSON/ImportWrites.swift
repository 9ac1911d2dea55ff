import Betwixt

/// The writes that an import makes, before they have a writer.
struct ImportWrites {
  struct Write {
    let item: ItemID
    let register: Register
    let value: RegisterValue
    let time: Timestamp

    fileprivate func entry(by replica: ReplicaID, sequence: Int64) -> Entry {
      Entry(
        item: item, register: register, value: value,
        stamp: Stamp(time: time, replica: replica), sequence: sequence)
    }
  }

  private var writes: [Write] = []

  /// Adds a write; writes come by item, the root first, and then by register.
  mutating func add(
    _ value: RegisterValue, to register: Register, of item: ItemID, at time: Timestamp
  ) {
    writes.append(Write(item: item, register: register, value: value, time: time))
  }

  /// Adds a write, in the same order.
  mutating func add(_ write: Write) { writes.append(write) }

  /// The writes without those whose values a list holds already: to write them again would only make
  /// them later.
  func without(_ list: ReplicatedList) -> ImportWrites {
    var others = ImportWrites()
    // Writes come by item, so each item is read once.
    var item: ItemID?
    var held: [Register: RegisterValue] = [:]
    others.writes = writes.filter { write in
      if item != write.item {
        item = write.item
        held = list[id: write.item]?.values ?? [:]
      }
      return held[write.register] != write.value
    }
    return others
  }

  /// The writes without those of some items.
  func without(_ items: Set<ItemID>) -> ImportWrites {
    guard !items.isEmpty else { return self }
    var others = ImportWrites()
    others.writes = writes.filter { !items.contains($0.item) }
    return others
  }

  /// The writes with their numbers and their writer, whose id is made from what it writes, so one
  /// file gives one state on every machine.
  func delta() -> Delta {
    ImportWrites.delta { take in
      for write in writes { take(write) }
    }
  }

  /// The delta of writes that are told one by one, so that they need not be kept.
  ///
  /// - Parameter tell: Tells each write, by item, the root first, and then by register.
  /// - Returns: The writes with their numbers and their writer.
  static func delta(_ tell: ((Write) -> Void) -> Void) -> Delta {
    var writer = WriterHash()
    var builder = Delta.Builder()
    tell { write in
      // Who writes is known in the end only.
      let entry = write.entry(by: ReplicaID(rawValue: 0), sequence: writer.count + 1)
      do throws(EntryFailure) {
        try builder.add(entry)
        // Only what is there is counted: the version must claim nothing else.
        writer.add(entry)
      } catch {
        // The reader refuses everything that an entry could not hold.
        assertionFailure("an import made a bad write: \(error)")
      }
    }
    guard writer.count > 0 else { return builder.build() }
    let replica = writer.replica
    builder.replaceWriter(by: replica)
    builder.cover(replica, after: 0, through: writer.count)
    return builder.build()
  }

  /// Makes the id of a writer from its writes.
  private struct WriterHash {
    private var hash = SHA256()
    // What was not hashed yet, so that it is hashed in long pieces.
    private var pending = Array("import".utf8) + [0]
    private(set) var count: Int64 = 0

    private static let pieceByteCount = 1 << 16

    mutating func add(_ entry: Entry) {
      count += 1
      entry.appendCanonicalBytes(to: &pending)
      guard pending.count >= WriterHash.pieceByteCount else { return }
      hash.update(pending)
      pending.removeAll(keepingCapacity: true)
    }

    var replica: ReplicaID {
      var hash = hash
      hash.update(pending)
      return ReplicaID(rawValue: UInt64(bigEndianBytes: hash.finalize()[..<8]))
    }
  }
}

extension PlainPlace {
  /// The place as a position; `nil` for a number that no key has, of which the reader lets none through.
  func value(of item: ItemID) -> RegisterValue? {
    (try? SortKey(importing: number, of: item)).map { .position(section: section, key: $0) }
  }
}
