import Betwixt
import BetwixtTool
import Foundation
import TestSupport
import Testing

/// `betwixt serve`: one process for each peer, any number of them on one folder.
@Suite struct ServeCommandTests {
  private let devices: [TestDevice]
  private let served: ScratchFolder

  init() throws {
    devices = [try TestDevice(), try TestDevice(), try TestDevice()]
    served = try ScratchFolder()
    let first = devices[0]
    try #require(first.run("new", "--name", "Rome", "--days", "3", first.path()).code == .done)
    for device in devices.dropFirst() {
      let run = device.run("sync", "--create", "--with", first.path(), device.path())
      try #require(run.code == .done)
    }
  }

  private func sync(_ device: TestDevice, _ options: String...) -> ToolRun {
    let peer = ToolLine.serve(device, served.path, options)
    return device.run("sync", "--exec", peer, device.path())
  }

  private var document: String {
    get throws { "\(try devices[0].list().id).trip" }
  }

  @Test func anUnknownDocumentIsRefusedUnlessItMayBeMade() throws {
    let run = sync(devices[0])
    #expect(run.code == .badData)
    #expect(run.messages.contains("it has no such document; the option --create there makes it"))
    #expect(try served.names.isEmpty)
    #expect(sync(devices[0], "--create").code == .done)
    #expect(try served.names == [document, document + ".lock"])
    #expect(sync(devices[1]).code == .done)
    #expect(devices[0].run("serve", served.path).code == .usage)
    #expect(devices[0].run("serve", "--stdio", served.path("none")).code == .noInput)
  }

  /// Where its name is another document's, neither side is told to do what was done already.
  @Test func anotherDocumentOfItsNameIsSaidToBeThat() throws {
    #expect(sync(devices[0], "--create").code == .done)
    let other = try TestDevice()
    #expect(other.run("new", "--name", "Other", other.path("other.trip")).code == .done)
    let place = try served.path(document)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(atPath: other.path("other.trip"), toPath: place)
    let run = sync(devices[0], "--create")
    #expect(run.code == .badData)
    #expect(run.messages.contains("another document has its name"))
    #expect(!run.messages.contains("--create"))
  }

  @Test func aDeviceWithoutACopyIsToldHowToBegin() throws {
    #expect(sync(devices[0], "--create").code == .done)
    let device = try TestDevice()
    let server = ToolLine.serve(device, served.path, [])
    let run = device.run("sync", "--create", "--silence", "1", "--exec", server, device.path())
    #expect(run.code == .tryAgain)
    #expect(run.messages.contains("make an empty copy with 'betwixt new --id ID"))
    #expect(!FileManager.default.fileExists(atPath: device.path()))
    let id = try devices[0].list().id
    #expect(device.run("new", "--id", "\(id)", device.path()).code == .done)
    #expect(device.run("sync", "--exec", server, device.path()).code == .done)
    #expect(try device.list() == devices[0].list())
  }

  @Test func aDamagedOrStrangeDocumentIsNotTouched() throws {
    try served.write("no document", to: document)
    let run = sync(devices[0], "--create")
    #expect(run.code == .inputOutput || run.code == .badData)
    #expect(try served.text(document) == "no document")
    #expect(devices[0].run("new", devices[0].path("other.trip")).code == .done)
    try served.write(try devices[0].folder.bytes("other.trip"), to: document)
    let strange = sync(devices[0], "--create")
    #expect(strange.code == .badData)
    #expect(try served.bytes(document) == devices[0].folder.bytes("other.trip"))
  }

  @Test func manyAtOnceComeToOneState() throws {
    for round in 0..<(runsLong ? 20 : 3) {
      for (number, device) in devices.enumerated() {
        for item in 0..<3 {
          let title = "\(round)-\(number)-\(item)"
          #expect(
            device.run("add", device.path(), "--day", "1", "--title", title).code == .done)
        }
      }
      let running = try devices.map { device in
        try RunningTool(
          ["sync", "--exec", ToolLine.serve(device, served.path, ["--create"]), device.path()],
          environment: device.variables.merging(["PATH": "/usr/bin:/bin"]) { first, _ in first })
      }
      for tool in running { #expect(tool.wait() == 0, "\(tool.messages)") }
    }
    for device in devices + devices { #expect(sync(device).code == .done) }
    let lists = try devices.map { try $0.list() }
    #expect(lists.allSatisfy { $0 == lists[0] })
    #expect(lists[0].count == 9 * (runsLong ? 20 : 3))
    let exports = try devices.map { try $0.exported() }
    #expect(exports.allSatisfy { $0 == exports[0] })
    #expect(devices[0].run("doctor", served.path(try document)).code == .done)
  }
}

/// Lines of the shell that run commands of devices.
enum ToolLine {
  /// Serves a folder.
  static func serve(_ device: TestDevice, _ folder: String, _ options: [String]) -> String {
    device.line("serve", "--stdio", folder) + options.map { " \($0)" }.joined()
  }
}
