import Betwixt

/// The writes that an import makes, before they have a writer.
struct ImportWrites {
  private struct Write {
    let item: ItemID
    let register: Register
    let value: RegisterValue
    let time: Timestamp

    func entry(by replica: ReplicaID, _ sequence: Int64) -> Entry {
      Entry(
        item: item, register: register, value: value,
        stamp: Stamp(time: time, replica: replica), sequence: sequence)
    }
  }

  private var writes: [Write] = []

  var isEmpty: Bool { writes.isEmpty }

  /// Adds a write; writes come by item, the root first, and then by register.
  mutating func add(
    _ item: ItemID, _ register: Register, _ value: RegisterValue, at time: Timestamp
  ) {
    writes.append(Write(item: item, register: register, value: value, time: time))
  }

  /// Adds the place of an item.
  mutating func addPosition(_ item: ItemID, _ place: PlainPlace, at time: Timestamp) {
    // The reader lets only finite numbers through.
    guard let key = try? SortKey(importing: place.number, item) else { return }
    add(item, .position, .position(section: place.section, key: key), at: time)
  }

  /// The writes with their numbers and their writer, whose id is made from what it writes, so one
  /// file gives one state on every machine.
  func delta() -> Delta {
    var builder = Delta.Builder()
    guard !writes.isEmpty else { return builder.build() }
    let replica = writer()
    for (sequence, write) in zip(Int64(1)..., writes) {
      do {
        try builder.add(write.entry(by: replica, sequence))
      } catch {
        // The reader refuses everything that an entry could not hold.
        assertionFailure("an import made a bad write: \(error)")
      }
    }
    builder.cover(replica, after: 0, through: Int64(writes.count))
    return builder.build()
  }

  private func writer() -> ReplicaID {
    var message = Array("import".utf8) + [0]
    let nobody = ReplicaID(rawValue: 0)
    for (sequence, write) in zip(Int64(1)..., writes) {
      message.append(contentsOf: write.entry(by: nobody, sequence).canonicalBytes)
    }
    return ReplicaID(rawValue: UInt64(bigEndianBytes: SHA256.hash(message)[..<8]))
  }
}
