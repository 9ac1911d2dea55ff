import Betwixt
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

  /// Who writes in a document file here.
  ///
  /// - Parameters:
  ///   - place: The file.
  ///   - list: What it holds.
  ///   - evidence: What opening it has shown against the present identity.
  ///   - isMade: Whether to make an identity if there is none.
  /// - Returns: The identity; `nil` if there is none and none was to be made.
  /// - Throws: ``ToolFailure`` if it cannot be kept; then nothing may be written.
  mutating func identity(
    at place: DocumentPlace, for list: ReplicatedList, evidence: IdentityEvidence? = nil,
    isMade: Bool
  ) throws(ToolFailure) -> Identity? {
    guard let store = identityStore(at: place) else {
      guard isMade else { return nil }
      throw ToolFailure(
        .cannotCreate,
        "Error: no place for the identity of the writer: set BETWIXT_STATE to a folder")
    }
    let identity: Identity
    let isNew: Bool
    do throws(IdentityStoreFailure) {
      isNew = try store.record(of: list.id) == nil
      guard isMade || !isNew else { return nil }
      identity = try Identity.open(
        list, in: store, evidence: evidence, random: SystemCall.randomBits)
    } catch {
      throw ToolFailure(place.name, error)
    }
    if isNew { try noteOwner(of: place) }
    if let rotation = identity.rotation { report(rotation, of: place) }
    return identity
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
    case .rolledBack: "the file holds less than was passed on from here"
    case .copied: "what is kept about this installation was copied or restored"
    case .foreignWrite: "writes under the old one came from elsewhere"
    case .foreignClaim: "another copy knows writes under the old one that are not here"
    case .foreignFile: "the folder holds files under the old one that are not from here"
    case .fileChanged: "the file was changed by something else"
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
    let words = number == 0 ? reason.rawValue : SystemCall.reason(of: number)
    return "\(operation): \(words)"
  }
}
