import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTool
import Foundation

/// One device of a test: a folder for its documents, and identities of its own.
final class TestDevice {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The path of a file in the folder.
  func path(_ name: String = "trip.trip") -> String { folder.path(name) }

  /// Where its identities lie.
  var state: String { folder.path("state") }

  var environment: Environment {
    var environment = Environment()
    environment.stateDirectory = state
    return environment
  }

  /// The variables for a process of this device.
  var variables: [String: String] { ["BETWIXT_STATE": state] }

  /// Runs a command in this process.
  @discardableResult
  func run(_ arguments: String..., input: String = "") -> ToolRun { run(arguments, input: input) }

  @discardableResult
  func run(_ arguments: [String], input: String = "") -> ToolRun {
    ToolRun(arguments, input: input, environment: environment)
  }

  /// A line of the shell that runs the built command on this device.
  func line(_ arguments: String...) -> String {
    let words = ["env", "BETWIXT_STATE=\(state)", SpawnedTool.path] + arguments
    return words.map { "'\($0)'" }.joined(separator: " ")
  }

  /// What a document holds.
  func list(_ name: String = "trip.trip") throws -> ReplicatedList {
    try DocumentExamination(of: path(name)).list
  }

  /// The titles of a document, in the order shown.
  func titles(_ name: String = "trip.trip") throws -> [String] {
    try list(name).map { $0["title"]?.string ?? "" }
  }

  /// The sealed form of a document.
  func exported(_ name: String = "trip.trip") throws -> [UInt8] {
    let run = run("export", path(name), "-o", path("sealed.trip"))
    guard run.code == .done else { throw Failure(text: run.messages) }
    return try folder.bytes("sealed.trip")
  }

  /// Keeps the records of identities as they are.
  ///
  /// - Returns: Puts them back as a snapshot of the drive does: each is the same file as before.
  func keepRecords() throws -> () throws -> Void {
    let records = try folder.names(in: "state").flatMap { name in
      try folder.names(in: "state/\(name)").filter { $0.hasSuffix(".identity") }
        .map { path("state/\(name)/\($0)") }
    }
    let files = FileManager.default
    for record in records { try files.linkItem(atPath: record, toPath: record + ".kept") }
    return {
      for record in records {
        try files.removeItem(atPath: record)
        try files.moveItem(atPath: record + ".kept", toPath: record)
      }
    }
  }

  struct Failure: Error {
    let text: String
  }
}
