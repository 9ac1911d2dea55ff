import Betwixt

/// A plain file that is written over an older one of the same list: what says the same stays as it
/// stood, with its order, its white space, its line ends and its spelling of numbers.
///
/// People lay such files out by hand and keep them in version control, where an edit of one field
/// is to be a change of one line.
struct PlainRewrite {
  private let view: PlainView
  private let before: PlainView
  private let old: [UInt8]
  private let value: JSONValue
  private let members: [JSONMember]

  // What the list says in canonical form.
  private let canonical: [UInt8]

  /// Looks at an older file; `nil` if that is no plain file of this list, or one in canonical form.
  ///
  /// - Parameters:
  ///   - view: What the new file says.
  ///   - canonical: The new file in canonical form.
  ///   - old: The older one.
  ///   - id: The list.
  init?(_ view: PlainView, canonical: [UInt8], over old: [UInt8], of id: ListID) {
    guard let value = try? JSONScanner.scan(old), case .object(let members) = value.content,
      let trip = try? PlainTrip(value), trip.listID == id, trip.dialect == view.dialect
    else { return nil }
    before = PlainView(trip.list(clearing: FieldName.ofEachList))
    var writer = JSONWriter()
    writer.plain(before)
    if writer.bytes == old { return nil }
    self.view = view
    self.canonical = canonical
    self.old = old
    self.value = value
    self.members = members
  }

  /// The new file; `nil` if no such file says the same as the canonical one.
  ///
  /// - Complexity: O(*n* log *n*)
  func bytes() -> [UInt8]? {
    // Where items are ordered by their places in the file, a new one may need numbers for all.
    for isNumbered in [false, true] {
      let bytes = bytes(isNumbered: isNumbered)
      if saysTheSame(bytes) { return bytes }
    }
    return nil
  }

  private func saysTheSame(_ bytes: [UInt8]) -> Bool {
    guard let value = try? JSONScanner.scan(bytes), let trip = try? PlainTrip(value) else {
      return false
    }
    var writer = JSONWriter()
    writer.plain(PlainView(trip.list(clearing: FieldName.ofEachList)))
    return writer.bytes == canonical
  }

  private func bytes(isNumbered: Bool) -> [UInt8] {
    var change = MemberChange(members.map { $0.name }, old: PlainTexts(before.rootParts))
    change.become(PlainTexts(view.rootParts))
    let itemsName = view.dialect.itemsName.text
    if let index = members.firstIndex(where: { $0.name.hasSameBytes(as: itemsName) }),
      case .array(let elements) = members[index].value.content
    {
      change.replace(
        itemsName, by: items(elements, at: members[index].value.offset, isNumbered: isNumbered))
    }
    let end = JSONLayout.end(old, from: value.offset)
    return Array(old[..<value.offset])
      + JSONLayout(old, at: value.offset).bytes(of: change.pieces) + old[end...]
  }

  private func items(_ elements: [JSONValue], at offset: Int, isNumbered: Bool) -> [UInt8] {
    let oldItems = PlainRewrite.byID(before.items)
    let newItems = PlainRewrite.byID(view.items)
    var kept: [(id: ItemID, piece: JSONLayout.Piece)] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let members) = element.content, let id = identity(of: members),
        let old = oldItems[id], let new = newItems[id]
      else { continue }
      let text = text(of: element, members: members, from: old, to: new, isNumbered: isNumbered)
      kept.append((id, .old(index, text)))
    }
    return JSONLayout(old, at: offset).bytes(of: joined(kept, like: elements.first))
  }

  private static func byID(_ items: [PlainViewItem]) -> [ItemID: PlainViewItem] {
    var byID: [ItemID: PlainViewItem] = [:]
    for item in items { byID[item.id] = item }
    return byID
  }

  private func identity(of members: [JSONMember]) -> ItemID? {
    func text(_ name: String) -> String? {
      members.first { $0.name.hasSameBytes(as: name) }?.value.string
    }
    guard let id = text("id") else { return nil }
    let kind = view.dialect == .trip ? ItemKind(text("kind").map { .string($0) }) : .custom
    return view.dialect.identity(kind: kind, gameID: text("gameId"), id: id)
  }

  // The text of an item that says something else; nil if it says the same.
  private func text(
    of element: JSONValue, members: [JSONMember], from old: PlainViewItem,
    to new: PlainViewItem, isNumbered: Bool
  ) -> [UInt8]? {
    let names = members.map { $0.name }
    let isUnnumbered = isNumbered && !names.contains { $0.hasSameBytes(as: "sortOrder") }
    let texts = PlainTexts(new.parts(view.dialect, tripID: view.root.idText))
    var oldTexts = PlainTexts(old.parts(view.dialect, tripID: before.root.idText))
    if isUnnumbered { oldTexts.forget("sortOrder") }
    guard texts != oldTexts else { return nil }
    var change = MemberChange(names, old: oldTexts)
    change.become(texts)
    return JSONLayout(self.old, at: element.offset).bytes(of: change.pieces)
  }

  // New items stand where the list has them, as far as the file keeps to its order.
  private func joined(
    _ kept: [(id: ItemID, piece: JSONLayout.Piece)], like template: JSONValue?
  ) -> [JSONLayout.Piece] {
    var indices: [ItemID: Int] = [:]
    for (place, item) in kept.enumerated() { indices[item.id] = place }
    var added: [[JSONLayout.Piece]] = Array(repeating: [], count: kept.count + 1)
    var place = 0
    for item in view.items {
      if let known = indices[item.id] {
        place = known + 1
      } else {
        added[place].append(.new(name: [], text(of: item, like: template)))
      }
    }
    var pieces = added[0]
    for (place, item) in kept.enumerated() { pieces += [item.piece] + added[place + 1] }
    return pieces
  }

  private func text(of item: PlainViewItem, like template: JSONValue?) -> [UInt8] {
    var texts = PlainTexts(item.parts(view.dialect, tripID: view.root.idText))
    guard let template, case .object(let members) = template.content else {
      let layout = JSONLayout(Array("{}".utf8), at: 0)
      return layout.bytes(of: texts.members.map { .new(name: JSONWriter.quoted($0.name), $0.text) })
    }
    let names = members.map { $0.name }
    // The id of the trip says nothing that the file does not.
    if !names.contains(where: { $0.hasSameBytes(as: "tripId") }) { texts.forget("tripId") }
    let layout = JSONLayout(old, at: template.offset)
    return layout.bytes(
      of: texts.ordered(like: names).map { .new(name: JSONWriter.quoted($0.name), $0.text) })
  }
}

/// The members of an object that is to say something else.
private struct MemberChange {
  private var members: [(name: String, piece: JSONLayout.Piece)] = []
  private let old: PlainTexts
  private let isSorted: Bool

  init(_ names: [String], old: PlainTexts) {
    self.old = old
    isSorted = names.risesInBytes
    for (index, name) in names.enumerated() { members.append((name, .old(index, nil))) }
  }

  var pieces: [JSONLayout.Piece] { members.map { $0.piece } }

  mutating func replace(_ name: String, by text: [UInt8]) {
    guard let place = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }),
      case .old(let index, _) = members[place].piece
    else { return }
    members[place].piece = .old(index, text)
  }

  /// Changes the members that say something else.
  mutating func become(_ new: PlainTexts) {
    for member in old.members where new[member.name] == nil {
      members.removeAll { $0.name.hasSameBytes(as: member.name) }
    }
    for (name, text) in new.members where old[name] != text {
      if members.contains(where: { $0.name.hasSameBytes(as: name) }) {
        replace(name, by: text)
      } else {
        members.insert((name, .new(name: JSONWriter.quoted(name), text)), at: place(of: name))
      }
    }
  }

  private func place(of name: String) -> Int {
    // Else before the last one, so that no line gets a comma and nothing else.
    guard isSorted else { return Swift.max(0, members.count - 1) }
    return members.firstIndex { name.precedesInBytes($0.name) } ?? members.count
  }
}

/// The members of an object as a plain file writes them, rising by name.
private struct PlainTexts: Equatable {
  private(set) var members: [(name: String, text: [UInt8])]

  init(_ parts: [PlainPart]) {
    members = parts.map { part in
      var writer = JSONWriter()
      writer.value(of: part)
      return (part.name, writer.bytes)
    }
  }

  subscript(name: String) -> [UInt8]? {
    members.first { $0.name.hasSameBytes(as: name) }?.text
  }

  mutating func forget(_ name: String) { members.removeAll { $0.name.hasSameBytes(as: name) } }

  static func == (left: PlainTexts, right: PlainTexts) -> Bool {
    left.members.count == right.members.count
      && zip(left.members, right.members).allSatisfy {
        $0.name.hasSameBytes(as: $1.name) && $0.text == $1.text
      }
  }

  /// The members in the order that another object has.
  func ordered(like names: [String]) -> [(name: String, text: [UInt8])] {
    guard !names.risesInBytes else { return members }
    let ranks = members.map { member in
      names.firstIndex { $0.hasSameBytes(as: member.name) } ?? names.count
    }
    return members.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { members[$0] }
  }
}

extension [String] {
  /// Whether the bytes of each are less than those of the next.
  fileprivate var risesInBytes: Bool {
    zip(self, dropFirst()).allSatisfy { $0.precedesInBytes($1) }
  }
}

extension JSONWriter {
  /// A text in quotes.
  fileprivate static func quoted(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }
}
