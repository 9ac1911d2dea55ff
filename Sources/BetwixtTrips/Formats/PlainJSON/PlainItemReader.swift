import Betwixt

/// One item as the file says it, before items without a number get one.
struct PlainDraft {
  let id: ItemID
  let idOffset: Int
  let time: Timestamp
  let section: Int64
  let number: Double?
  /// The number that the start of a game gives.
  let anchor: Double?
  let fileIndex: Int
  let fields: [PlainField]
}

/// Checks one item of a plain file.
struct PlainItemReader {
  let dialect: PlainDialect
  /// The id of the file's trip, and the same as the file spells it.
  let listID: ListID?
  let listText: String?
  let startDate: CivilDate?

  /// Whether the file names the first day, well or badly.
  let hasStartDate: Bool

  // Many items were often written at one time, which is read once.
  private var lastMoment: (text: String, time: Timestamp)?

  init(
    dialect: PlainDialect, listID: ListID?, listText: String?, startDate: CivilDate?,
    hasStartDate: Bool
  ) {
    self.dialect = dialect
    self.listID = listID
    self.listText = listText
    self.startDate = startDate
    self.hasStartDate = hasStartDate
  }

  mutating func read(
    _ value: JSONValue, fileIndex: Int, noting problems: inout FirstProblem
  ) -> PlainDraft? {
    guard case .object(let plainMembers) = value.content else {
      problems.note(.wrongType, at: value.offset, "an item is an object")
      return nil
    }
    let members = PlainMembers.named(plainMembers, noting: &problems)
    let kind = kind(of: members)
    var fields = FieldCollector(dialect: dialect, kind: kind)
    for member in members where !dialect.isStructuralOfItem(member.name) {
      fields.add(member, noting: &problems)
    }
    checkTrip(members, noting: &problems)
    if dialect == .tasks, members.present(.taskText) == nil {
      problems.note(.missing, at: value.offset, "“text” is missing")
    }
    let identity = identity(members, kind: kind, at: value.offset, noting: &problems)
    let start = kind == .game ? start(of: members) : nil
    let section = section(
      members, start: start, isGame: kind == .game, at: value.offset, noting: &problems)
    let number = number(members, noting: &problems)
    let time = time(of: members, noting: &problems)
    guard let identity, let section else { return nil }
    if !identity.text.hasSameBytes(as: identity.id.uuid) {
      fields.add(.foreignID, .string(identity.text))
    }
    return PlainDraft(
      id: identity.id, idOffset: identity.offset, time: time, section: section, number: number,
      anchor: start.map { GameAnchor.number(of: $0) }, fileIndex: fileIndex,
      fields: fields.finish(at: value.offset, noting: &problems))
  }

  private mutating func time(
    of members: [NamedMember], noting problems: inout FirstProblem
  ) -> Timestamp {
    let text = members.present(.modifiedAt)?.value.string
    if let text, let lastMoment, text.hasSameBytes(as: lastMoment.text) { return lastMoment.time }
    let time = PlainMembers.moment(in: members, noting: &problems)
    // What is no time is none each time, and is told each time.
    lastMoment = text.flatMap { time == .zero ? nil : ($0, time) }
    return time
  }

  private func kind(of members: [NamedMember]) -> ItemKind {
    guard dialect == .trip else { return .custom }
    // A kind that is no text is noted where the fields are read.
    return ItemKind(members.present(.kind)?.value.string.map { .string($0) })
  }

  private func start(of members: [NamedMember]) -> GameStart? {
    members.present(.start)?.value.string.flatMap { GameStart(droppingSecondsOf: $0) }
  }

  private func checkTrip(_ members: [NamedMember], noting problems: inout FirstProblem) {
    guard let member = members.present(.tripID) else { return }
    guard let text = member.value.string else {
      problems.note(.wrongType, at: member.value.offset, "“tripId” is a text")
      return
    }
    if let listText, text.hasSameBytes(as: listText) { return }
    if let listID, ForeignIdentity.list(text) != listID {
      problems.note(.wrongTrip, at: member.value.offset, "the item belongs to another trip")
    }
  }

  private func identity(
    _ members: [NamedMember], kind: ItemKind, at offset: Int, noting problems: inout FirstProblem
  ) -> (id: ItemID, text: String, offset: Int)? {
    let identifier = PlainMembers.identifier(.id, in: members, at: offset, noting: &problems)
    var gameID: String?
    var idOffset = identifier?.offset ?? offset
    if kind == .game, members.present(.gameID) != nil {
      guard
        let game = PlainMembers.identifier(.gameID, in: members, at: offset, noting: &problems)
      else { return nil }
      gameID = game.text
      idOffset = game.offset
    }
    guard let text = identifier?.text else { return nil }
    let id = dialect.identity(kind: kind, gameID: gameID, id: text)
    guard id != .root else {
      problems.note(.reservedID, at: idOffset, "the nil UUID is no item's")
      return nil
    }
    return (id, text, idOffset)
  }

  private func section(
    _ members: [NamedMember], start: GameStart?, isGame: Bool, at offset: Int,
    noting problems: inout FirstProblem
  ) -> Int64? {
    dialect == .tasks
      ? dateSection(members, noting: &problems)
      : day(members, start: start, isGame: isGame, at: offset, noting: &problems)
  }

  private func dateSection(
    _ members: [NamedMember], noting problems: inout FirstProblem
  ) -> Int64? {
    guard let member = members.present(.scheduledDate) else { return TaskList.inbox }
    guard let text = member.value.string else {
      problems.note(.wrongType, at: member.value.offset, "“scheduledDate” is a text")
      return nil
    }
    guard let date = CivilDate(text) else {
      problems.note(
        .badValue, at: member.value.offset, "“scheduledDate” is a date like 2026-06-11")
      return nil
    }
    return date.dayNumber
  }

  private func day(
    _ members: [NamedMember], start: GameStart?, isGame: Bool, at offset: Int,
    noting problems: inout FirstProblem
  ) -> Int64? {
    if let member = members.present(.day) {
      if let day = member.value.integer { return day }
      problems.note(.wrongType, at: member.value.offset, "“day” is a whole number of 64 bits")
      return nil
    }
    guard isGame, members.present(.start) != nil else {
      problems.note(.missing, at: offset, "“day” is missing")
      return nil
    }
    guard hasStartDate else {
      problems.note(.missing, at: offset, "a game without “day” needs the trip's “startDate”")
      return nil
    }
    // What is wrong with a bad start or a bad start date is noted where they are read.
    guard let start, let startDate else { return nil }
    return start.date - startDate + 1
  }

  private func number(_ members: [NamedMember], noting problems: inout FirstProblem) -> Double? {
    guard let member = members.present(.sortOrder) else { return nil }
    guard let number = member.value.number else {
      problems.note(.wrongType, at: member.value.offset, "“sortOrder” is a number")
      return nil
    }
    return number.double
  }
}
