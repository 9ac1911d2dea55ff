import Betwixt

/// What is known of one file that holds a document, whatever its names: the shadow of what was
/// acknowledged in it, which is compared with what the library reads out of it.
///
/// Copies of a file carry a copy of this along, so that what a copy must hold is known whatever
/// happens to it. Writes are told apart by serial numbers that are in their values, so that no two
/// are alike.
struct FileRecord: Sendable {
  /// How the file was when a commit had returned.
  struct Mark: Sendable {
    let size: Int
    let content: NaiveList
  }

  let document: ListID
  private(set) var marks: [Mark]

  /// What earlier commits held that stand somewhere in the bytes of the first mark.
  private var earlier: [NaiveList] = []

  /// What the file may go back to when the power fails: processes that were killed had written the
  /// rest, and nobody has promised it since.
  var fallbacks: [NaiveList] = []

  /// Which stretches have flipped bits: 0 is the first generation, each further one a commit.
  private(set) var damage: Set<Int> = []

  /// The first bytes, which may be damaged apart from what follows them.
  static let header = -1
  private static let headerSize = 64

  init(document: ListID, size: Int, content: NaiveList) {
    self.document = document
    marks = [Mark(size: size, content: content)]
  }

  /// All that was acknowledged in this file.
  var content: NaiveList { marks[marks.count - 1].content }

  var size: Int { marks[marks.count - 1].size }

  var isDamaged: Bool { !damage.isEmpty }

  /// Whether the header is damaged, and a commit behind the first generation as well.
  var hasDamageBehindHeader: Bool {
    damage.contains(FileRecord.header) && damage.contains { $0 > 0 }
  }

  /// What an honest reading finds at least: all that stands outside the damaged stretches.
  var floor: NaiveList {
    guard isDamaged else { return content }
    // The header stands again in the first generation; with both gone it is anybody's guess.
    guard !damage.isSuperset(of: [FileRecord.header, 0]) else { return NaiveList() }
    var floor = NaiveList()
    for place in marks.indices where !damage.contains(place) {
      let before = place > 0 ? marks[place - 1].content : NaiveList()
      for entry in marks[place].content.entries
      where before[entry.item, entry.register] != entry {
        floor.join(entry)
      }
    }
    return floor
  }

  /// Whether some commit of this file, damaged or not, held an entry or a later one of its register
  /// that says the same as a value.
  func hasHeld(_ value: RegisterValue, notBefore entry: Entry) -> Bool {
    marks.contains { mark in
      guard let held = mark.content[entry.item, entry.register] else { return false }
      return !NaiveList.wins(entry, over: held) && held.value.saysTheSame(as: value)
    }
  }

  /// Whether this very entry was written into this file once, or may have been.
  func hasHeld(_ entry: Entry) -> Bool {
    let contents = marks.map(\.content) + earlier + fallbacks
    return contents.contains { $0[entry.item, entry.register] == entry }
  }

  /// Notes that a commit has returned.
  ///
  /// A program that has the file open may append to it and not know that it is damaged; who repairs it
  /// cuts it or writes another file.
  mutating func grow(to size: Int, content: NaiveList) {
    fallbacks = []
    guard size > self.size else {
      // As it was once, with what is left of a write that the power took: no place to cut at.
      let past = marks.last { $0.size <= size && $0.content.items == content.items }
      let earlier = self.earlier + marks.map(\.content)
      self = FileRecord(document: document, size: past?.size ?? size, content: content)
      self.earlier = earlier
      return
    }
    // Only claims, or the beginning of a write that was killed, which the next one takes away.
    if content.items == self.content.items { return }
    marks.append(Mark(size: size, content: content))
  }

  /// Notes that a bit was flipped.
  mutating func damage(at byte: Int) {
    if byte < FileRecord.headerSize {
      damage.insert(FileRecord.header)
    } else {
      damage.insert(marks.firstIndex { byte < $0.size } ?? marks.count)
    }
  }

  /// Notes that the file was cut behind a commit; returns its new size.
  mutating func cut(byCommits count: Int) -> Int? {
    guard !isDamaged, marks.count > 1 else { return nil }
    marks.removeLast(min(max(1, count), marks.count - 1))
    return size
  }
}

extension NaiveList {
  /// Whether a list holds these entries and no others.
  func isHeld(exactlyBy list: ReplicatedList) -> Bool {
    guard list.entryCount == entryCount else { return false }
    let held = list.allItems()
    guard held.count == items.count else { return false }
    for (item, mine) in zip(held, items) {
      guard item.id == mine.id, item.entries == mine.entries else { return false }
    }
    return true
  }

  /// The first entry in whose register a list holds nothing as great.
  func firstLack(in list: ReplicatedList) -> Entry? {
    for item in items {
      let held = list[id: item.id]?.entries ?? []
      if held == item.entries { continue }
      var rest = held[...]
      for entry in item.entries {
        // Both rise by register.
        rest = rest.drop { $0.register < entry.register }
        guard let present = rest.first, present.register == entry.register,
          !NaiveList.wins(entry, over: present)
        else { return entry }
      }
    }
    return nil
  }

  /// The first entry in whose register another model holds nothing as great.
  func firstLack(in other: NaiveList) -> Entry? {
    for item in items {
      let held = other[item.id]
      if held == item { continue }
      for entry in item.entries {
        guard let present = held?[entry.register], !NaiveList.wins(entry, over: present)
        else { return entry }
      }
    }
    return nil
  }
}

extension Entry {
  /// Which write it is, for a message: values may be long.
  var brief: String { "\(register) of \(item), written as \(dot)" }
}
