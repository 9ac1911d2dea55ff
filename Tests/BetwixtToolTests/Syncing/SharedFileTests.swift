import Betwixt
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// One document and several commands at once, some of which are killed.
@Suite struct SharedFileTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice()
    try #require(device.run("new", "--name", "Rome", "--days", "3", device.path()).code == .done)
  }

  private func adding(_ title: String) -> [String] {
    ["add", device.path(), "--day", "1", "--title", title]
  }

  @Test func editsAtOnceAllCount() throws {
    let count = 8
    let running = try (0..<count).map {
      try RunningTool(adding("Stop \($0)"), environment: device.variables)
    }
    for tool in running { #expect(tool.wait() == 0, "\(tool.messages)") }
    let list = try device.list()
    #expect(Set(try device.titles()) == Set((0..<count).map { "Stop \($0)" }))
    // One writer, and no number used twice.
    #expect(list.version.count == 1)
    let dots = list.allItems().flatMap(\.entries).map(\.dot)
    #expect(Set(dots).count == dots.count)
    #expect(device.run("doctor", device.path()).code == .done)
    #expect(device.run("identity", "--json", device.path()).output.contains("\"former\":0"))
  }

  @Test func editsDuringASyncAllCount() throws {
    let other = try TestDevice()
    #expect(
      other.run("sync", "--create", "--with", device.path(), other.path()).code == .done)
    for round in 0..<3 {
      #expect(
        other.run("add", other.path(), "--day", "2", "--title", "There \(round)").code == .done)
      let crossed = try RunningTool(adding("Here \(round)"), environment: device.variables)
      let peer = other.line("sync", "--stdio", other.path())
      let run = device.run("sync", "--exec", peer, device.path())
      #expect(run.code == .done, "\(run.messages)")
      #expect(!run.messages.contains("no longer by"))
      #expect(crossed.wait() == 0, "\(crossed.messages)")
    }
    #expect(device.run("sync", "--with", other.path(), device.path()).code == .done)
    #expect(try device.list() == other.list())
    #expect(try device.list().count == 6)
  }

  /// A command that said that it was done has written what it was told, whoever is killed later.
  @Test func killedCommandsLoseNothingAcknowledged() throws {
    var random = SplitMix64(seed: 91)
    let started = DispatchTime.now().uptimeNanoseconds
    #expect(device.run("add", device.path(), "--day", "1", "--title", "first").code == .done)
    #expect(try RunningTool(adding("second"), environment: device.variables).wait() == 0)
    // Up to so many microseconds a command is left alone: less after one that came through, more after
    // one that did not, so there are both of them whatever else the machine has to do.
    var limit = max(1, (DispatchTime.now().uptimeNanoseconds - started) / 500)
    var acknowledged: Set = ["first", "second"]
    var killed = 0
    for round in 0..<(runsLong ? 3_000 : 40) {
      let title = "Stop \(round)"
      let tool = try RunningTool(adding(title), environment: device.variables)
      usleep(UInt32(truncatingIfNeeded: random.next() % limit))
      tool.kill()
      let isDone = tool.wait() == 0
      limit = max(1, isDone ? limit * 3 / 4 : limit * 5 / 4 + 1)
      if isDone { acknowledged.insert(title) } else { killed += 1 }
      let titles = Set(try device.titles())
      #expect(acknowledged.isSubset(of: titles), "lost: \(acknowledged.subtracting(titles))")
      // One that was killed may have written all of it, and never half.
      #expect(titles.count <= acknowledged.count + killed)
      #expect(!titles.contains(""))
    }
    #expect(device.run("add", device.path(), "--day", "1", "--title", "last").code == .done)
    #expect(device.run("doctor", device.path()).code == .done)
    #expect(killed > 0)
    print("kill -9: \(killed) killed, \(acknowledged.count) acknowledged")
  }
}
