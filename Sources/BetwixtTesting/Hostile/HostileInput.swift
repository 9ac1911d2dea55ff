import Betwixt
import BetwixtSync
import BetwixtTrips

/// Places where bytes from outside come in, each with what must hold whatever they are.
///
/// A fuzzer calls ``check(_:)`` with bytes of its own; tests call it with those that once failed. A
/// trap is a failure too, and nothing can catch it.
public enum HostileInput: String, CaseIterable, Sendable {
  /// A stream of frames.
  case frames

  /// A block without a seal, as it travels in frames.
  case block

  /// Two blocks, merged in both orders.
  case blockPair = "block-pair"

  /// A sealed block.
  case sealed

  /// A sealed block whose checksums are made right first.
  case sealedRepaired = "sealed-repaired"

  /// A document file.
  case document

  /// A document file whose checksums are made right first.
  case documentRepaired = "document-repaired"

  /// A file in a shared folder, its checksums made right first.
  case folder

  /// A session with somebody who sends these bytes.
  case session

  /// A session with somebody who sends frames that are right, with these types and payloads.
  case sessionRepaired = "session-repaired"

  /// Choices of a peer who sends what is well formed and as extreme as it gets.
  case hostilePeer = "hostile-peer"

  /// The record of an identity.
  case identity

  /// Two sort keys, and a key between them.
  case keys

  /// A trip as `.trip.json`.
  case tripJSON = "trip-json"

  /// A trip or tasks as plain JSON.
  case plainJSON = "plain-json"

  /// A calendar.
  case calendar

  /// A program of several replicas.
  case program

  /// Checks what must hold of some bytes.
  ///
  /// - Throws: ``Violation`` if it does not.
  /// - Complexity: whatever reading the bytes takes, some times over
  public func check(_ bytes: [UInt8]) throws(Violation) {
    switch self {
    case .frames: try HostileBytes.checkFrames(bytes)
    case .block: try HostileBytes.checkBlock(bytes)
    case .blockPair: try HostileBytes.checkPair(bytes)
    case .sealed: try HostileBytes.checkSealed(bytes)
    case .sealedRepaired: try HostileBytes.checkSealed(Repair.sealed(bytes))
    case .document: try HostileBytes.checkDocument(bytes)
    case .documentRepaired: try HostileBytes.checkDocument(Repair.document(bytes))
    case .folder: try HostileBytes.checkFolder(Repair.sealed(bytes))
    case .session: try HostileSession.check(bytes)
    case .sessionRepaired: try HostileSession.check(Repair.stream(bytes))
    case .hostilePeer: try HostilePeer.check(bytes)
    case .identity: try HostileBytes.checkIdentity(bytes)
    case .keys: try HostileBytes.checkKeys(bytes)
    case .tripJSON: try HostileText.checkTripJSON(bytes)
    case .plainJSON: try HostileText.checkPlainJSON(bytes)
    case .calendar: try HostileText.checkCalendar(bytes)
    case .program: try HostileBytes.checkProgram(bytes)
    }
  }
}
