import Betwixt
import BetwixtFiles
import BetwixtSync

extension Session {
  /// Where the identity of a document file is kept; `nil` if this installation has no place for it.
  func identityStore(at place: DocumentPlace) -> FileIdentityStore? {
    environment.stateDirectory.map { state in
      FileIdentityStore(
        place.stateFolder(in: state), machine: FileIdentityStore.machineName(),
        random: SystemCall.randomBits)
    }
  }

  /// Finds out who writes in a document file here.
  ///
  /// - Parameters:
  ///   - file: The file, which has its identity then, if there is one.
  ///   - place: Where it is.
  ///   - isMade: Whether to make an identity if there is none.
  /// - Throws: ``ToolFailure`` if it cannot be kept; then nothing may be written.
  mutating func identify(
    _ file: inout DocumentFile, at place: DocumentPlace, isMade: Bool
  ) throws(ToolFailure) {
    guard let (store, isNew) = try knownStore(at: place, of: file.list.id, isMade: isMade) else {
      return
    }
    do {
      try file.identify(in: store, random: SystemCall.randomBits)
    } catch {
      throw ToolFailure(place.name, error)
    }
    if isNew { try noteOwner(of: place) }
    if let rotation = file.identity?.rotation { report(rotation, of: place) }
  }

  /// Who writes in a document that is about to be made.
  mutating func identity(
    ofNew list: ReplicatedList, at place: DocumentPlace
  ) throws(ToolFailure) -> Identity? {
    guard let (store, isNew) = try knownStore(at: place, of: list.id, isMade: true) else {
      return nil
    }
    let identity: Identity
    do {
      // Where there was one, this one holds nothing of it.
      identity = try Identity.open(
        list, in: store, evidence: isNew ? nil : .wentBack, random: SystemCall.randomBits)
    } catch {
      throw ToolFailure(place.name, error)
    }
    if isNew { try noteOwner(of: place) }
    if let rotation = identity.rotation { report(rotation, of: place) }
    return identity
  }

  /// The store of a file's identity, and whether it has none yet; `nil` if there is none and none is
  /// to be made.
  private func knownStore(
    at place: DocumentPlace, of document: ListID, isMade: Bool
  ) throws(ToolFailure) -> (FileIdentityStore, isNew: Bool)? {
    guard let store = identityStore(at: place) else {
      guard isMade else { return nil }
      throw ToolFailure(
        .cannotCreate,
        "Error: no place for the identity of the writer: set BETWIXT_STATE to a folder")
    }
    do {
      let isNew = try store.record(of: document) == nil
      return isMade || !isNew ? (store, isNew) : nil
    } catch {
      throw ToolFailure(place.name, error)
    }
  }

  /// Says that a new identity was taken, and why.
  mutating func report(_ rotation: IdentityRotation, of place: DocumentPlace) {
    report(
      """
      \(place.name): new writes are by \(rotation.new), no longer by \(rotation.old): \
      \(rotation.evidence.sentence)

      """)
  }

  private static let ownerName = "path"

  /// Keeps the path beside the identity, for the list of all identities.
  private func noteOwner(of place: DocumentPlace) throws(ToolFailure) {
    guard let state = environment.stateDirectory else { return }
    let file = OutputFile("\(place.stateFolder(in: state))/\(Session.ownerName)")
    do { try file.write(Array(place.path.utf8)) } catch { throw ToolFailure(error) }
  }

  /// The path that a folder of the state directory is about.
  func owner(ofStateFolder folder: String) -> String? {
    let bytes = try? InputFile.read("\(folder)/\(Session.ownerName)") { _ in 1 << 16 }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension IdentityEvidence {
  /// What was found, in words.
  var sentence: String {
    switch self {
    case .wentBack: "the file is not as it was left here"
    case .copied: "what is kept about this installation was copied or restored"
    case .foreignWrite: "writes under the old one came from elsewhere"
    case .foreignClaim: "another copy knows writes under the old one that are not here"
    case .foreignFile: "the folder holds files under the old one that are not from here"
    case .droppedBytes: "some bytes of the file could not be read"
    case .inUse: "another copy writes under the old one too"
    case .notEqual: "two copies differed after all was exchanged"
    case .requested: "as asked for"
    }
  }
}

extension ToolFailure {
  /// An identity that cannot be read or kept.
  init(_ path: String, _ failure: IdentityStoreFailure) {
    self.init(
      .cannotCreate,
      """
      Error: \(path): the identity of the writer cannot be kept (\(failure.cause.sentence)); \
      BETWIXT_STATE names the folder for it
      """)
  }
}

extension FileSystemError {
  /// What failed and why, in words.
  var sentence: String {
    if reason == .wrongKind, number == 0 { return "it is no regular file" }
    let words = number == 0 ? reason.rawValue : SystemCall.reason(of: number)
    return "\(operation): \(words)"
  }
}
