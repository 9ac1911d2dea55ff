import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// A document that a command works on in place, and who writes in it here.
struct OpenDocument: ~Copyable {
  /// Where it is.
  let place: DocumentPlace

  /// The file.
  var file: DocumentFile

  /// Who writes; `nil` as long as nothing was ever written here.
  var identity: Identity? { file.identity }

  /// Commits what an edit of a copy of the list wrote: all of it or nothing.
  mutating func commit(_ list: ReplicatedList) throws(ToolFailure) {
    do {
      try file.commit(list)
    } catch {
      throw ToolFailure(place.name, error)
    }
  }

  /// Makes sure that all is on the drive, before any of it leaves this place.
  mutating func makeDurable() throws(ToolFailure) {
    do throws(DocumentFileFailure) {
      try file.makeDurable()
    } catch {
      throw ToolFailure(place.name, error)
    }
  }
}

extension Session {
  /// Opens a document to be written in place.
  ///
  /// - Parameters:
  ///   - name: The file as the user named it.
  ///   - access: Exclusive for one edit, which must not see another between its reading and its
  ///     writing; shared for what takes longer.
  ///   - isWriting: Whether to make an identity if there is none.
  ///   - patience: How long to wait for another's lock, in milliseconds.
  /// - Returns: The document.
  /// - Throws: ``ToolFailure`` that names the file and what helps.
  mutating func openDocument(
    _ name: String, _ access: DocumentFile.Access, isWriting: Bool, patience: Int = 10_000
  ) throws(ToolFailure) -> OpenDocument {
    guard name != "-" else { throw usage("a document that is changed is a file, not a stream") }
    let place = try DocumentPlace(name)
    try place.checkIsFile()
    try checkIsNoText(place)
    var file: DocumentFile
    do {
      file = try DocumentFile.open(place.path, .ofTool(access, patience: patience))
    } catch {
      throw ToolFailure(name, error)
    }
    if file.report.hasDamage {
      warn(of: file.report.findings, in: name)
    } else {
      for finding in file.report.findings { report("\(name): \(finding)\n") }
    }
    if isWriting, file.isReadOnly {
      throw ToolFailure(
        .badData, "\(name): a newer version of betwixt wrote this, and only such a one can edit it")
    }
    try identify(&file, at: place, isMade: isWriting)
    // What was asked for is not done to a list that its owner may not know to be a part: who runs
    // it again has read that it is.
    guard access == .readOnly || !file.report.hasDamage else { throw .repaired(name) }
    return OpenDocument(place: place, file: file)
  }

  /// Refuses files in formats that are replaced as a whole and never edited.
  private func checkIsNoText(_ place: DocumentPlace) throws(ToolFailure) {
    let start: [UInt8]
    do {
      start = try InputFile.start(of: place.path)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, place.name, error))
    }
    // Anything else may be a document that was damaged, which opening it tells. No text has a zero,
    // and every document's start has many.
    guard !start.contains(0) else { return }
    let text = start.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "B")
    else { return }
    throw ToolFailure(
      .badData,
      """
      Error: \(place.name) is no document to be edited in place; make one of it with \
      'betwixt new --from \(place.name) FILE.trip'
      """)
  }
}

extension ToolFailure {
  /// A document that was damaged when it was opened for writing.
  static func repaired(_ name: String) -> ToolFailure {
    let name = name.printable
    return ToolFailure(
      .badData,
      """
      Error: \(name) was damaged. What can be read of it is written anew, as said above, and \
      nothing else was done: look at it, take in other copies of it, and run this command again
      """)
  }
}

extension DocumentFile.Settings {
  /// How the tool opens documents: patient, and durable before it says so.
  static func ofTool(
    _ access: DocumentFile.Access, patience: Int = 10_000
  ) -> DocumentFile.Settings {
    var settings = DocumentFile.Settings(random: SystemCall.randomBits)
    settings.access = access
    settings.lockWaitMilliseconds = patience
    return settings
  }
}
