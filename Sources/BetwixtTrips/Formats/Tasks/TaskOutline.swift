import Betwixt

/// Tasks as an outline: projects, the tasks of each, and under a task its parts.
struct TaskOutline {
  struct Entry {
    let item: ListItem
    /// 0 for a task that is no part of another.
    let depth: Int
  }

  struct Project {
    /// `nil` for tasks of no project.
    let name: String?
    var entries: [Entry] = []
  }

  private(set) var projects: [Project] = []

  /// - Complexity: O(*n*)
  init(_ list: ReplicatedList) {
    let (roots, children) = TaskOutline.tree(of: list)
    // By the bytes: names that only look alike are two.
    var indices: [[UInt8]: Int] = [:]
    projects.append(Project(name: nil))
    for root in roots {
      let name = root.words(.project)
      var index = 0
      if let name {
        index = indices[Array(name.utf8)] ?? projects.count
        if index == projects.count { projects.append(Project(name: name)) }
        indices[Array(name.utf8)] = index
      }
      // Parts of parts, without a call for each level: a hostile list can have any number.
      var open = [Entry(item: root, depth: 0)]
      while let entry = open.popLast() {
        projects[index].entries.append(entry)
        for child in (children[entry.item.id] ?? []).reversed() {
          open.append(Entry(item: child, depth: entry.depth + 1))
        }
      }
    }
    if projects[0].entries.isEmpty { projects.removeFirst() }
  }

  /// The tasks that are no parts of others, and the parts of each, in the order of the list.
  ///
  /// - Complexity: O(*n*)
  static func tree(of list: ReplicatedList) -> (roots: [ListItem], children: [ItemID: [ListItem]]) {
    var children: [ItemID: [ListItem]] = [:]
    var roots: [ListItem] = []
    for item in list {
      if let parent = TaskOutline.parent(of: item, in: list) {
        children[parent, default: []].append(item)
      } else {
        roots.append(item)
      }
    }
    return (roots, children)
  }

  /// The task that an item is a part of, unless that leads round in a circle.
  static func parent(of item: ListItem, in list: ReplicatedList) -> ItemID? {
    guard let parent = item.words(.parent).flatMap({ ItemID(uuid: $0) }), list.contains(id: parent)
    else { return nil }
    var next: ItemID? = parent
    for _ in 0..<TaskOutline.maximumDepth {
      guard let id = next, id != item.id else { break }
      next = list[id: id]?.words(.parent).flatMap { ItemID(uuid: $0) }
        .flatMap { list.contains(id: $0) ? $0 : nil }
    }
    return next == nil ? parent : nil
  }

  /// The deepest that tasks are shown in one another.
  static let maximumDepth = 16

  /// How far a line of an outline is indented, in levels; a tab and four spaces are a level each,
  /// and so are two spaces in Markdown.
  static func indent(_ bytes: ArraySlice<UInt8>) -> (width: Int, rest: ArraySlice<UInt8>) {
    var width = 0
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 {
      width += first == 0x09 ? 4 : 1
      rest.removeFirst()
    }
    return (width, rest)
  }
}

/// The lines of a note in a format of lines.
struct NoteLines {
  /// The lines; blank ones only between two others.
  let lines: [String]

  /// Whether blank lines at the start or the end were left out.
  let isCut: Bool

  init(_ note: String) {
    var lines = note.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let count = lines.count
    while lines.first?.isEmpty ?? false { lines.removeFirst() }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    self.lines = lines.map { String($0) }
    isCut = !note.isEmpty && self.lines.count != count
  }
}

/// Finds the task that one further in is a part of.
struct OutlineStack {
  private var open: [(width: Int, id: ItemID)] = []

  /// The task that one at a width is a part of; the task itself is open from now on.
  mutating func parent(at width: Int, opening id: ItemID) -> ItemID? {
    while let last = open.last, last.width >= width { open.removeLast() }
    if open.count >= TaskOutline.maximumDepth { open.removeLast() }
    defer { open.append((width, id)) }
    return open.last?.id
  }

  /// How far the innermost open task is in.
  var innermost: Int? { open.last?.width }

  /// The innermost open task.
  var innermostID: ItemID? { open.last?.id }

  mutating func close() { open = [] }
}
