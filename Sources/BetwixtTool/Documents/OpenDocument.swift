import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Session {
  /// How long to wait for another's lock, in milliseconds.
  static let patience = 10_000

  /// How the tool opens documents: patient, and durable before it says so.
  ///
  /// - Parameters:
  ///   - access: What for.
  ///   - patience: How long to wait for another's lock, in milliseconds.
  /// - Returns: The settings, with the state folder of this installation.
  func documentSettings(
    _ access: DocumentFile.Access, patience: Int = Session.patience
  ) -> Document.Settings {
    var settings = Document.Settings(
      stateDirectory: environment.stateDirectory, clock: { SystemCall.wallClockMilliseconds },
      random: SystemCall.randomBits)
    settings.file.access = access
    settings.file.lockWaitMilliseconds = patience
    return settings
  }

  /// How documents are opened that nobody here writes in.
  var serverSettings: Document.Settings {
    var settings = documentSettings(.shared)
    settings.stateDirectory = nil
    return settings
  }

  /// Opens a document to be written in place.
  ///
  /// - Parameters:
  ///   - name: The file as the user named it.
  ///   - access: Exclusive for one edit, which must not see another between its reading and its
  ///     writing; shared for what takes longer.
  ///   - isWriting: Whether to make an identity if there is none.
  /// - Returns: The document.
  /// - Throws: ``ToolFailure`` that names the file and what helps.
  mutating func openDocument(
    _ name: String, access: DocumentFile.Access, isWriting: Bool
  ) throws(ToolFailure) -> Document {
    guard name != "-" else { throw usage("a document that is changed is a file, not a stream") }
    let place = try DocumentPlace(name)
    try place.checkIsFile()
    try checkIsNoText(place)
    begin(step: "reading \(name)")
    defer { endSteps() }
    var document: Document
    do {
      document = try Document.open(at: name, settings: documentSettings(access))
    } catch {
      throw ToolFailure(error)
    }
    if document.report.hasDamage {
      warn(of: document.report.findings, in: name)
    } else {
      for finding in document.report.findings { report("\(name): \(finding)\n") }
    }
    if isWriting { try makeWriter(of: &document) }
    tell(&document)
    // What was asked for is not done to a list that its owner may not know to be a part: who runs
    // it again has read that it is.
    guard access == .readOnly || !document.report.hasDamage else { throw .repaired(name) }
    return document
  }

  /// Makes sure that this installation can write in a document, and that it is known under which id.
  ///
  /// - Throws: ``ToolFailure`` if only a newer version can edit it, or if no id can be kept.
  mutating func makeWriter(of document: inout Document) throws(ToolFailure) {
    guard !document.isReadOnly else {
      throw ToolFailure(
        .badData,
        """
        \(document.name): a newer version of betwixt wrote this, and only such a one can edit it
        """)
    }
    do { try document.makeWriter() } catch { throw ToolFailure(error) }
  }

  /// Tells what happened to a document beside what was asked for.
  mutating func tell(_ document: inout Document) {
    tell(document.takeNotices(), of: document.name)
  }

  /// Tells what happened to a document of this name.
  mutating func tell(_ notices: [Document.Notice], of name: String) {
    for notice in notices { report("\(name): \(notice.sentence)\n") }
  }

  /// Does something with a document, and tells what happened, however it ends.
  mutating func using<Value>(
    _ document: inout Document, _ body: (inout Document) throws(Document.Failure) -> Value
  ) throws(ToolFailure) -> Value {
    do throws(Document.Failure) {
      let value = try body(&document)
      hasChanged = true
      tell(&document)
      return value
    } catch {
      tell(&document)
      throw ToolFailure(error)
    }
  }

  /// Refuses files in formats that are replaced as a whole and never edited.
  private func checkIsNoText(_ place: DocumentPlace) throws(ToolFailure) {
    let start: [UInt8]
    do {
      start = try InputFile.start(of: place.path)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, at: place.name, error: error))
    }
    try PackedFile.check(start, named: place.name)
    // Anything else may be a document that was damaged, which opening it tells. No text has a zero,
    // and every document's start has many.
    guard !start.contains(0) else { return }
    let text = start.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "B")
    else { return }
    // What is left of a document may begin as a text does, too.
    guard !PosixFileSystem().mayBeDocument(at: place.path) else { return }
    throw ToolFailure(
      .badData,
      """
      Error: \(place.name.printable) is no document to be edited in place; make one of it with \
      'betwixt new --from \(place.name.shellPath) FILE.trip'
      """)
  }
}

extension Document.Notice {
  /// Why something cannot be taken back any more; `nil` if the notice is about something else.
  var trouble: String? {
    switch self {
    case .newWriter, .repaired, .writesAhead, .kept, .awaitsOwner: nil
    case .stepsLost, .stepNotKept, .lastStepUnknown: sentence
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .newWriter(let rotation):
      """
      new writes are by \(rotation.new), no longer by \(rotation.old): \
      \(rotation.evidence.sentence)
      """
    case .repaired(let findings):
      "it was damaged meanwhile and is written anew: "
        + findings.map(\.description).joined(separator: "; ")
    case .stepsLost(let reason): "earlier edits cannot be undone any more: \(reason)"
    case .stepNotKept(let reason):
      "this edit is done and cannot be undone, nor can earlier ones: \(reason)"
    case .lastStepUnknown:
      """
      the last act here is not known to undo: a program ended before it had kept the step; the \
      next undo goes on with the one before
      """
    case .writesAhead(let count):
      """
      \(ItineraryText.count(Int64(count), "write")) of this device \(count == 1 ? "is" : "are") ahead of \
      the clock here, which shows \(WithheldText.now): is it right? If so, nobody takes \
      \(count == 1 ? "it" : "them") before that time has come, and 'betwixt repair --clock' mends that; if \
      not, set it, and mend nothing
      """
    case .kept(let path): "the document as it was is kept as \(path)"
    case .awaitsOwner:
      """
      it grows with each edit until one is made by its owner, or by that of its folder: the folder is \
      sticky, and only they may write it anew
      """
    }
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
