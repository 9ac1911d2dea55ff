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
