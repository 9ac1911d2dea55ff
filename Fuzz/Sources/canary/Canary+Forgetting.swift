import Betwixt
import BetwixtTesting

extension Canary {
  /// Removed items are dropped as a whole, and nobody is told.
  static let forgettingByAge = Canary(
    name: "forgetting-by-age", action: .forget, saying: ["and holds neither"]
  ) { simulation in
    simulation.forget = { list, _ in
      let all = list.delta(since: [:])
      let rest = try all.rebuilt(keepingFloor: false) {
        list[id: $0.item]?.isRemoved == true ? nil : $0
      }
      list = ReplicatedList(id: list.id)
      list.merge(rest)
    }
  }

  /// What goes is what a floor takes, and others hear nothing of the floor.
  static let floorNotCarried = Canary(
    name: "floor-not-carried", action: .forget, saying: ["has the floor"]
  ) { simulation in
    simulation.carry = { delta, _ in
      delta.floor.isEmpty ? delta : try delta.rebuilt(keepingFloor: false) { $0 }
    }
  }

  /// Of an item that was restored only what is new is sent.
  static let restoreAsOneEntry = Canary(
    name: "restore-as-one-entry", action: .forget, saying: ["entries, the model"]
  ) { simulation in
    simulation.carry = { delta, list in
      guard !list.version.isEmpty, !delta.ranges.isEmpty else { return delta }
      return try delta.rebuilt { list.version.covers($0.dot) ? nil : $0 }
    }
  }

  /// The floor takes from items that are there, too.
  static let forgettingTheLiving = Canary(
    name: "forgetting-the-living", action: .forget, saying: ["and holds neither"]
  ) { simulation in
    simulation.forget = { list, floor in
      let all = list.delta(since: [:])
      let rest = try all.rebuilt(keepingFloor: false) { entry in
        let isKept = entry.register == .life || entry.register == .position
        return isKept || !floor.covers(entry.dot) ? entry : nil
      }
      list = ReplicatedList(id: list.id)
      list.merge(rest)
      list.forget(below: floor)
    }
  }

  // MARK: Around the real sessions

  /// Sessions are not told what a list has forgotten, so they compare what it holds, and not what is
  /// left under both floors.
  static let floorNotSaid = Canary(
    name: "floor-not-said", action: .forget, saying: ["the lists differ"]
  ) { simulation in
    simulation.open = { list in
      guard !list.floor.isEmpty else { return list }
      var other = ReplicatedList(id: list.id)
      other.merge(try list.delta(since: [:]).rebuilt(keepingFloor: false) { $0 })
      return other
    }
  }

  /// What a session brings is merged without the peer's floor.
  static let floorNotTaken = Canary(
    name: "floor-not-taken", action: .forget, saying: ["the lists differ"]
  ) { simulation in
    simulation.take = { delta, _ in
      delta.floor.isEmpty ? delta : try delta.rebuilt(keepingFloor: false) { $0 }
    }
  }

  /// Of an item that was restored only what is new is merged from sessions.
  static let restoreTakenAsOneEntry = Canary(
    name: "restore-taken-as-one-entry", action: .forget, saying: ["the lists differ"]
  ) { simulation in
    simulation.take = { delta, list in
      guard !list.floor.isEmpty || !delta.floor.isEmpty else { return delta }
      return try delta.rebuilt { list.version.covers($0.dot) ? nil : $0 }
    }
  }
}
