public import Betwixt
import BetwixtSync

extension Document {
  /// Opens a document, or makes one where there is none.
  ///
  ///     var trip = try Document.openOrCreate(at: "rome.trip", settings: settings) {
  ///       (list, me) throws(EditFailure) in
  ///       try list.set("name", of: .root, to: "Rome", by: &me)
  ///     }
  ///
  /// - Parameters:
  ///   - path: Where it is, or is to be.
  ///   - settings: How to open it.
  ///   - list: What a new one starts with; an empty list with a random id unless said.
  ///   - body: Edits of a new one, which go into its first commit.
  /// - Returns: The open document.
  /// - Throws: ``Failure``. If the file is gone but an earlier generation of a document stands beside
  ///   its place, none is made: `file(.onlyEarlierGeneration)`. Any other file of that name keeps nobody from
  ///   making one.
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public static func openOrCreate(
    at path: String, settings: Settings, startingWith list: ReplicatedList? = nil,
    _ body: Starting? = nil
  ) throws(Failure) -> Document {
    // Who else makes the file between the two is quicker once, and takes it away at most once.
    for _ in 0..<8 {
      do throws(Failure) {
        return try open(at: path, settings: settings)
      } catch {
        guard error.cause == .file(.notFound) else { throw error }
      }
      do throws(Failure) {
        return try create(at: path, settings: settings, startingWith: list, body)
      } catch {
        guard error.cause == .file(.exists) else { throw error }
      }
    }
    throw Failure(path, cause: .file(.surprise))
  }

  /// Edits that a new document starts with.
  public typealias Starting = (inout ReplicatedList, inout Replica) throws(EditFailure) -> Void

  /// Opens a document.
  ///
  /// What is damaged is repaired, unless it is opened for reading; ``report`` tells. A sealed block
  /// becomes a document with the first edit.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - settings: How to open it.
  /// - Returns: The open document.
  /// - Throws: ``Failure``
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public static func open(at path: String, settings: Settings) throws(Failure) -> Document {
    let target = try resolved(path, settings: settings)
    let settings = settings.keepingImage(of: target)
    var document: Document
    do {
      document = Document(
        name: path, file: try DocumentFile.open(at: target, settings: settings.file),
        settings: settings)
    } catch {
      guard error == .notFound,
        PreviousGeneration.mayStand(beside: target, in: settings.fileSystem)
      else {
        throw Failure(path, cause: .file(error))
      }
      throw Failure(path, cause: .file(.onlyEarlierGeneration))
    }
    try document.identify(isMade: false)
    // What was read since is no news to anybody.
    _ = document.show()
    return document
  }

  /// Makes a document; it is on the drive when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - settings: How to open it.
  ///   - list: What it starts with; an empty list with a random id unless said.
  ///   - other: The path of a file whose rights it gets; without one, those of any new file.
  ///   - body: Edits that go into its first commit.
  /// - Returns: The open document.
  /// - Throws: ``Failure``, `file(.exists)` if something is there.
  /// - Complexity: O(*n*) for *n* entries
  public static func create(
    at path: String, settings: Settings, startingWith list: ReplicatedList? = nil,
    like other: String? = nil, _ body: Starting? = nil
  ) throws(Failure) -> Document {
    let target = try resolved(path, settings: settings)
    let settings = settings.keepingImage(of: target)
    guard try !isThere(target, named: path, settings: settings) else {
      throw Failure(path, cause: .file(.exists))
    }
    var content =
      list ?? ReplicatedList(id: ListID(high: settings.random(), low: settings.random()))
    var identity: Identity?
    if let body {
      identity = try newIdentity(of: content, at: target, named: path, settings: settings)
      guard var me = identity?.replica(for: content, clock: settings.clock) else {
        throw Failure(path, cause: .noStateDirectory)
      }
      do { try body(&content, &me) } catch { throw Failure(path, cause: .edit(error)) }
    }
    let file: DocumentFile
    do {
      file = try DocumentFile.create(
        at: target, holding: content, settings: settings.file, by: identity, like: other)
    } catch {
      throw Failure(path, cause: .file(error))
    }
    return Document(name: path, file: file, settings: settings)
  }

  private static func resolved(
    _ path: String, settings: Settings
  ) throws(Failure) -> String {
    do {
      return try settings.fileSystem.realPath(of: path)
    } catch {
      throw Failure(path, cause: .file(error.reason == .notFound ? .notFound : .fileSystem(error)))
    }
  }

  private static func isThere(
    _ path: String, named name: String, settings: Settings
  ) throws(Failure) -> Bool {
    do {
      return try settings.fileSystem.status(at: path) != nil
    } catch {
      throw Failure(name, cause: .file(.fileSystem(error)))
    }
  }
}

// MARK: - Who writes

extension Document {
  /// What this installation keeps of the file; `nil` if it has no place for that.
  package var state: DocumentState? { DocumentState(of: path, settings: settings) }

  /// Makes sure that somebody writes here, without an edit.
  ///
  /// - Throws: ``Failure`` if it cannot be noted who; then nothing may be written.
  public mutating func makeWriter() throws(Failure) {
    if host.file.identity == nil { try identify(isMade: true) }
  }

  /// Finds out who writes here.
  ///
  /// - Parameter isMade: Whether to make an identity if there is none.
  /// - Throws: ``Failure`` if it cannot be noted; nothing may be written then.
  package mutating func identify(isMade: Bool) throws(Failure) {
    guard let state else {
      guard isMade else { return }
      throw Failure(name, cause: .noStateDirectory)
    }
    // A commit is noted before it is made: what another program is about to write would look like
    // what was taken out of the file since. Who only reads does not write under any id.
    let isLocked = settings.file.access != .shared || host.file.isHeld || host.file.isReadOnly
    guard isMade || settings.file.access != .readOnly else { return }
    if !isLocked { try lock() }
    defer { if !isLocked { unlock() } }
    do throws(IdentityStoreFailure) {
      let store = state.identityStore(settings)
      var isNew = try store.record(of: host.file.list.id) == nil
      if isNew, !host.file.isReadOnly, let file = host.file.status {
        do throws(IdentityStoreFailure) {
          try state.takeOver(
            host.file.list.id, in: file, holding: host.file.commits, isWriting: isMade,
            settings: settings)
        } catch {
          // Who only looks needs nobody to write as.
          guard !isMade else { throw error }
        }
        isNew = try store.record(of: host.file.list.id) == nil
      }
      guard isMade || !isNew else { return }
      // First, so that no identity is left of which nobody knows whose it is.
      if isNew { try state.noteOwner() }
      try host.file.identify(in: store, random: settings.random)
    } catch {
      throw Failure(name, cause: .identity(error))
    }
    noteRotation()
  }

  /// Takes another id for what is written here from now on.
  ///
  /// - Parameter evidence: Why.
  /// - Throws: ``Failure``; nothing may be written then.
  public mutating func takeNewWriter(
    _ evidence: IdentityEvidence = .requested
  ) throws(Failure) {
    do {
      try host.file.identity?.rotate(evidence)
    } catch {
      throw Failure(name, cause: .identity(error))
    }
    noteRotation()
  }

  /// Who writes in a document that is about to be made.
  private static func newIdentity(
    of list: ReplicatedList, at path: String, named name: String, settings: Settings
  ) throws(Failure) -> Identity {
    guard let state = DocumentState(of: path, settings: settings) else {
      throw Failure(name, cause: .noStateDirectory)
    }
    do throws(IdentityStoreFailure) {
      let store = state.identityStore(settings)
      let isNew = try store.record(of: list.id) == nil
      if isNew { try state.noteOwner() }
      // Where there was one, this one holds nothing of it.
      return try Identity.open(
        list, in: store, evidence: isNew ? nil : .wentBack, random: settings.random)
    } catch {
      throw Failure(name, cause: .identity(error))
    }
  }
}
