public import Betwixt

/// What a merge took from where, and which edits lost.
///
/// The report is a function of the inputs; their order changes nothing in it.
public struct MergeReport: Hashable, Sendable {
  /// What one input brought into the result, counted in items.
  ///
  /// An input brings what the result holds and the base lacks; without a base, what some other
  /// input lacks.
  public struct Source: Hashable, Sendable {
    /// The input's name.
    public let name: String
    /// Items that are new.
    public internal(set) var added = 0
    /// Items of which a field is new; the trip itself counts as one.
    public internal(set) var updated = 0
    /// Items that have a new place.
    public internal(set) var moved = 0
    /// Items that were removed.
    public internal(set) var removed = 0
  }

  /// One of two concurrent writes.
  public struct Side: Hashable, Sendable {
    /// What was written.
    public let value: RegisterValue
    /// When.
    public let time: Timestamp
    /// The inputs that hold it, rising by name.
    public let sources: [String]
    /// A position in words; `nil` for other registers.
    let place: String?
    /// Whether a position was written after the item was made.
    let isMove: Bool
  }

  /// A write that lost against another that was made without knowing it.
  public struct LostEdit: Hashable, Sendable {
    /// Whose register.
    public let item: ItemID
    /// The item in words.
    public let label: String
    /// Which register.
    public let register: Register
    /// The write that is gone.
    public let lost: Side
    /// The write that the result holds.
    public let kept: Side
    /// The day on which the item stands, in words.
    let day: String?
  }

  /// Edits of an item that another input removed without knowing them.
  public struct RemovedEdit: Hashable, Sendable {
    /// One edit that the item still holds.
    public struct Edit: Hashable, Sendable {
      /// Which register.
      public let register: Register
      /// What was written.
      public let side: Side
    }

    /// The item.
    public let item: ItemID
    /// The item in words.
    public let label: String
    /// The registers that were edited, rising.
    public let registers: [Register]
    /// The inputs that edited, rising by name.
    public let editedBy: [String]
    /// The inputs that removed, rising by name.
    public let removedBy: [String]
    /// The edits, rising by register; those that lost to another one are in
    /// ``MergeReport/lostEdits``.
    public let edits: [Edit]
    /// The item with the edits, as one line of plain JSON.
    public let json: String
    /// The day on which the item stood, in words.
    let day: String?
  }

  /// The inputs without the base, rising by name.
  public internal(set) var sources: [Source] = []

  /// The writes that lost, rising by item and register.
  public internal(set) var lostEdits: [LostEdit] = []

  /// The edits of removed items, rising by item.
  public internal(set) var removedEdits: [RemovedEdit] = []

  /// Whether a conflict was decided.
  public var hasConflicts: Bool { !lostEdits.isEmpty || !removedEdits.isEmpty }

  /// Whether a write lost against another one of the same time, so that no more than a fixed rule
  /// decided.
  public var hasTies: Bool {
    lostEdits.contains { $0.isTie }
  }
}

extension MergeReport.LostEdit {
  /// Whether both writes have one time, as far as files say it.
  var isTie: Bool { lost.time.milliseconds == kept.time.milliseconds }
}
