import Betwixt
import Foundation
import Testing

@testable import BetwixtFiles
@testable import BetwixtTool

/// Who writes, and whose files a folder holds.
@Suite struct DevicesCommandTests {
  private let laptop: TestDevice
  private let phone: TestDevice
  private let box: ScratchFolder

  init() throws {
    (laptop, phone, box) = (try TestDevice(), try TestDevice(), try ScratchFolder())
    #expect(laptop.run("identity", "--name", "Laptop").code == .done)
    #expect(phone.run("identity", "--name", "Phone of Ann").code == .done)
    try #require(laptop.run("new", "--name", "Rome", "--days", "3", laptop.path()).code == .done)
    try #require(sync(laptop).code == .done)
    try #require(phone.run("sync", "--create", "--folder", box.path, phone.path()).code == .done)
    for title in ["Lunch", "Swim"] {
      for device in [laptop, phone] {
        try #require(
          device.run("add", device.path(), "--day", "1", "--title", title).code == .done)
        try #require(sync(device).code == .done)
      }
    }
  }

  private func sync(_ device: TestDevice) -> ToolRun {
    device.run("sync", "--folder", box.path, device.path())
  }

  private func devices(_ arguments: String..., on device: TestDevice? = nil) -> ToolRun {
    let device = device ?? laptop
    return device.run(["devices"] + arguments + [device.path()])
  }

  private func lines(_ run: ToolRun) -> [String] {
    run.output.split(separator: "\n").map { String($0.dropFirst(17)) }
  }

  @Test func whoWritesIsListed() throws {
    #expect(sync(laptop).code == .done)
    #expect(
      lines(devices()) == ["“Phone of Ann”, wrote today", "“Laptop”, this device, wrote today"])
    #expect(lines(devices(on: phone)).first == "“Phone of Ann”, this device, wrote today")
    let shown = lines(devices("--folder", box.path))
    #expect(shown.count == 2 && shown[0].hasPrefix("“Phone of Ann”, wrote today, 2 files, "))
    let json = devices("--folder", box.path, "--json").output
    #expect(json.contains(#""name":"Phone of Ann","lastWrite":"#))
    #expect(json.contains(#""isThis":false,"files":2,"bytes":"#))
    // Some systems do not tell when a file was made.
    let birth = try PosixFileSystem().status(at: laptop.path())?.birthTime ?? 0
    #expect(json.contains(#","newestFile":"#) == (birth > 0))
  }

  @Test func theFilesOfADeviceThatIsGoneGo() throws {
    let would = devices("--folder", box.path, "--gone", "Phone of Ann", "--dry-run")
    #expect(lines(would).count == 1 && would.code == .done)
    #expect(lines(devices("--folder", box.path)).count == 2)
    let run = devices("--folder", box.path, "--gone", "Phone of Ann")
    #expect(run.code == .done, "\(run.messages)")
    #expect(run.messages.hasSuffix(", 1 written, 2 files of others removed\n"), "\(run.messages)")
    #expect(lines(devices("--folder", box.path)).map { $0.prefix(9) } == ["“Laptop”,"])
    // Whoever comes anew finds all, and whoever comes back goes on.
    let tablet = try TestDevice()
    let made = tablet.run("sync", "--create", "--folder", box.path, tablet.path())
    #expect(made.code == .done)
    #expect(try tablet.list() == laptop.list() && laptop.titles().count == 4)
    #expect(phone.run("add", phone.path(), "--day", "2", "--title", "Back").code == .done)
    for device in [phone, laptop, tablet] { #expect(sync(device).code == .done) }
    #expect(try phone.list() == laptop.list() && laptop.list() == tablet.list())
    #expect(try laptop.titles().count == 5)
  }

  @Test func nobodyIsGoneByMistake() throws {
    func refusal(_ arguments: String...) -> String {
      let run = laptop.run(["devices"] + arguments + [laptop.path()])
      #expect(run.code != .done)
      return run.messages
    }
    let folder = ["--folder", box.path]
    #expect(refusal("--folder", box.path, "--gone", "Laptop").contains("is this device"))
    #expect(refusal("--folder", box.path, "--gone", "Tablet").contains("no files of 'Tablet'"))
    #expect(refusal("--gone", "Phone of Ann").contains("add --folder DIR"))
    #expect(refusal("--folder", box.path, "--dry-run").contains("needs --gone or --idle"))
    #expect(refusal("--folder", box.path, "--gone", "a", "--idle", "3").contains("either"))
    #expect(refusal("--folder", box.path, "--idle", "0").contains("is 1 to 36500"))
    #expect(refusal("--folder", box.path("none")).contains("there is no folder"))
    let idle = laptop.run(["devices"] + folder + ["--idle", "1", laptop.path()])
    #expect(idle.code == .done && idle.messages.contains("nobody is idle"))
    #expect(lines(devices("--folder", box.path)).count == 2)
  }

  /// What cannot be read is shown, and stays.
  @Test func filesThatAreDamagedAreNotTakenOut() throws {
    let names = try #require(FileManager.default.subpaths(atPath: box.path))
    let writer = try #require(devices("--folder", box.path).output.split(separator: " ").first)
    let files = names.filter { $0.contains("/\(writer)/") && $0.hasSuffix(".segment") }
    #expect(files.count == 2)
    for file in files {
      let url = URL(filePath: box.path(file))
      try Data(contentsOf: url).dropLast().write(to: url)
    }
    // Known by its id alone: its name is in a file that is damaged, unless it came before.
    let shown = devices("--folder", box.path)
    #expect(shown.output.contains(", 0 files, 0 bytes, 2 files that cannot be read"), "\(shown)")
    let json = devices("--folder", box.path, "--json").output
    #expect(json.contains(#""files":0,"bytes":0,"unreadFiles":2"#))
    let run = devices("--folder", box.path, "--gone", String(writer))
    #expect(run.code == .negative)
    let stays = "not taken out, as not all that they hold could be read: 2 files"
    #expect(run.messages.contains(stays))
    #expect(run.messages.contains("is not whole yet") && run.messages.contains("0 files of others"))
    for file in files { try FileManager.default.removeItem(atPath: box.path(file)) }
    #expect(devices("--folder", box.path, "--gone", String(writer)).code == .negative)
    #expect(sync(laptop).code == .done)
  }

  /// Idle is of whom nothing came for so long, neither a write that stands nor a file.
  @Test func whoOnlyReadsIsNotIdle() {
    let day: Int64 = 86_400_000
    let now: Int64 = 1_780_000_000_000
    func device(_ number: UInt64, wrote: Int64?, put: Int64, isHere: Bool = false) -> Device {
      let replica = ReplicaID(rawValue: number)
      var files = SharedFolder.Writer(replica: replica)
      files.newestFile = put
      return Device(
        replica: replica, name: nil, isHere: isHere, wasHere: false, lastWrite: wrote, files: files)
    }
    let devices = [
      device(1, wrote: now - 40 * day, put: now - 31 * day),
      device(2, wrote: now - 40 * day, put: now - 29 * day),
      device(3, wrote: now - 29 * day, put: 0),
      device(4, wrote: now - 31 * day, put: 0),
      device(5, wrote: nil, put: now - 31 * day),
      // Of whom nothing is known nobody can say how long that is.
      device(6, wrote: nil, put: 0),
      device(7, wrote: now - 40 * day, put: now - 40 * day, isHere: true),
    ]
    #expect(devices.idle(for: 30, now: now).map(\.replica.rawValue) == [1, 4, 5])
    #expect(devices.idle(for: 60, now: now).isEmpty)
    #expect(Command.devices.details.contains("neither a write that stands nor a file in DIR"))
  }
}
