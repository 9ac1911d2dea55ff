import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// The snapshot of a large document is kept as it lies in memory; nothing but time depends on that.
@Suite("The image of a document") struct DocumentImageTests {
  private let random = SharedRandom(seed: 5)
  private let disk = SimulatedDisk()

  private func settings(from byteCount: Int? = 0) -> Document.Settings {
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { [random] in random.next() })
    settings.file.fileSystem = disk
    settings.imageByteCount = byteCount
    return settings
  }

  private func open(from byteCount: Int? = 0) throws -> Document {
    try Document.openOrCreate(at: DocumentWork.path, settings: settings(from: byteCount))
  }

  private func add(_ title: String, from byteCount: Int? = 0) throws {
    var trip = try open(from: byteCount)
    try trip.edit(title) { list, me in try list.append(["title": .string(title)], by: &me) }
  }

  /// The titles, as whoever opens the document now sees them.
  private func titles(from byteCount: Int? = 0) throws -> [FieldValue?] {
    let trip = try open(from: byteCount)
    return trip.list.map { $0["title"] }
  }

  private var state: String {
    get throws { "/state/\(try #require(try disk.list("/state").first))" }
  }

  private var image: [UInt8]? { get throws { disk.bytes("\(try state)/image") } }

  /// What lies beside what is kept of every document.
  private var leftovers: [String] {
    get throws { try disk.list(state).filter { $0.contains("tmp") } }
  }

  private func compact() throws {
    var file = try DocumentFile.open(at: DocumentWork.path, settings: settings().file)
    try file.compact()
  }

  @Test func itIsMadeByWhoeverOpensADocumentThatWasWrittenHere() throws {
    try add("A")
    #expect(try image == nil)
    #expect(try titles() == ["A"])
    let first = try #require(try image)
    // The commits since are no part of it, and it is not made again for them.
    try add("B")
    #expect(try titles() == ["A", "B"])
    #expect(try image == first)
    try compact()
    #expect(try titles() == ["A", "B"])
    #expect(try image != first)
    #expect(try titles() == ["A", "B"])
    #expect(try leftovers.isEmpty)
  }

  @Test func itIsReadInPlaceOfTheSnapshot() throws {
    try add("A")
    _ = try titles()
    let file = try DocumentFile.open(at: DocumentWork.path, settings: settings().file)
    let bytes = try #require(disk.bytes(DocumentWork.path))
    let frame = try #require(CommitScan(bytes, of: file.header.log).commits.first)
    // One that says something else, which nobody writes: what is seen comes from it.
    var other = ReplicatedList(id: file.list.id)
    var me = Replica(id: ReplicaID(rawValue: 9)) { 1_780_000_000_000 }
    try other.append(["title": "not in the file"], by: &me)
    var forged: [UInt8] = []
    _ = ListImage.write(other, mark: SnapshotMark(frame, of: file.header).bytes) {
      forged += $0
      return true
    }
    disk.overwrite("\(try state)/image", forged)
    #expect(try titles().contains("not in the file"))
    // But not if the document is small, or none is wanted.
    #expect(try titles(from: nil) == ["A"])
    #expect(try titles(from: 1 << 20) == ["A"])
  }

  @Test func oneThatIsDamagedOrOldIsMadeAgain() throws {
    try add("A")
    try add("B")
    try compact()
    #expect(try titles() == ["A", "B"])
    let whole = try #require(try image)
    var random = SplitMix64(seed: 1)
    for place in stride(from: 0, to: whole.count, by: 11) {
      var damaged = whole
      damaged[place] ^= 1 << UInt8(random.next(below: 8))
      if place.isMultiple(of: 2) { damaged = Array(whole[..<place]) }
      disk.overwrite("\(try state)/image", damaged)
      #expect(try titles() == ["A", "B"])
      #expect(try image == whole)
    }
    try add("C")
    try compact()
    #expect(try titles() == ["A", "B", "C"])
    let newer = try #require(try image)
    disk.overwrite("\(try state)/image", whole)
    #expect(try titles() == ["A", "B", "C"])
    #expect(try image == newer)
  }

  @Test func whatIsSmallReadOnlyOrNotWantedHasNone() throws {
    for byteCount in [nil, 1 << 20] {
      try add("A", from: byteCount)
      _ = try titles(from: byteCount)
    }
    var settings = settings()
    settings.file.access = .readOnly
    _ = try Document.open(at: DocumentWork.path, settings: settings)
    #expect(try image == nil)
  }

  @Test func aDriveThatTakesNoneChangesNothing() throws {
    try add("A")
    disk.faults.fullPath = "image"
    try add("B")
    disk.faults.fullPath = nil
    disk.faults.space = 100
    #expect(try titles() == ["A", "B"])
    #expect(try leftovers.isEmpty && image == nil)
    disk.faults.space = nil
    #expect(try titles() == ["A", "B"])
    #expect(try image != nil)
    // What a program left that was stopped while it wrote one is removed by the next that does.
    let left = try disk.open("\(try state)/image.tmp-1", mode: .creating)
    disk.close(left)
    try compact()
    #expect(try titles() == ["A", "B"])
    #expect(try leftovers.isEmpty)
  }

  @Test func itMakesRoomForAnEdit() throws {
    try add(String(repeating: "A", count: 50_000))
    try compact()
    _ = try titles()
    #expect(try image != nil)
    // Whatever the first call is that finds the drive full.
    for space in stride(from: 0, to: 600, by: 7) {
      disk.faults.space = space
      try add("B \(space)")
      disk.faults.space = nil
      #expect(try titles().last == .some(.string("B \(space)")))
      #expect(try image != nil)
    }
    // If there is no room without it either, the edit fails, and the next one does not.
    disk.faults.space = -(try #require(try image?.count))
    #expect(throws: Document.EditFailed<any Error>.self) { try add("C") }
    disk.faults.space = nil
    #expect(try image == nil)
    try add("D")
    #expect(try titles().last == "D")
  }

  @Test func itMovesWithTheDocument() throws {
    try add("A")
    _ = try titles()
    let made = try #require(try image)
    try disk.rename(DocumentWork.path, to: "/moved.trip")
    var trip = try Document.open(at: "/moved.trip", settings: settings())
    try trip.edit("B") { list, me in try list.append(["title": "B"], by: &me) }
    #expect(try disk.list("/state").count == 1)
    #expect(try image == made)
  }
}
