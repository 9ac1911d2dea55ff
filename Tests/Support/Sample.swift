package import Betwixt

/// Lists made by seeded edits.
package enum Sample {
  package static let listID = ListID(high: 0x9e50_adbf_f5e2_51c2, low: 0xb7f7_fe99_5931_9df5)

  /// A list that three replicas edited, sometimes without each other's news, with fields of every
  /// kind, removed and restored items, moves, metadata and imported ids.
  package static func list(seed: UInt64, edits: Int) -> ReplicatedList {
    var random = SplitMix64(seed: seed)
    var lists = [ReplicatedList](repeating: ReplicatedList(id: listID), count: 3)
    var sequences = [Int64](repeating: 0, count: 3)
    for _ in 0..<edits {
      let author = random.next(below: 3)
      let time = 1_777_000_000_000 + Int64(random.next(below: 1000)) * 60_000
      var me = Replica(
        id: ReplicaID(rawValue: 0x00c0_ffee_0000_0000 + UInt64(author) * 77),
        sequence: sequences[author]
      ) { time }
      try? edit(&lists[author], by: &me, &random)
      sequences[author] = me.sequence
      if random.next(below: 4) == 0 {
        let other = random.next(below: 3)
        lists[other].merge(lists[author].delta(since: lists[other].version))
      }
    }
    return lists[0].merging(lists[1]).merging(lists[2])
  }

  package static func edit(
    _ list: inout ReplicatedList, by me: inout Replica, _ random: inout SplitMix64
  ) throws(EditFailure) {
    let choice = random.next(below: 10)
    guard choice > 2, list.count > 0 else {
      let section = Int64(random.next(below: 4)) - 1
      let offset = random.next(below: list.indices(inSection: section).count + 1)
      let name: FieldName = ["title", "kind", "ort", "größe"][random.next(below: 4)]
      try list.insert([name: value(&random)], at: offset, inSection: section, by: &me)
      return
    }
    let id = list[random.next(below: list.count)].id
    switch choice {
    case 3, 4:
      try list.move(id, toOffset: 0, inSection: Int64(random.next(below: 3)), by: &me)
    case 5, 6: try list.set("title", of: id, to: value(&random), by: &me)
    case 7: try list.remove(id, by: &me)
    case 8:
      if let gone = list.allItems().first(where: \.isRemoved) {
        try list.restore(gone.id, by: &me)
      } else {
        try list.clear("title", of: id, by: &me)
      }
    default: try list.set("name", of: .root, to: value(&random), by: &me)
    }
  }

  package static func value(_ random: inout SplitMix64) -> FieldValue {
    switch random.next(below: 9) {
    case 0: .bool(random.next(below: 2) == 0)
    case 1: .int64(Int64(bitPattern: random.next() >> UInt64(random.next(below: 64))))
    case 2: .int64(-Int64(random.next(below: 100)))
    case 3: .double(Double(random.next(below: 1000)) / 8)
    case 4: .double(.nan)
    case 5: .bytes((0..<random.next(below: 20)).map { UInt8(truncatingIfNeeded: $0) })
    case 6: .unknown(tag: 0x07 + UInt8(random.next(below: 0x79)), payload: [1, 2, 3])
    case 7: .string("Zócalo 🌮 \(random.next(below: 1000))")
    default: .string("Lunch \(random.next(below: 100))")
    }
  }
}

extension ReplicatedList {
  /// P21: of every write that the version claims, this list holds it or one that replaced it.
  ///
  /// - Complexity: O(*n* log *n*)
  package func claimsTruly(about all: ReplicatedList) -> Bool {
    var builder = Delta.Builder()
    for entry in all.delta(since: VersionVector()).entries where version.covers(entry.dot) {
      try? builder.add(entry)
    }
    var joined = self
    joined.merge(builder.build())
    return joined.digest == digest
  }
}
