public import Betwixt
import BetwixtSync

extension Document {
  /// What letting go has brought.
  public struct Forgotten: Hashable, Sendable {
    /// What changed in ``Document/list``: what other programs had written into the file.
    public let changes: ListChanges

    /// How many fields and places of removed items went.
    public let registerCount: Int

    /// The size of the file before, in bytes.
    public let byteCountBefore: Int

    /// The size of the file now, in bytes.
    public let byteCount: Int
  }

  /// Lets go what removed items held, and writes the file anew without it.
  ///
  /// See `ReplicatedList.forget(below:)` for what is kept and what goes. The floor goes to others
  /// with the next sync, but not through a hub that takes from each user what that user wrote: there
  /// the host forgets for everybody, by `LiveServer.forget(below:in:)`. It makes the document small and
  /// is no way to erase anything: the generation before stays beside the file, and others may keep
  /// what they hold.
  ///
  ///     let month: Int64 = 30 * 86_400_000
  ///     let floor = trip.list.version(olderThan: Timestamp(milliseconds: now - month))
  ///     try trip.forget(below: floor)
  ///
  /// - Parameter floor: For each replica the number up to which; what is not known does not count.
  /// - Returns: What that has brought.
  /// - Throws: ``Failure``; nothing was let go.
  /// - Complexity: O(*n* log *n*)
  @discardableResult
  public mutating func forget(below floor: VersionVector) throws(Failure) -> Forgotten {
    let (size, before) = (host.file.size, list)
    var changes = ListChanges()
    do throws(Failure) {
      let count = try letGo(below: floor, changes: &changes)
      return Forgotten(
        changes: before.difference(to: list, losing: changes), registerCount: count,
        byteCountBefore: size, byteCount: host.file.size)
    } catch {
      tellLater(since: before, losing: changes)
      throw error
    }
  }

  /// Forgets, writes the file anew, and returns how much went.
  private mutating func letGo(
    below floor: VersionVector, changes: inout ListChanges
  ) throws(Failure) -> Int {
    try lock()
    defer { unlock() }
    changes.addLosses(show())
    var copy = host.file.list
    let count = copy.forget(below: floor)
    guard copy.floor != host.file.list.floor else { return 0 }
    do throws(DocumentFileFailure) {
      if count == 0 {
        var builder = Delta.Builder()
        builder.forget(below: copy.floor)
        try host.file.commit(builder.build())
      } else {
        // In one act: what was let go and not written anew could be got back from nowhere.
        try host.file.replace(byForgetting: copy)
      }
    } catch {
      throw Failure(name, cause: .file(error))
    }
    changes.addLosses(show())
    return count
  }

  /// How far a host may forget that waits for others, and for whom it waits.
  public struct PoliteFloor: Hashable, Sendable {
    /// The floor.
    public let floor: VersionVector

    /// The devices that do not hold all that is old enough yet, rising by replica.
    public let waitsFor: [DeviceRoster.Device]
  }

  /// The floor that surprises nobody who is about: what is older than a time, as far as each device
  /// that was met lately has acknowledged it.
  ///
  /// Met are devices with which this document was synced directly, and those that write into a shared
  /// folder. Others need no waiting for, as nobody does: see ``DeviceRoster``.
  ///
  ///     let day: Int64 = 86_400_000
  ///     let polite = trip.politeFloor(
  ///       olderThan: Timestamp(milliseconds: now - 30 * day), seenSince: now - 90 * day)
  ///     try trip.forget(below: polite.floor)
  ///
  /// - Parameters:
  ///   - time: By the clocks of those who wrote.
  ///   - since: Devices that told or wrote nothing since are not waited for, in milliseconds since
  ///     1970.
  /// - Returns: The floor, and for whom it waits.
  /// - Complexity: O(*n*)
  public func politeFloor(olderThan time: Timestamp, seenSince since: Int64) -> PoliteFloor {
    let wanted = list.version(olderThan: time)
    var roster = state?.roster(of: id) ?? DeviceRoster()
    roster.leaveOut(ownReplicas)
    roster.note(writesIn: list, until: settings.clock())
    let devices = roster.devices(seenSince: since)
    return PoliteFloor(
      floor: devices.reduce(wanted) { $0.intersection($1.version) },
      waitsFor: devices.filter { !$0.version.covers(wanted) })
  }

  /// Whom this installation writes or wrote as in this document.
  private var ownReplicas: Set<ReplicaID> {
    host.file.identity?.record.replicasEver ?? []
  }

  /// Notes what a session has told of its peer.
  mutating func noteDevices(in events: [SyncEvent]) {
    var met: [ReplicaID: VersionVector] = [:]
    for case .met(let replica, let version) in events {
      met[replica, default: [:]].formUnion(version)
    }
    noteDevices(met, isRead: false)
  }

  /// Waits no longer for devices that are gone.
  mutating func forgetDevices(_ replicas: Set<ReplicaID>) {
    guard let state else { return }
    var roster = state.roster(of: id)
    let before = roster
    roster.leaveOut(replicas)
    if roster != before { state.keep(roster, of: id) }
  }

  /// Notes what devices have said that they hold.
  ///
  /// - Parameters:
  ///   - acknowledgements: What each has said.
  ///   - isRead: Whether that was only read somewhere.
  mutating func noteDevices(_ acknowledgements: [ReplicaID: VersionVector], isRead: Bool) {
    let others = acknowledgements.filter { !ownReplicas.contains($0.key) }
    guard !others.isEmpty, !isRead || others != lastRead, let state else { return }
    if isRead { lastRead = others }
    var roster = state.roster(of: id)
    var isNews = false
    for (replica, version) in others {
      isNews = roster.note(replica, holds: version, at: settings.clock(), isRead: isRead) || isNews
    }
    if isNews { state.keep(roster, of: id) }
  }
}
