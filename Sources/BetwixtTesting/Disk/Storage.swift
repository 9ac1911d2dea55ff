import Betwixt
import BetwixtFiles
import BetwixtSync
internal import Synchronization

/// What a device has on its drive: a document file and a copy of the shared folder.
final class Storage {
  static let documentPath = "/trip.trip"
  static let folderRoot = Desk.folder

  var disk: SimulatedDisk
  let random: SeededBits
  var folder: SharedFolder?
  var document: DocumentFile?

  /// The states that the document may be in after a crash: the one of the last commit that
  /// returned, then those that were tried since.
  var possible: [Device.State] = []
  var hasDocument = false

  init(seed: UInt64) {
    disk = SimulatedDisk()
    random = SeededBits(seed: seed)
  }
}

/// Seeded random bits behind a closure that may be called from anywhere.
final class SeededBits: Sendable {
  private let count: Atomic<UInt64>
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    count = Atomic(0)
  }

  func next() -> UInt64 {
    TraceHash.mix(
      seed &+ count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9e37_79b9_7f4a_7c15)
  }
}

extension World {
  func storage(of device: Device) -> Storage {
    if let storage = device.storage { return storage }
    let storage = Storage(seed: UInt64(device.number + 1))
    device.storage = storage
    return storage
  }
}

// MARK: - The shared folder

extension World {
  /// What a device does with its copy of the folder, or a tool between two copies.
  mutating func folder(_ action: Action, by device: Device) throws(Violation) -> Bool {
    switch action.kind {
    case .fetch: return try fetch(action, by: device)
    case .publish, .snapshot:
      try readFolder(device)
      try write(action, by: device)
      return true
    default: return false
    }
  }

  private func openFolder(_ device: Device) -> SharedFolder {
    let storage = storage(of: device)
    if let folder = storage.folder { return folder }
    var settings = SharedFolder.Settings(random: { [random = storage.random] in random.next() })
    settings.fileSystem = simulation.fileSystem?(storage.disk) ?? storage.disk
    return SharedFolder(
      Storage.folderRoot, list: World.listID, replica: device.me.id, settings: settings)
  }

  private mutating func readFolder(_ device: Device) throws(Violation) {
    let storage = storage(of: device)
    for _ in 0..<4 {
      var folder = openFolder(device)
      if folder.replica != device.me.id {
        storage.folder = nil
        continue
      }
      var list = device.list
      let reading: SharedFolder.Reading
      do {
        reading = try folder.read(into: &list, now: 0)
      } catch {
        throw Violation("the folder cannot be read: \(error)")
      }
      let news = list
      if reading.evidence == nil { try compare(news, of: device, with: storage.disk) }
      let entries = news.delta(since: VersionVector()).entries
      try device.take(entries, floor: news.floor) { $0.merge(news) }
      storage.folder = folder
      guard let evidence = reading.evidence else { return }
      try require(hasImpostors || wentBack, "\(evidence) about a sane identity")
      device.become(freshID(), sequence: 0)
      storage.folder = nil
    }
    throw Violation("a folder asks for a new id again and again")
  }

  /// A device that has read its folder holds what it held and what stands in the files, which are
  /// read here without the library's folder.
  ///
  /// With floors the order in which files are joined decides what is left of removed items; then
  /// nothing is asked.
  private func compare(
    _ list: ReplicatedList, of device: Device, with disk: SimulatedDisk
  ) throws(Violation) {
    let blocks = blocks(on: disk, document: World.listID)
    guard list.floor.isEmpty, blocks.allSatisfy({ $0.delta.floor.isEmpty }) else { return }
    var all = device.model
    for block in blocks {
      for entry in block.delta.entries { all.join(entry) }
    }
    try require(
      all.isHeld(exactlyBy: list),
      "a device read a folder and lacks "
        + (all.firstLack(in: list)?.brief ?? "nothing, but holds more"))
  }

  private mutating func write(_ action: Action, by device: Device) throws(Violation) {
    let storage = storage(of: device)
    guard var folder = storage.folder else { return }
    do {
      if action.kind == .snapshot {
        try folder.writeSnapshot(device.list)
        try folder.removeReplaced()
      } else {
        try folder.write(device.list)
      }
      storage.folder = folder
    } catch {
      throw Violation("the folder cannot be written: \(error)")
    }
    guard device.model.floor.isEmpty else { return }
    var content = NaiveList()
    for block in blocks(on: storage.disk, document: World.listID) {
      for entry in block.delta.entries { content.join(entry) }
    }
    let lack = device.model.firstLack(in: content)
    try require(lack == nil, "a folder was written and lacks \(lack?.brief ?? "nothing")")
  }

  /// A tool brings files of another device: whole, half, twice, under other names, or not at all.
  private mutating func fetch(_ action: Action, by device: Device) throws(Violation) -> Bool {
    let other = devices[action.a % devices.count]
    guard canReach(device, other), let there = other.storage else { return false }
    let disk = storage(of: device).disk
    var source = ChoiceSource(seed: UInt64(action.b))
    var isAny = false
    for (path, bytes) in there.disk.files(under: Storage.folderRoot)
    where disk.bytes(path) != bytes && !path.hasSuffix(".half") {
      isAny = true
      switch source.next(below: 8) {
      case 5: break
      case 6:
        disk.put(path + ".half", bytes: Array(bytes.prefix(source.next(below: bytes.count + 1))))
      case 7: disk.put(path + ".sync-conflict", bytes: bytes)
      default: disk.put(path, bytes: bytes)
      }
    }
    try readFolder(device)
    return isAny
  }
}
