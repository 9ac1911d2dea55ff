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
public struct Replica: ~Copyable, Sendable {
  /// Who writes.
  public let id: ReplicaID

  /// The number of the newest write; 0 before the first.
  public private(set) var sequence: Int64

  /// What single edits may be as large as.
  public var limits = EditLimits()

  /// Which items are never spread to make room between others, such as the games of a trip.
  public var keepsInPlace: @Sendable (ListItem) -> Bool = { _ in false }

  private let clock: @Sendable () -> Int64
  private var recording: [Write]?

  // Reused from edit to edit, so that making a key allocates nothing.
  var scratch: [UInt8] = []
  // Where the last list kept this replica; checked before it is believed.
  var tableIndex: UInt32 = 0

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - id: Random, and nobody else's.
  ///   - sequence: The number of the newest write made under this id.
  ///   - clock: Milliseconds since 1970-01-01T00:00:00Z. It is read once per edit.
  public init(
    id: ReplicaID, sequence: Int64 = 0, clock: @escaping @Sendable () -> Int64
  ) {
    self.id = id
    self.sequence = max(sequence, 0)
    self.clock = clock
    scratch.reserveCapacity(64)
  }

  /// The time now, by this replica's clock.
  var now: Timestamp { Timestamp(milliseconds: clock()) }

  mutating func advance(to sequence: Int64) { self.sequence = sequence }

  // MARK: Recording

  var isRecording: Bool { recording != nil }

  mutating func record(_ write: @autoclosure () -> Write) { recording?.append(write()) }

  /// Starts to note each write with what it replaced, for ``ReplicatedList/revert(_:by:)``.
  ///
  ///     me.beginRecording()
  ///     try list.move(lunch, toOffset: 0, by: &me)
  ///     let undo = me.endRecording()
  public mutating func beginRecording() { recording = [] }

  /// Ends the recording and hands out the writes in the order they were made.
  public mutating func endRecording() -> [Write] {
    let writes = recording ?? []
    recording = nil
    return writes
  }
}
