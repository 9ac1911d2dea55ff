import Betwixt
import BetwixtTrips

/// The groups of tasks that one tab shows.
///
/// Open and completed tasks are shown apart, so a gap's neighbours are of the moved task's class.
struct TaskStage: Sendable {
  let tasks: TaskList
  let tab: TaskTab
  let today: CivilDate?
  /// Whether the task was lifted in another tab: then later days take it at tomorrow only.
  let isVisitor: Bool
  /// Its rows, once they have been listed: there the tasks of a class stand side by side.
  var listed: ListedRows?

  var list: ReplicatedList { tasks.list }

  private var tomorrow: Int64? { today.flatMap { $0 + 1 }?.dayNumber }

  var sectionBounds: (first: Int64, last: Int64)? {
    switch tab {
    case .inbox: return (TaskList.inbox, TaskList.inbox)
    case .today: return today.map { ($0.dayNumber, $0.dayNumber) }
    case .upcoming:
      guard let tomorrow else { return nil }
      guard !isVisitor else { return (tomorrow, tomorrow) }
      let first = section(after: tomorrow - 1) ?? tomorrow
      return (first, section(before: CivilDate.max.dayNumber + 1) ?? tomorrow)
    case .analytics: return nil
    }
  }

  func allows(_ section: Int64) -> Bool {
    switch tab {
    case .inbox: section == TaskList.inbox
    case .today: section == today?.dayNumber
    case .upcoming:
      if isVisitor {
        section == tomorrow
      } else {
        tomorrow.map { $0 <= section } ?? false && CivilDate(dayNumber: section) != nil
      }
    case .analytics: false
    }
  }

  /// Whether a section is a day that has passed: its open tasks stand above those of today, and
  /// nothing is dropped there.
  func isOverdue(_ section: Int64) -> Bool {
    tab == .today && section != TaskList.inbox && today.map { section < $0.dayNumber } ?? false
  }

  /// Every row, top to bottom: heads only where there are several groups.
  ///
  /// - Complexity: O(*k* log *n*) for *k* tasks shown
  var rows: [RowRef] {
    func items(_ tasks: some Sequence<ItemID>) -> [RowRef] { tasks.map { .item($0) } }
    switch tab {
    case .inbox: return items(tasks.group(of: nil, today: today ?? .min).tasks)
    case .today:
      guard let today else { return [] }
      var rows: [RowRef] = []
      for group in tasks.groups(.overdue, today: today) where group.openCount > 0 {
        if let date = group.date { rows.append(.header(day: date.dayNumber)) }
        rows += items(group.tasks.prefix(group.openCount))
      }
      if !rows.isEmpty { rows.append(.header(day: today.dayNumber)) }
      return rows + items(tasks.group(of: today, today: today).tasks)
    case .upcoming:
      guard let today else { return [] }
      return tasks.groups(.upcoming, today: today).flatMap { group in
        (group.date.map { [RowRef.header(day: $0.dayNumber)] } ?? []) + items(group.tasks)
      }
    case .analytics: return []
    }
  }

  func gap(of id: ItemID) -> Gap? {
    guard let index = list.index(id: id), let section = section(of: id) else { return nil }
    let completed = tasks.isCompleted(id)
    return Gap(
      day: section,
      above: neighbour(index - 1, step: -1, completed: completed, section: section, moved: id),
      below: neighbour(index + 1, step: 1, completed: completed, section: section, moved: id))
  }

  func resolve(_ gap: Gap, moving id: ItemID?) -> Gap? {
    guard let bounds = sectionBounds else { return nil }
    if tab == .upcoming, isVisitor, gap.day != bounds.first {
      return endGap(of: bounds.first, moving: id)
    }
    if isOverdue(gap.day) {
      return resolve(Gap(day: bounds.first, above: nil, below: nil), moving: id)
    }
    guard allows(gap.day) else { return nil }
    let completed = id.map { tasks.isCompleted($0) } ?? false
    let upper = place(of: gap.above, in: gap.day, moving: id)
    let lower = place(of: gap.below, in: gap.day, moving: id)
    if let upper, isCompleted(upper) == completed {
      let below = neighbour(upper + 1, step: 1, completed: completed, section: gap.day, moved: id)
      return Gap(day: gap.day, above: gap.above, below: below)
    }
    if let lower, isCompleted(lower) == completed {
      let above = neighbour(lower - 1, step: -1, completed: completed, section: gap.day, moved: id)
      return Gap(day: gap.day, above: above, below: gap.below)
    }
    // Among completed tasks an open one goes to the end of the open ones.
    if !completed, upper != nil || lower != nil { return endGap(of: gap.day, moving: id) }
    let first = list.indices(inSection: gap.day).lowerBound
    return Gap(
      day: gap.day, above: nil,
      below: neighbour(first, step: 1, completed: completed, section: gap.day, moved: id))
  }

  func endGap(of section: Int64, moving id: ItemID?) -> Gap {
    let completed = id.map { tasks.isCompleted($0) } ?? false
    let last = list.indices(inSection: section).upperBound - 1
    return Gap(
      day: section,
      above: neighbour(last, step: -1, completed: completed, section: section, moved: id),
      below: nil)
  }

  func section(before section: Int64) -> Int64? {
    guard tab == .upcoming else { return nil }
    let index = list.indices(inSection: section).lowerBound - 1
    guard index >= 0, let found = list[index].section, allows(found) else { return nil }
    return found
  }

  func section(after section: Int64) -> Int64? {
    if isOverdue(section) { return today?.dayNumber }
    guard tab == .upcoming else { return nil }
    let index = list.indices(inSection: section).upperBound
    guard index < list.count, let found = list[index].section, allows(found) else { return nil }
    return found
  }

  func substitute(for id: ItemID, moving moved: ItemID?) -> Gap? {
    guard let section = list[id: id]?.section, isOverdue(section) else { return nil }
    return resolve(Gap(day: section, above: nil, below: nil), moving: moved)
  }

  func name(of section: Int64) -> SectionName {
    guard let date = CivilDate(dayNumber: section) else { return .group(TaskTab.inbox.title) }
    if section == today?.dayNumber { return .group(TaskTab.today.title) }
    return .group(section == tomorrow ? "Tomorrow" : date.description)
  }

  func place(of id: ItemID) -> ListPlace? {
    guard let section = section(of: id) else { return nil }
    let group = tasks.group(of: CivilDate(dayNumber: section), today: today ?? .min)
    let shown = isOverdue(section) ? group.tasks.prefix(group.openCount) : group.tasks[...]
    guard let index = shown.firstIndex(of: id) else { return nil }
    return ListPlace(position: index + 1, count: shown.count, section: name(of: section))
  }
}

extension TaskStage {
  private func section(of id: ItemID) -> Int64? { list[id: id]?.section }

  /// The nearest task of a class from a place on, in one direction.
  ///
  /// - Complexity: O(log *k* · log *n*) once the *k* rows are listed, O(*k*) else
  private func neighbour(
    _ start: Int, step: Int, completed: Bool, section: Int64, moved: ItemID?
  ) -> ItemID? {
    if let listed, allows(section) {
      let run = run(completed: completed, section: section, in: listed.refs)
      let beyond = start + (step > 0 ? 0 : 1)
      let index =
        run.lowerBound
        + partitioningIndex(below: run.count) {
          place(of: listed.refs[run.lowerBound + $0]) >= beyond
        }
      var next = step > 0 ? index : index - 1
      if run.contains(next), listed.refs[next].item == moved { next += step }
      return run.contains(next) ? listed.refs[next].item : nil
    }
    let places = list.indices(inSection: section)
    var index = start
    while places.contains(index) {
      let id = list[index].id
      if id != moved, tasks.isCompleted(id) == completed { return id }
      index += step
    }
    return nil
  }

  /// Where the tasks of a section and a class stand among the listed rows.
  private func run(completed: Bool, section: Int64, in rows: [RowRef]) -> Range<Int> {
    let start = rows.partitioningIndex { self.section(of: $0) >= section }
    let end = rows.partitioningIndex { self.section(of: $0) > section }
    let first = start < end && rows[start].item == nil ? start + 1 : start
    let firstCompleted =
      first
      + partitioningIndex(below: end - first) {
        rows[first + $0].item.map { tasks.isCompleted($0) } ?? false
      }
    return completed ? firstCompleted..<end : first..<firstCompleted
  }

  private func section(of ref: RowRef) -> Int64 {
    switch ref {
    case .header(let day): day
    case .item(let id): section(of: id) ?? .max
    }
  }

  private func place(of ref: RowRef) -> Int { ref.item.flatMap { list.index(id: $0) } ?? -1 }

  private func place(of id: ItemID?, in section: Int64, moving moved: ItemID?) -> Int? {
    guard let id, id != moved, let index = list.index(id: id), list[index].section == section
    else { return nil }
    return index
  }

  private func isCompleted(_ index: Int) -> Bool { tasks.isCompleted(list[index].id) }
}
