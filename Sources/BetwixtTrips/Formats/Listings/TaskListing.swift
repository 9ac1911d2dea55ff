import Betwixt

/// Tasks as a listing shows them: the inbox, then each date, and on it what is open first.
struct TaskListing {
  /// The tasks of one date.
  struct DateSection {
    /// The date; `nil` for the inbox.
    let date: String?

    /// The open tasks, then the completed ones, each by key.
    let tasks: [ListItem]
  }

  let name: String?
  let sections: [DateSection]

  /// - Complexity: O(*n*)
  init(_ list: ReplicatedList) {
    name = list.metadata[.name]?.string
    sections = list.sections.map { section in
      let tasks = list.indices(inSection: section).map { list[$0] }
      let isInbox = section == TaskList.inbox
      // A stranger may have stored a number that is no date; it is shown as it is.
      let date = CivilDate(dayNumber: section)?.description ?? "day number \(section)"
      return DateSection(
        date: isInbox ? nil : date,
        tasks: tasks.filter { !TaskList.isCompleted($0) }
          + tasks.filter { TaskList.isCompleted($0) }
      )
    }
  }
}
