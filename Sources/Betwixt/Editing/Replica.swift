/// A writer: an id, the number of its newest write, and a clock.
///
/// A list carries no identity, so copies of it are free and cannot forge writes; whoever edits
/// passes a replica. It cannot be copied, because two copies would give one number to two writes.
///
///     var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
///     try list.append(["title": "Lunch"], by: &me)
///     me.sequence  // 3: the new item's life, its position, its title
///
/// Keep `id` and `sequence` outside the documents, per installation and document, and make a new
/// id whenever the stored one might be stale. Should the sequence lag behind what a list already
/// holds of this replica, edits of that list continue behind what it holds.
///
/// New items are named after a family of 64 bits and the number of their first write. Where
/// documents are files that people copy and put back, give the replica random families, and call
/// ``endCommit()`` after each commit: then no two items ever share a name, even if one number comes
/// to be used twice. `Identity` of BetwixtFiles does the former.
public struct Replica: ~Copyable, Sendable {
  /// Who writes.
  public let id: ReplicaID

  /// The number of the newest write; 0 before the first.
  public private(set) var sequence: Int64

  /// What single edits may be as large as.
  public var limits = EditLimits()

  /// Which items are never spread to make room between others, such as the games of a trip.
  public var keepsInPlace: @Sendable (ListItem) -> Bool = { _ in false }

  /// The first half of the ids of the items that are made next.
  private(set) var family: UInt64

  private let families: (@Sendable () -> UInt64)?
  private let clock: @Sendable () -> Int64

  // Reused from edit to edit, so that making a key allocates nothing.
  var scratch: [UInt8] = []
  // Where the last list kept this replica; checked before it is believed.
  var tableIndex: UInt32 = 0

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - id: Random, and nobody else's.
  ///   - sequence: The number of the newest write made under this id.
  ///   - families: Random bits, one draw for the items of each commit; without it the id stands
  ///     for them, which is enough where neither the list nor the numbers can ever go back.
  ///   - clock: Milliseconds since 1970-01-01T00:00:00Z. It is read once per edit.
  public init(
    id: ReplicaID, sequence: Int64 = 0, families: (@Sendable () -> UInt64)? = nil,
    clock: @escaping @Sendable () -> Int64
  ) {
    self.id = id
    self.sequence = max(sequence, 0)
    self.families = families
    family = families?() ?? id.rawValue
    self.clock = clock
    scratch.reserveCapacity(64)
  }

  /// The time now, by this replica's clock.
  var now: Timestamp { Timestamp(milliseconds: clock()) }

  mutating func advance(to sequence: Int64) { self.sequence = sequence }

  /// Ends a commit: items that are made from now on are of another family.
  ///
  /// Call it after each commit of a replica that makes several, and whenever the list was read
  /// again. Whoever makes a replica for each commit need not.
  ///
  ///     try file.commit(list)
  ///     me.endCommit()
  public mutating func endCommit() { family = families?() ?? id.rawValue }

  /// Forgets the numbers above one, whose writes nobody has, and the family of items that they
  /// made.
  mutating func giveBack(after sequence: Int64) {
    guard sequence < self.sequence else { return }
    self.sequence = sequence
    endCommit()
  }
}
