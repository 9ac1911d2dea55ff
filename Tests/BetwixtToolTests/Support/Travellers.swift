import Betwixt
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// Three devices with a copy of one trip each, and all the ways to bring the copies together.
final class Travellers {
  /// A way for two copies to come to one state.
  enum Way: CaseIterable {
    case file, pipe, exec, folder, serve
  }

  let devices: [TestDevice]
  private let box: ScratchFolder
  private let served: ScratchFolder

  /// The base of the World Cup copies, in the resources of the tests of trips.
  private static func base() throws -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = "BetwixtTripsTests/Resources/copies/east-coast-june/base.json"
    return try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
  }

  /// Gives each device the same trip, as a document of its own.
  init() throws {
    devices = [try TestDevice(), try TestDevice(), try TestDevice()]
    box = try ScratchFolder()
    served = try ScratchFolder()
    let base = try Travellers.base()
    for device in devices {
      let run = device.run("new", "--from", "-", device.path(), input: base)
      try #require(run.code == .done, "\(run.messages)")
    }
  }

  /// Makes some edits on one device, as a traveller would.
  func edit(_ device: TestDevice, count: Int, _ random: inout SplitMix64) throws {
    for _ in 0..<count {
      let list = try device.list()
      let item = list[Int.random(in: 0..<list.count, using: &random)].id.uuid
      let day = "\(Int.random(in: 1...15, using: &random))"
      let path = device.path()
      let run =
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          device.run("add", path, "--day", day, "--title", "Stop \(random.next() % 1_000)")
        case 2: device.run("move", "--day", day, path, item)
        case 3: device.run("set", path, item, "note=noted \(random.next() % 1_000)")
        case 4: device.run("remove", path, item)
        default: device.run("set", path, "trip", "name=Trip \(random.next() % 1_000)")
        }
      // A game does not move, and a leg only between its games.
      #expect(run.code == .done || run.code == .negative, "\(run.messages)")
    }
  }

  /// Brings two copies together.
  func sync(_ way: Way, _ first: TestDevice, _ second: TestDevice) throws {
    switch way {
    case .file:
      expectDone(first.run("sync", "--with", second.path(), first.path()))
    case .pipe:
      let crossed = try CrossedTools(
        (["sync", "--stdio", first.path()], first.variables),
        (["sync", "--stdio", second.path()], second.variables))
      #expect(crossed.codes == [0, 0], "\(crossed.messages)")
    case .exec:
      let peer = second.line("sync", "--stdio", second.path())
      expectDone(first.run("sync", "--exec", peer, first.path()))
    case .folder:
      for device in [first, second, first] {
        expectDone(device.run("sync", "--folder", box.path, device.path()))
      }
    case .serve:
      for device in [first, second, first] {
        let peer = device.line("serve", "--stdio", "--create", served.path)
        expectDone(device.run("sync", "--exec", peer, device.path()))
      }
    }
  }

  private func expectDone(_ run: ToolRun) {
    #expect(run.code == .done, "\(run.messages)")
    #expect(!run.messages.contains("no longer by"), "no identity was given up: \(run.messages)")
  }

  /// Whether all three copies are one state: in digest, in version, and in the bytes of exports.
  func expectEqual() throws {
    let lists = try devices.map { try $0.list() }
    #expect(Set(lists.map(\.digest)).count == 1)
    #expect(lists.allSatisfy { $0.version == lists[0].version })
    let bytes = try devices.map { try $0.exported() }
    #expect(bytes.allSatisfy { $0 == bytes[0] })
  }
}
