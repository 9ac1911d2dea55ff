import Betwixt
import BetwixtSync
import BetwixtTrips

/// A document that a command works on in place, and who writes in it here.
struct OpenDocument: ~Copyable {
  /// Where it is.
  let place: DocumentPlace

  /// The file.
  var file: DocumentFile

  /// Who writes; `nil` as long as nothing was ever written here.
  var identity: Identity?

  /// Commits what an edit of a copy of the list wrote: all of it or nothing.
  mutating func commit(_ list: ReplicatedList) throws(ToolFailure) {
    do {
      try file.commit(list)
    } catch {
      throw ToolFailure(place.name, error)
    }
  }

  /// Notes that own writes are about to leave this place.
  mutating func publish() throws(ToolFailure) {
    do throws(DocumentFileFailure) {
      try file.makeDurable()
    } catch {
      throw ToolFailure(place.name, error)
    }
    guard let replica = identity?.replica else { return }
    do {
      try identity?.publish(upTo: file.list.version[replica])
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
    guard DocumentPlace.holdsDocument(place.path) else {
      throw ToolFailure(name, DocumentFileFailure.notFound)
    }
    try checkIsNoText(place)
    let file: DocumentFile
    do {
      file = try DocumentFile.open(place.path, .ofTool(access, patience: patience))
    } catch {
      throw ToolFailure(name, error)
    }
    for finding in file.report.findings { report("\(name): \(finding)\n") }
    if isWriting, file.isReadOnly {
      throw ToolFailure(
        .badData, "\(name): a newer version of betwixt wrote this, and only such a one can edit it")
    }
    let identity = try identity(
      at: place, for: file.list, evidence: file.report.droppedAnything ? .droppedBytes : nil,
      isMade: isWriting)
    return OpenDocument(place: place, file: file, identity: identity)
  }

  /// Refuses files in formats that are replaced as a whole and never edited.
  private func checkIsNoText(_ place: DocumentPlace) throws(ToolFailure) {
    guard place.exists else { return }
    let start: ArraySlice<UInt8>
    do {
      start = try InputFile.start(of: place.path)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, place.name, error))
    }
    // Anything else may be a document that was damaged, which opening it tells.
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
