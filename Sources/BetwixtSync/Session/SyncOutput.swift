public import Betwixt

/// What a session asks its driver to do, in this order.
public enum SyncOutput: Sendable {
  /// Send bytes to the peer.
  case send([UInt8])

  /// Merge into the list and make it durable, then call `settled`.
  ///
  /// Of what the host refuses itself it merges nothing, and the rest by
  /// `leavingOut(_:mergingInto:)`.
  case merge(Delta, Ticket)

  /// Make the own writes up to a sequence number durable, then call `settled`: only then do they
  /// leave this device.
  case makeDurable(upTo: Int64, Ticket)

  /// Know something.
  case event(SyncEvent)

  /// End the connection once everything is sent. Nothing follows.
  case close(SyncEnd)
}

/// How a merge that a session asked for went.
public enum SyncOutcome: Sendable {
  /// Everything is in the list and durable, except what was refused.
  case done(refused: [Refusal] = [])

  /// It could not be stored; the list is as before.
  case failed(String)
}

/// Some entries that one side did not take, and why.
public struct Refusal: Hashable, Sendable {
  /// The entries, as they were sent.
  public let entries: [Entry]

  /// Whether they may come again in another session.
  public let isDeferred: Bool

  /// Why, for people; of more than 255 bytes the peer gets to know the first ones.
  public let reason: String

  /// What the refusing side holds in those registers.
  public let held: [Entry]

  /// Makes a refusal.
  public init(entries: [Entry], isDeferred: Bool, reason: String, held: [Entry]) {
    self.entries = entries
    self.isDeferred = isDeferred
    self.reason = reason
    self.held = held
  }
}

/// What a session tells its host.
public enum SyncEvent: Sendable {
  /// The peer said who it is and which list it means. If the session has no list yet, it waits for
  /// ``SyncSession/listChanged(_:now:)`` or ``SyncSession/refuse(_:now:)``.
  case greeted(PeerDescription)

  /// The lists differ although the versions do not tell how, so contents are compared.
  case reconciling

  /// The lists differ after a complete exchange in which nothing was refused: a version did not tell
  /// the truth, as after a replica was cloned. Contents are compared next.
  case unequal

  /// A round ended: both sides hold the same, except for what was refused.
  case synced(round: UInt32, digest: Digest)

  /// The peer holds, durably, the own writes up to a number, or what replaced them; but for those
  /// that it refused.
  case acknowledged(upTo: Int64)

  /// The peer, which writes as a replica, holds all of a version: a round ended in which neither
  /// side refused anything.
  ///
  /// From it a host may keep a list of devices and what each has acknowledged.
  case met(ReplicaID, holding: VersionVector)

  /// The peer did not take some entries.
  case refused(Refusal)

  /// This side's `AdmissionPolicy` did not let some entries in.
  case withheld(Refusal)

  /// The peer knows writes of this replica that this list does not: it was rolled back, or its id
  /// is used twice.
  case identityDoubtful(known: Int64, own: Int64)
}

/// What a peer says of itself.
public struct PeerDescription: Hashable, Sendable {
  /// Which list it wants to sync.
  public let list: ListID

  /// Its name for display.
  public let implementation: String

  /// Milliseconds since 1970 by its clock, if it told.
  public let wallClock: Int64?
}

/// How a session ended.
public enum SyncEnd: Hashable, Sendable {
  /// In order: both sides said so when no round was under way.
  case finished

  /// The peer went away or ended in the middle; another session goes on from there.
  case cut

  /// This side gave up.
  case failed(SyncFailure)

  /// The peer gave up.
  case peerFailed(SyncFailure)
}
