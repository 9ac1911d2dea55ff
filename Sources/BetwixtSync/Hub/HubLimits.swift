/// How much a hub takes on.
///
/// What a connection may send is bounded by its session, see ``SyncSetup``.
public struct HubLimits: Hashable, Sendable {
  /// The most connections at a time; further ones are told to come back later.
  public var connections: Int

  /// The most connections of one principal at a time.
  public var connectionsPerPrincipal: Int

  /// The most replicas that have an owner; further writers are refused.
  public var owners: Int

  /// The most replicas that one principal owns.
  public var replicasPerPrincipal: Int

  /// The most replicas in the list that belong to nobody; beyond them only who opens with a new one
  /// brings its writes.
  public var unownedReplicas: Int

  /// The most bytes that may wait to be sent to one peer, which is cut off beyond them.
  ///
  /// The hub counts them where the host tells what has gone out, by ``SyncHub/sent(_:to:)``;
  /// `nil` is for a host that does not tell, and sees to it itself.
  public var unsentBytes: Int?

  /// How many messages a second one peer may cause; `nil` for as many as it likes.
  ///
  /// A change that goes to a hundred peers is a hundred messages, more if it is great, and a
  /// comparison of lists is twenty. Half a second of it may be used at once. Who sends more is
  /// heard later: its bytes wait, its window is not given back until then, and what has gathered is
  /// stored together and goes out as one change. At least ten changes a second are taken, however
  /// many peers there are.
  public var messagesPerSecond: Int?

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - connections: The most connections at a time.
  ///   - connectionsPerPrincipal: Those of one principal.
  ///   - owners: The most replicas that have an owner.
  ///   - replicasPerPrincipal: The most replicas that one principal owns.
  ///   - unownedReplicas: The most replicas that belong to nobody.
  ///   - unsentBytes: The most bytes that may wait for one peer; `nil` if the host sees to it.
  ///   - messagesPerSecond: How many messages a second one peer may cause; `nil` for no bound.
  public init(
    connections: Int = 10_000, connectionsPerPrincipal: Int = 256, owners: Int = 1 << 20,
    replicasPerPrincipal: Int = 4_096, unownedReplicas: Int = 4_096, unsentBytes: Int? = nil,
    messagesPerSecond: Int? = 2_000
  ) {
    self.connections = connections
    self.connectionsPerPrincipal = connectionsPerPrincipal
    self.owners = owners
    self.replicasPerPrincipal = replicasPerPrincipal
    self.unownedReplicas = unownedReplicas
    self.unsentBytes = unsentBytes
    self.messagesPerSecond = messagesPerSecond
  }
}

/// What a hub has done since it was made, for metrics; all but ``connected`` only rise.
public struct HubCounters: Hashable, Sendable {
  /// How many peers are connected now.
  public internal(set) var connected = 0

  /// Connections that were taken.
  public internal(set) var connections: Int64 = 0

  /// Connections that were turned away: too many, or this list is not for them.
  public internal(set) var turnedAway: Int64 = 0

  /// Connections that a newer one of the same replica replaced.
  public internal(set) var replaced: Int64 = 0

  /// Bytes that came from peers.
  public internal(set) var receivedBytes: Int64 = 0

  /// Bytes that the host was given to send.
  public internal(set) var sentBytes: Int64 = 0

  /// How often a session was given something to do: what the hub has done in all comes to this, and
  /// not to the number of those who are connected.
  public internal(set) var turns: Int64 = 0

  /// Rounds that ended equal.
  public internal(set) var rounds: Int64 = 0

  /// Deltas that were encoded; one serves all peers that know the same.
  public internal(set) var encodedDeltas: Int64 = 0

  /// Deltas that were stored.
  public internal(set) var storedDeltas: Int64 = 0

  /// Entries of those.
  public internal(set) var storedEntries: Int64 = 0

  /// Entries that the host merged: what other processes have stored, or it itself.
  public internal(set) var mergedEntries: Int64 = 0

  /// Entries that were denied or postponed.
  public internal(set) var refusedEntries: Int64 = 0
}
