import BetwixtFiles
import BetwixtTesting
import Testing

@Suite("A disk behind everybody's back")
struct SimulatedDiskTests {
  private let disk = SimulatedDisk()

  @Test("a copy over a file keeps its number, a new file has another one and another birth")
  func inodes() throws {
    disk.put("/home/a", bytes: [1])
    let first = try #require(disk.inode("/home/a"))
    let born = try disk.status(at: "/home/a")?.birthTime
    disk.overwrite("/home/a", with: [2])
    #expect(disk.inode("/home/a") == first)
    disk.put("/home/a", bytes: [3])
    #expect(disk.inode("/home/a") != first)
    #expect(try disk.status(at: "/home/a")?.birthTime != born)
    #expect(disk.bytes("/home/a") == [3])
  }

  @Test("two names of one file are one file")
  func hardLinks() throws {
    disk.put("/home/a", bytes: [1])
    disk.name("/home/a", also: "/home/b")
    disk.overwrite("/home/b", with: [2])
    #expect(disk.bytes("/home/a") == [2])
    disk.remove("/home/a")
    #expect(disk.bytes("/home/b") == [2])
  }

  @Test("a directory whose name a crash has lost is gone with all that is in it")
  func unnamedDirectory() throws {
    disk.putDirectory("/home")
    try disk.makeDirectory("/home/a", for: .anybody)
    try disk.makeDirectory("/home/a/b", for: .anybody)
    let file = try disk.open("/home/a/b/c", mode: .creating)
    #expect(try disk.append(file, bytes: [1]) == 1)
    try disk.sync(file)
    try disk.syncDirectory("/home/a/b")
    try disk.syncDirectory("/home/a")
    let lost = SimulatedDisk(disk.drive.crashed { .lost })
    #expect(lost.files(under: "/home").isEmpty)
    #expect(throws: FileSystemError.self) { try lost.list("/home/a/b") }
    try disk.syncDirectory("/home")
    let kept = SimulatedDisk(disk.drive.crashed { .lost })
    #expect(kept.files(under: "/home").map(\.path) == ["/home/a/b/c"])
  }

  @Test("symbolic links are followed by people, and opened by nobody")
  func symbolicLinks() throws {
    disk.put("/home/a", bytes: [1])
    disk.putLink("/home/b", to: "/home/a")
    #expect(disk.resolved("/home/b") == "/home/a")
    #expect(disk.bytes("/home/b") == nil)
    #expect(try disk.status(at: "/home/b")?.kind == .other)
    #expect(throws: FileSystemError.self) { try disk.open("/home/b", mode: .reading) }
    disk.putLink("/home/a", to: "/home/b")
    #expect(disk.resolved("/home/a") == nil)
  }
}
