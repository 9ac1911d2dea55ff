import Betwixt

/// Makes deltas that the format allows and no honest program would write.
struct Liar {
  /// What the deltas are about.
  enum Kind: Int, CaseIterable {
    case greatTimes
    case longLives
    case greatNumbers
    case farSections
    case longKeys
    case manyFields
    case inventedReplicas
    case halfItems
    case emptyRanges
    case othersNumbers
  }

  let id: ReplicaID
  private let victim: ReplicatedList
  private let writer: ReplicaID
  private let now: Int64
  private var sequence: Int64 = 0

  init(_ victim: ReplicatedList, by writer: ReplicaID, at now: Int64) {
    self.victim = victim
    self.writer = writer
    self.now = now
    id = ReplicaID(rawValue: 0xbad0_0000_0000_0000 | UInt64(truncatingIfNeeded: victim.entryCount))
  }

  mutating func delta(
    _ kind: Int, from source: inout ChoiceSource
  ) throws(EntryFailure) -> Delta {
    var builder = Delta.Builder()
    let items = DeskEdit.editable(victim)
    let item = items.isEmpty ? ItemID(family: id.rawValue, sequence: 1) : source.pick(items)
    switch Kind.allCases[kind % Kind.allCases.count] {
    case .greatTimes: try greatTimes(&builder, of: item, source: &source)
    case .longLives: try longLives(&builder, of: item, source: &source)
    case .greatNumbers:
      sequence = .max - 3
      try set("note", of: item, in: &builder, at: time(1))
    case .farSections:
      try place(item, in: &builder, inSection: source.pick([.min, .max]), depth: 0)
    case .longKeys: try place(item, in: &builder, inSection: 0, depth: 1_000)
    case .manyFields:
      for number in 0..<source.pick([70, 1_000, 3_000]) {
        guard let name = FieldName("\(number)") else { continue }
        try add(.field(.int64(1)), to: .field(name), of: item, in: &builder, at: time(1))
      }
    case .inventedReplicas:
      for number in 0..<source.pick([50, 500, 6_000]) {
        builder.cover(ReplicaID(rawValue: 0xabad_1dea << 32 | UInt64(number)), after: 0, through: 1)
      }
      try set("note", of: item, in: &builder, at: time(1))
    case .halfItems: try halfItems(&builder, source: &source)
    case .emptyRanges: builder.cover(id, after: 0, through: source.pick([1, 1_000, .max]))
    case .othersNumbers:
      let known = victim.version.map(\.replica) + [writer]
      let end = source.pick([victim.version[writer] + 5, 1_000_000, .max])
      builder.cover(source.pick(known), after: 0, through: end)
    }
    return builder.build()
  }

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now &+ milliseconds)
  }

  private mutating func add(
    _ value: RegisterValue, to register: Register, of item: ItemID,
    in builder: inout Delta.Builder, at time: Timestamp
  ) throws(EntryFailure) {
    sequence += 1
    try builder.add(
      Entry(
        item: item, register: register, value: value,
        stamp: Stamp(time: time, replica: id), sequence: sequence))
  }

  private mutating func set(
    _ name: FieldName, of item: ItemID, in builder: inout Delta.Builder, at time: Timestamp
  ) throws(EntryFailure) {
    try add(.field("mine"), to: .field(name), of: item, in: &builder, at: time)
  }

  private mutating func greatTimes(
    _ builder: inout Delta.Builder, of item: ItemID, source: inout ChoiceSource
  ) throws(EntryFailure) {
    let day: Int64 = 86_400_000
    let time = source.pick([.max, Timestamp(milliseconds: 1 << 46), time(400 * day), time(day / 2)])
    try set(DeskEdit.noteField, of: item, in: &builder, at: time)
    try add(.life(3), to: .life, of: item, in: &builder, at: time)
    sequence += 1
    let counter = sequence
    guard let key = try? SortKey.between(nil, nil, replica: id, counter: counter) else { return }
    try builder.add(
      Entry(
        item: item, register: .position, value: .position(section: 0, key: key),
        stamp: Stamp(time: time, replica: id), sequence: counter))
  }

  private mutating func longLives(
    _ builder: inout Delta.Builder, of item: ItemID, source: inout ChoiceSource
  ) throws(EntryFailure) {
    let length: UInt64 = source.pick([
      RegisterValue.longestLife, RegisterValue.longestLife - 1, 1 << 31, 1 << 17, 70,
    ])
    try add(.life(length), to: .life, of: item, in: &builder, at: time(1))
  }

  /// Places an item under a key that is nearly as long as keys can be, if it is deep.
  private mutating func place(
    _ item: ItemID, in builder: inout Delta.Builder, inSection section: Int64, depth: Int
  ) throws(EntryFailure) {
    var (left, right): (SortKey?, SortKey?) = (nil, nil)
    for step in 0...depth {
      sequence += 1
      guard
        let key = try? SortKey.between(left, right, replica: id, counter: sequence)
      else { break }
      if step.isMultiple(of: 2) { left = key } else { right = key }
    }
    let key = depth.isMultiple(of: 2) ? left ?? right : right ?? left
    guard let key, case .position = RegisterValue.position(section: section, key: key) else {
      return
    }
    // The key names the number it was made with.
    for counter in [sequence, sequence - 1] where counter > 0 {
      let entry = Entry(
        item: item, register: .position, value: .position(section: section, key: key),
        stamp: Stamp(time: time(1), replica: id), sequence: counter)
      do {
        return try builder.add(entry)
      } catch {
        guard counter == sequence else { throw error }
      }
    }
  }

  /// Items of which only one register ever comes.
  private mutating func halfItems(
    _ builder: inout Delta.Builder, source: inout ChoiceSource
  ) throws(EntryFailure) {
    for number in 0..<source.pick([1, 3, 40, 2_000]) {
      let item = ItemID(high: id.rawValue, low: UInt64(number + 1))
      if source.chance(1, in: 2) {
        try add(.life(1), to: .life, of: item, in: &builder, at: time(1))
      } else {
        try set("note", of: item, in: &builder, at: time(1))
      }
    }
  }
}
