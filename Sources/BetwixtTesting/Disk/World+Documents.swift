import Betwixt
import BetwixtFiles
import BetwixtSync

extension World {
  /// What a device does with its document file, and what its drive does to it.
  mutating func document(_ action: Action, by device: Device) throws(Violation) -> Bool {
    if action.kind == .crash { return try crash(action, by: device) }
    let storage = storage(of: device)
    if action.kind == .compact, !storage.hasDocument { return false }
    var faults = SimulatedDisk.Faults()
    switch action.a {
    case 1: faults.failingCall = storage.disk.callCount + 1 + action.b
    case 2: faults.space = action.b * 16
    case 3: faults.shortWrite = 1 + action.b
    default: break
    }
    storage.disk.faults = faults
    defer { storage.disk.faults = SimulatedDisk.Faults() }
    let state = device.state
    do throws(DocumentFileFailure) {
      try open(storage, by: device)
      if action.kind == .compact {
        try storage.document?.compact()
      } else {
        let next = storage.possible.map { state.joined(to: $0) }
        storage.possible += next
        try storage.document?.commit(device.list)
        storage.possible = next
        // Only now: a file that somebody failed to make may be read, but nobody promised it.
        storage.hasDocument = true
      }
    } catch {
      try require(action.a == 1 || action.a == 2, "the drive is sound and the file fails: \(error)")
      storage.document = nil
    }
    return true
  }

  private func settings(_ storage: Storage) -> DocumentFile.Settings {
    var settings = DocumentFile.Settings(random: { [random = storage.random] in random.next() })
    settings.fileSystem = simulation.fileSystem?(storage.disk) ?? storage.disk
    return settings
  }

  private func open(_ storage: Storage, by device: Device) throws(DocumentFileFailure) {
    guard storage.document == nil else { return }
    let settings = settings(storage)
    if storage.disk.bytes(Storage.documentPath) != nil {
      storage.document = try DocumentFile.open(at: Storage.documentPath, settings: settings)
    } else {
      storage.possible.append(device.state)
      storage.document = try DocumentFile.create(
        at: Storage.documentPath, holding: device.list, settings: settings)
      storage.possible = [device.state]
      storage.hasDocument = true
    }
  }

  /// The power fails: the device goes on with what is on the drive, under another id.
  private mutating func crash(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let storage = storage(of: device)
    guard storage.hasDocument else { return false }
    storage.document = nil
    var source = ChoiceSource(seed: UInt64(action.a))
    let fates: [SimulatedDrive.Fate] = [
      .whole, .lost, .torn(eighths: source.next(below: 9)),
      .scattered(sectors: UInt8(source.next(below: 256))),
    ]
    storage.disk = SimulatedDisk(storage.disk.drive.crashed { source.pick(fates) })
    let found: ReplicatedList
    do {
      found = try DocumentFile.open(at: Storage.documentPath, settings: settings(storage)).list
    } catch {
      throw Violation("the file cannot be opened after a crash: \(error)")
    }
    let state = storage.possible.last {
      $0.list == found && $0.list.version == found.version && $0.list.floor == found.floor
    }
    guard let state else {
      throw Violation(
        "after a crash the file is none of \(storage.possible.count) states it may be in")
    }
    device.show(state)
    wentBack = true
    device.become(freshID(), sequence: 0)
    storage.possible = [state]
    storage.folder = nil
    return true
  }
}

extension Device.State {
  /// What a file holds into which this is committed.
  ///
  /// That is this, but for what was forgotten here, and the file may still hold: where its item was
  /// restored since, it comes to light again.
  fileprivate func joined(to file: Device.State) -> Device.State {
    if list.floor.isEmpty { return self }
    var (joined, joinedModel) = (file.list, file.model)
    joined.merge(list)
    joinedModel.take(model.entries, floor: model.floor)
    joinedModel.settle()
    return Device.State(list: joined, model: joinedModel, sequence: sequence)
  }
}
