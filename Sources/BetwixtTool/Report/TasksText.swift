import Betwixt
import BetwixtTrips

/// Draws a list of tasks date by date: the inbox first, and on each date what is done last.
///
/// No day is "today" here: the command reads no clock.
struct TasksText {
  private let tasks: TaskList

  init(_ tasks: TaskList) { self.tasks = tasks }

  /// The whole list for a person.
  func text(_ style: TextStyle) -> String {
    var text = style.bold((tasks.list.metadata[.name]?.string ?? "Tasks").printable) + "\n"
    for section in tasks.list.sections {
      text += "\n" + style.bold(date(of: section) ?? "Inbox") + "\n"
      for task in shown(section) {
        let isDone = tasks.isCompleted(task.id)
        let line = "\(isDone ? "[x]" : "[ ]") \(task.summary.printable)"
        text += "  " + (isDone ? style.faint(line) : line) + "\n"
      }
    }
    return text
  }

  /// One JSON object per row for a program, with the members of a trip's rows where they fit.
  var jsonLines: String {
    var text = ""
    for section in tasks.list.sections {
      text += row("header", section: section).text
      for task in shown(section) {
        var line = row("item", section: section)
        line.add("id", task.id.uuid)
        if let foreignID = task[.foreignID]?.string { line.add("foreignId", foreignID) }
        line.add("title", task.summary)
        if let state = task[.state]?.string { line.add("state", state) }
        if let key = task.key { line.add("sortOrder", key.approximateSortOrder) }
        text += line.text
      }
    }
    return text
  }

  private func row(_ kind: String, section: Int64) -> JSONLine {
    var line = JSONLine()
    if let date = date(of: section) { line.add("scheduledDate", date) }
    line.add("row", kind)
    return line
  }

  /// The tasks of a section, open ones first.
  private func shown(_ section: Int64) -> [ListItem] {
    let items = tasks.list.indices(inSection: section).map { tasks.list[$0] }
    return items.filter { !tasks.isCompleted($0.id) } + items.filter { tasks.isCompleted($0.id) }
  }

  private func date(of section: Int64) -> String? {
    if section == TaskList.inbox { return nil }
    // A stranger may have stored a number that is no date; it is shown as it is.
    return CivilDate(dayNumber: section)?.description ?? "day number \(section)"
  }
}
