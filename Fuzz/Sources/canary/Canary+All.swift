import Betwixt
import BetwixtSync
import BetwixtTesting

extension Canary {
  /// All planted bugs.
  static let all = [
    lostRemoval, tieByArrival, mixedRun, acceptedBitFlip, claimPastGap, unsyncedRename,
    forgottenSync, doubledItem, forgettingByAge, floorNotCarried, restoreAsOneEntry,
    forgettingTheLiving, floorNotSaid, floorNotTaken, restoreTakenAsOneEntry,
  ]

  /// Removals are left out of deltas, and claimed all the same.
  private static let lostRemoval = Canary(
    name: "lost-removal", saying: ["entries, the model"]
  ) { simulation in
    simulation.carry = { delta, _ in
      try delta.rebuilt { entry in
        if case .life(let length) = entry.value, length.isMultiple(of: 2) { nil } else { entry }
      }
    }
  }

  /// Of two writes of one time, the one that is there first stays.
  private static let tieByArrival = Canary(
    name: "tie-by-arrival", saying: ["holds [", "lacks field"]
  ) { simulation in
    simulation.carry = { delta, list in
      try delta.rebuilt { entry in
        let held = list[id: entry.item]?.entries.first { $0.register == entry.register }
        return held.map { $0.stamp.time == entry.stamp.time } ?? false ? nil : entry
      }
    }
  }

  /// What is typed at one place gets the number in the middle, whoever types.
  private static let mixedRun = Canary(
    name: "mixed-run", saying: ["are mixed"]
  ) { simulation in
    simulation.type = { list, offset, section, me throws(EditFailure) in
      let before = list.indices(inSection: section)
      let left = offset > 0 ? list[before.lowerBound + offset - 1].key?.approximateSortOrder : nil
      let right =
        offset < before.count ? list[before.lowerBound + offset].key?.approximateSortOrder : nil
      let id = try list.insert([:], at: offset, inSection: section, by: &me)
      let (low, high) = (left ?? (right ?? 0) - 1, right ?? (left ?? 0) + 1)
      let middle = low + (high - low) / 2
      if low < middle, middle < high {
        try list.place(id, atSortOrder: middle, inSection: section, by: &me)
      }
      return id
    }
  }

  /// A bit of a value is flipped on the way, and taken.
  private static let acceptedBitFlip = Canary(
    name: "accepted-bit-flip", saying: ["holds ["]
  ) { simulation in
    simulation.carry = { delta, _ in
      try delta.rebuilt { entry in
        guard case .field(.int64(let number)?) = entry.value else { return entry }
        return Entry(
          item: entry.item, register: entry.register, value: .field(.int64(number ^ 4)),
          stamp: entry.stamp, sequence: entry.sequence)
      }
    }
  }

  /// A part of a delta claims all up to its highest number.
  private static let claimPastGap = Canary(
    name: "claim-past-gap", saying: ["other claims", "claims"]
  ) { simulation in
    simulation.carry = { delta, _ in
      guard delta.ranges.isEmpty else { return delta }
      var builder = Delta.Builder()
      builder.forget(below: delta.floor)
      for entry in delta.entries {
        try builder.add(entry)
        builder.cover(entry.stamp.replica, after: 0, through: entry.sequence)
      }
      return builder.build()
    }
  }

  /// A file gets its name before its bytes are on the drive.
  private static let unsyncedRename = Canary(
    name: "unsynced-rename", saying: ["after a crash"]
  ) { simulation in
    simulation.fileSystem = { ForgetfulFileSystem(disk: $0, forgets: .newFiles) }
  }

  /// A commit returns before it is on the drive.
  private static let forgottenSync = Canary(
    name: "forgotten-sync", saying: ["after a crash"]
  ) { simulation in
    simulation.fileSystem = { ForgetfulFileSystem(disk: $0, forgets: .appendedFiles) }
  }

  /// What comes twice is there twice.
  private static let doubledItem = Canary(
    name: "doubled-item", saying: ["entries, the model"]
  ) { simulation in
    simulation.carry = { delta, list in
      var builder = Delta.Builder()
      for entry in delta.entries {
        try builder.add(entry)
        guard let held = list[id: entry.item], held.lifeLength > 1 else { continue }
        try builder.add(
          Entry(
            item: ItemID(high: entry.item.high, low: entry.item.low ^ 1 << 40),
            register: .life, value: .life(1), stamp: entry.stamp, sequence: entry.sequence))
      }
      builder.forget(below: delta.floor)
      for range in delta.ranges {
        builder.cover(range.replica, after: range.after, through: range.through)
      }
      return builder.build()
    }
  }
}

extension Delta {
  /// The delta with other entries in place of some, or without them, and the same claims.
  func rebuilt(
    keepingFloor: Bool = true, _ change: (Entry) -> Entry?
  ) throws(EntryFailure) -> Delta {
    var builder = Delta.Builder()
    builder.require(premise)
    if keepingFloor { builder.forget(below: floor) }
    for entry in entries {
      if let entry = change(entry) { try builder.add(entry) }
    }
    for range in ranges {
      builder.cover(range.replica, after: range.after, through: range.through)
    }
    return builder.build()
  }
}
