import Betwixt

extension World {
  /// A device lets go what removed items held: all of it, what is not of this moment, or what it wrote
  /// itself.
  mutating func forget(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let version = device.list.version
    let floor: VersionVector =
      switch action.a {
      case 1: device.list.version(olderThan: Timestamp(milliseconds: max(0, device.clock.now)))
      case 2: [device.me.id: version[device.me.id]]
      default: version
      }
    guard !floor.isEmpty else { return false }
    let count = device.list.entryCount
    try device.forget(below: floor, simulation.forget)
    forgotten.formUnion(device.list.floor)
    if simulation.forget != nil { forgotten.formUnion(floor) }
    report.forgotten += count - device.list.entryCount
    return true
  }

  /// Whether a write may be missing: somebody has forgotten it, or a greater one of its register, and
  /// its item was removed.
  func mayBeForgotten(_ entry: Entry, by device: Device) -> Bool {
    guard entry.register != .life, !forgotten.isEmpty,
      case .life(let length)? = device.model[entry.item, .life]?.value, length > 1
    else { return false }
    if forgotten.covers(entry.dot) { return true }
    return devices.contains { writer in
      writer.written.contains { other in
        other.item == entry.item && other.register == entry.register
          && forgotten.covers(other.dot) && NaiveList.wins(other, over: entry)
      }
    }
  }

  /// Counts what restored items lack of all that was written, once all devices are equal.
  mutating func countPrice() {
    guard !forgotten.isEmpty, !hasImpostors, let device = devices.first else { return }
    var shadow = NaiveList()
    let version = device.list.version
    for writer in devices {
      for entry in writer.written where version.covers(entry.dot) { shadow.join(entry) }
    }
    for item in device.model.known where item.isAlive {
      for entry in shadow[item.id]?.entries ?? [] where item[entry.register] != entry {
        report.price += 1
      }
    }
  }
}
