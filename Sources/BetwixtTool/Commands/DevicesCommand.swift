import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Shows who writes in a document, and takes the files of those out of a folder who are gone.
  static let devices = Command(
    name: "devices",
    synopsis: "[--folder DIR [--gone WHO | --idle DAYS] [--dry-run]] [--json] FILE",
    summary: "Shows who writes in a document, and whose files a shared folder holds.",
    details: """
      A device is told by its name ('betwixt identity --name') or by the id that it writes under; \
      one that was restored or replaced has several. In a shared folder each has files of its own, \
      which nobody else removes, and each sync looks at all of them. For a device that is gone for \
      good, --gone takes its files out, after a sync and once all that they hold is in others: \
      nothing is lost, neither if it comes back after all. Files that cannot be read stay. --idle \
      does the same for all others of whom nothing came for so many days: neither a write that \
      stands nor a file in DIR.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.deviceFolder, .gone, .idle, .dryRun, .acceptClock, .json],
    examples: [
      "betwixt devices rome.trip",
      "betwixt devices --folder ~/Dropbox/trips rome.trip",
      "betwixt devices --folder ~/Dropbox/trips --gone 'Phone of Ann' rome.trip",
      "betwixt devices --folder ~/Dropbox/trips --idle 365 --dry-run rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      try session.showDevices(arguments)
    })
}

extension Session {
  fileprivate mutating func showDevices(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    try checkDeviceOptions(arguments)
    let idleDays = try idleDays(arguments)
    let root = arguments.value(of: .deviceFolder)
    let devices = try devices(
      of: arguments.operands[0], in: root, admission: admission(arguments))
    guard let root, arguments.contains(.gone) || idleDays != nil else {
      for device in devices { show(device, inFolder: root != nil, arguments: arguments) }
      if devices.isEmpty { report("nobody has written in it yet\n") }
      return .done
    }
    let gone =
      if let who = arguments.value(of: .gone) {
        try devices.called(who, in: root)
      } else {
        devices.idle(for: idleDays ?? 0, now: SystemCall.wallClockMilliseconds)
      }
    return try takeOut(gone, of: root, arguments: arguments)
  }

  /// Takes the files of devices out of a folder, or says whose that would be.
  private mutating func takeOut(
    _ gone: [Device], of root: String, arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    guard !gone.isEmpty, !arguments.isSet(.dryRun) else {
      for device in gone { show(device, inFolder: true, arguments: arguments) }
      if gone.isEmpty { report("\(root.printable): nobody is idle for so long\n") }
      return .done
    }
    let name = arguments.operands[0]
    let outcome = try sync(
      name, through: root, isMade: false, admission: admission(arguments),
      absorbing: Set(gone.map(\.replica)))
    show(outcome, of: name, arguments: arguments)
    if let failure = outcome.failure { throw failure }
    return outcome.isWhole ? .done : .negative
  }

  private func checkDeviceOptions(_ arguments: ParsedArguments) throws(ToolFailure) {
    let isRemoving = arguments.contains(.gone) || arguments.contains(.idle)
    guard !(arguments.contains(.gone) && arguments.contains(.idle)) else {
      throw usage("either --gone or --idle")
    }
    guard arguments.contains(.deviceFolder) || !isRemoving && !arguments.isSet(.dryRun) else {
      throw usage("--gone, --idle and --dry-run are for a shared folder: add --folder DIR")
    }
    guard isRemoving || !arguments.isSet(.dryRun) else {
      throw usage("option '--dry-run' needs --gone or --idle")
    }
  }

  private func idleDays(_ arguments: ParsedArguments) throws(ToolFailure) -> Int64? {
    guard let text = arguments.value(of: .idle) else { return nil }
    guard let days = Int64(text), (1...36_500).contains(days) else {
      throw usage("option '--idle' is 1 to 36500, not '\(text.printable)'")
    }
    return days
  }

  /// All who have written in a document, or have files in a folder, those who wrote last first.
  private mutating func devices(
    of name: String, in root: String?, admission: AdmissionPolicy
  ) throws(ToolFailure) -> [Device] {
    let document = try openDocument(name, access: .readOnly, isWriting: false)
    let record = document.record ?? keptRecord(of: document)
    let own = record.map { $0.earlierReplicas.union($0.former) } ?? []
    var list = document.list
    var writers: [SharedFolder.Writer] = []
    if let root {
      writers = try folderWriters(
        in: root, of: &list, by: record?.replica ?? ReplicaID(rawValue: 0), admission: admission)
    }
    let files = Dictionary(uniqueKeysWithValues: writers.map { ($0.replica, $0) })
    let newest = list.newestWrites(before: Timestamp.max)
    let replicas = root == nil ? Set(newest.keys) : Set(files.keys)
    return replicas.map { replica in
      Device(
        replica: replica, name: list.deviceName(of: replica),
        isHere: replica == record?.replica, wasHere: own.contains(replica),
        lastWrite: newest[replica]?.milliseconds, files: files[replica])
    }
    .sorted { ($1.lastWrite ?? 0, $0.replica) < ($0.lastWrite ?? 0, $1.replica) }
  }

  /// Who writes here, of a document that nobody has opened to write in it.
  private func keptRecord(of document: borrowing Document) -> IdentityRecord? {
    guard let folder = document.state?.folder else { return nil }
    let store = FileIdentityStore(
      folder, machine: FileIdentityStore.machineName(), random: SystemCall.randomBits)
    return (try? store.record(of: document.id)) ?? nil
  }

  private mutating func folderWriters(
    in root: String, of list: inout ReplicatedList, by replica: ReplicaID,
    admission: AdmissionPolicy
  ) throws(ToolFailure) -> [SharedFolder.Writer] {
    guard SystemCall.isFolder(root) else {
      throw ToolFailure(.noInput, "Error: there is no folder \(root.printable)")
    }
    var folder = SharedFolder(
      root, list: list.id, replica: replica,
      settings: SharedFolder.Settings(random: SystemCall.randomBits))
    begin(step: "reading \(root)")
    defer { endSteps() }
    do throws(SharedFolderFailure) {
      try folder.read(
        into: &list, now: SystemCall.wallClockMilliseconds, admission: admission)
    } catch {
      throw ToolFailure(Document.Failure(root, cause: .folder(error)))
    }
    return folder.writers
  }

  private mutating func show(
    _ device: Device, inFolder: Bool, arguments: ParsedArguments
  ) {
    guard arguments.isSet(.json) else {
      print(device.text(inFolder: inFolder, now: SystemCall.wallClockMilliseconds) + "\n")
      return
    }
    var line = JSONLine()
    line.add("replica", device.replica.description)
    if let name = device.name { line.add("name", name) }
    if let time = device.lastWrite { line.add("lastWrite", time) }
    line.add("isThis", device.isHere)
    if let files = device.files {
      line.add("files", Int64(files.fileCount))
      line.add("bytes", Int64(files.byteCount))
      line.add("unreadFiles", Int64(files.unreadCount))
      if files.newestFile > 0 { line.add("newestFile", files.newestFile) }
    }
    print(line.text)
  }
}

/// One who writes in a document.
struct Device {
  let replica: ReplicaID
  let name: String?
  /// Whether it is this installation.
  let isHere: Bool
  /// Whether it is an id that this installation wrote under before.
  let wasHere: Bool
  /// In milliseconds since 1970; `nil` if nothing stands that it wrote.
  let lastWrite: Int64?
  let files: SharedFolder.Writer?

  /// When it was last heard of; `nil` if never.
  ///
  /// That is what it wrote last of what stands, or put into the folder: who only reads does that too,
  /// and of what another has overwritten nothing stands.
  var lastSign: Int64? {
    let newestFile = files.flatMap { $0.newestFile > 0 ? $0.newestFile : nil }
    return [lastWrite, newestFile].compactMap { $0 }.max()
  }

  func text(inFolder: Bool, now: Int64) -> String {
    var words = [replica.description + (name.map { " “\($0.printable)”" } ?? "")]
    if isHere { words.append("this device") }
    if wasHere { words.append("this device before") }
    words.append(
      lastWrite.map { "wrote \(Device.age(of: $0, now: now))" } ?? "nothing stands that it wrote")
    if inFolder, let files {
      let count = ItineraryText.count(Int64(files.fileCount), "file")
      words.append("\(count), \(ItineraryText.count(Int64(files.byteCount), "byte"))")
      if files.unreadCount > 0 {
        let others = ItineraryText.count(Int64(files.unreadCount), "file")
        words.append("\(others) that cannot be read")
      }
      if files.newestFile > 0, files.newestFile > lastWrite ?? 0 {
        words.append("the newest \(Device.age(of: files.newestFile, now: now))")
      }
    }
    return words.joined(separator: ", ")
  }

  private static func age(of time: Int64, now: Int64) -> String {
    let days = (now - time) / 86_400_000
    if time > now { return "by a clock that is ahead" }
    return days < 1 ? "today" : "\(ItineraryText.count(days, "day")) ago"
  }
}

extension [Device] {
  /// Those with a name, or with an id that begins so.
  fileprivate func called(_ who: String, in root: String) throws(ToolFailure) -> [Device] {
    let named = filter { $0.name == who }
    let start = who.lowercased()
    let found = named.isEmpty ? filter { $0.replica.description.hasPrefix(start) } : named
    let others = found.filter { !$0.isHere }
    let shown = "'\(who.printable)'"
    if found.isEmpty {
      throw ToolFailure(
        .negative,
        """
        Error: \(root.printable) holds no files of \(shown); 'betwixt devices --folder' lists whose \
        there are
        """)
    }
    guard !others.isEmpty else {
      throw ToolFailure(.negative, "Error: \(shown) is this device, which is not gone")
    }
    guard !named.isEmpty || others.count == 1 && found.count == 1 else {
      throw ToolFailure(
        .negative, "Error: \(shown) is the beginning of \(found.count) ids; give more digits")
    }
    return others
  }

  /// Those but this one of whom nothing came for some days.
  func idle(for days: Int64, now: Int64) -> [Device] {
    let last = now - days * 86_400_000
    return filter { device in !device.isHere && device.lastSign.map { $0 < last } ?? false }
  }
}

extension OptionSpec {
  fileprivate static let deviceFolder = OptionSpec(
    "folder", placeholder: "DIR", help: "Show those who have files in this shared folder.")

  fileprivate static let gone = OptionSpec(
    "gone", placeholder: "WHO",
    help: "Take the files of a device out of the folder: its name, its id or the start of that.")

  fileprivate static let idle = OptionSpec(
    "idle", placeholder: "DAYS",
    help: """
      Take the files of all others out of whom nothing came for so long: no write that stands, \
      and no file in DIR.
      """)
}
