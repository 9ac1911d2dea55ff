import Betwixt
import BetwixtTrips
import Foundation

/// What comes back of each file beside the tests when it is taken in, written in its own format
/// (or as plain JSON, where that is not written), and taken in again.
struct RoundTripReport {
  /// One file.
  struct Entry {
    let path: String
    let format: DocumentFormat
    let written: DocumentFormat
    let itemCount: Int
    /// Lines of the file that are not in what was written, for formats of lines.
    let missing: [String]
    /// Fields that are not as they were, by item and name.
    let changed: [(item: ItemID, field: String)]
    /// Items that did not come back.
    let gone: [ItemID]
    let omissions: [Omission]
    let notes: [String]
  }

  let entries: [Entry]

  static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Resources/formats")
  }

  static func paths() throws -> [String] {
    let shapes = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var paths: [String] = []
    for shape in shapes where !shape.contains(".") {
      let folder = folder.appendingPathComponent(shape)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        paths.append("\(shape)/\(name)")
      }
    }
    return paths.sorted()
  }

  init() throws {
    entries = try RoundTripReport.paths().map { try RoundTripReport.entry($0) }
  }

  private static func entry(_ path: String) throws -> Entry {
    let bytes = try Resources.bytes("formats/\(path)")
    let source = try TripFile(decoding: bytes, name: path)
    let first = try TripImport(source)
    let written = source.format.isWritten ? source.format : .json
    let file = try first.list.encoded(as: written)
    var options = ReadingOptions()
    options.format = file.format
    let again = try TripImport(TripFile(decoding: file.bytes, name: path, options: options)).list
    var gone: [ItemID] = []
    var changed: [(item: ItemID, field: String)] = []
    for item in first.list {
      guard let other = again[id: item.id], other.isVisible else {
        gone.append(item.id)
        continue
      }
      changed += differences(item, other).map { (item.id, $0) }
    }
    return Entry(
      path: path, format: source.format, written: written, itemCount: first.list.count,
      missing: source.format == written ? missing(bytes, file.bytes) : [], changed: changed,
      gone: gone, omissions: file.omissions, notes: first.notes)
  }

  private static func differences(_ old: ListItem, _ new: ListItem) -> [String] {
    let bookkeeping: Set<FieldName> = ["icsUid", "icsSequence", "icsModified", "foreignId"]
    var names: [String] = old.section == new.section ? [] : ["day"]
    let fields = Set(old.fields.map { $0.name } + new.fields.map { $0.name })
    for name in fields.sorted() where !bookkeeping.contains(name) && old[name] != new[name] {
      names.append(name.text)
    }
    return names
  }

  private static func missing(_ old: [UInt8], _ new: [UInt8]) -> [String] {
    // What says who wrote a file and when is the writer's.
    let own = ["DTSTAMP", "LAST-MODIFIED", "PRODID", "SEQUENCE:0"]
    var left: [String: Int] = [:]
    for line in Calendars.unfolded(new) {
      left[line.trimmingCharacters(in: .whitespaces), default: 0] += 1
    }
    var missing: [String] = []
    for line in Calendars.unfolded(old) {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !own.contains(where: { line.hasPrefix($0) }) else { continue }
      if let count = left[line], count > 0 {
        left[line] = count - 1
      } else {
        missing.append(line)
      }
    }
    return missing
  }

  /// The report as Markdown.
  var text: String {
    var text = """
      # What comes back

      Made by `RoundTripReportTests` of the files beside it: each is taken in, written in its own
      format (as plain JSON where that is only read), and taken in again. An item comes back if it
      has its identity, its day and every field. Lines are those of the file that the written one
      has in another form; `BETWIXT_UPDATE=1 swift test --filter RoundTripReport` makes it anew.

      | file | format | written as | items | came back | lines in another form | not written, named | not taken, named |
      |---|---|---|--:|--:|---|---|---|

      """
    for entry in entries {
      let broken = Set(entry.changed.map { $0.item } + entry.gone)
      let cells = [
        entry.path, entry.format.title, entry.written.title, "\(entry.itemCount)",
        "\(entry.itemCount - broken.count)", shortened(entry.missing),
        Omission.summary(entry.omissions) ?? "",
        entry.notes.map { note in
          String(note.dropFirst(entry.path.count + 1))
        }.joined(separator: "; "),
      ]
      text +=
        "| "
        + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }
        .joined(separator: " | ") + " |\n"
    }
    let items = entries.map { $0.itemCount }.reduce(0, +)
    let broken = entries.map { Set($0.changed.map { $0.item } + $0.gone).count }.reduce(0, +)
    return text + "\n\(entries.count) files, \(items) items, \(items - broken) came back whole.\n"
  }

  private func shortened(_ lines: [String]) -> String {
    let shown = lines.prefix(3).map { "`" + $0.prefix(60).replacing("`", with: "'") + "`" }
    return shown.joined(separator: ", ") + (lines.count > 3 ? " and \(lines.count - 3) more" : "")
  }
}
