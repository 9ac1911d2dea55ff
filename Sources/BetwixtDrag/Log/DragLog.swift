public import BetwixtTrips

/// Sessions as files of JSON Lines, so that a bug report is a file.
///
/// The first line names the format, each other line is one event in the order in which the engine
/// was told. Telling a new engine the same events gives the same effects.
///
///     print(DragLog.header)
///     print(DragLog.line(for: event))
///     let events = try DragLog.events(bytes, file: "session.jsonl")
public enum DragLog {
  private static let format = "betwixt-drag-log"
  private static let version: Int64 = 1

  /// The first line of a log, without its line break.
  public static var header: String {
    LogValue.object([("format", .text(format)), ("version", .integer(version))]).line
  }

  /// Whether a file that begins so is a log.
  package static func isLog(_ start: [UInt8]) -> Bool { start.starts(with: header.utf8) }

  /// The line of an event, without its line break.
  ///
  /// - Complexity: O(*n*) for a document or layout of *n* rows
  public static func line(for event: DragEvent) -> String { event.logValue.line }

  /// The line of an effect, without its line break.
  ///
  /// - Parameters:
  ///   - effect: What the engine answered.
  ///   - line: The line of the event in its log, from 1.
  /// - Returns: The text.
  public static func line(for effect: DragEffect, answering line: Int) -> String {
    LogValue.object([("line", .integer(line))] + effect.logMembers).line
  }

  /// The line of an effect alone, without its line break.
  ///
  ///     DragLog.line(for: .ticks(true))  // {"effect":"ticks","on":true}
  ///
  /// - Parameter effect: What the engine answered.
  /// - Returns: The text.
  public static func line(for effect: DragEffect) -> String {
    LogValue.object(effect.logMembers).line
  }

  /// Reads the line of an event.
  ///
  ///     let event = try DragLog.event(Array(DragLog.line(for: event).utf8), file: "page")
  ///
  /// - Parameters:
  ///   - line: The line, without its line break.
  ///   - file: A name for errors.
  /// - Returns: The event.
  /// - Throws: `DocumentFailure` if the line is none of an event.
  /// - Complexity: O(*n*) for *n* bytes
  public static func event(_ line: [UInt8], file: String) throws(DocumentFailure) -> DragEvent {
    do throws(TextProblem) {
      return try DragEvent(try LogReader(try JSONScanner.scan(line)))
    } catch {
      throw DocumentFailure(file: file, bytes: line, problem: error)
    }
  }

  /// The word that a log has for an event.
  public static func name(of event: DragEvent) -> String {
    if case .members(_, let values) = event.logValue, case .string(let name)? = values.first {
      name
    } else {
      ""
    }
  }

  /// An effect for a person to read: its word, and what belongs to it.
  public static func summary(of effect: DragEffect) -> String {
    let members = effect.logMembers
    guard case .string(let name)? = members.first?.1 else { return "" }
    return members.dropFirst().reduce(into: name) { $0 += " \($1.0)=\($1.1.line)" }
  }

  /// The events of a log, with the line of each, from 1.
  ///
  /// - Parameters:
  ///   - bytes: The whole log.
  ///   - file: Its name, for errors.
  /// - Returns: The events in order.
  /// - Throws: `DocumentFailure` for the first line that is none of a log.
  /// - Complexity: O(*n*) for *n* bytes
  public static func events(
    _ bytes: [UInt8], file: String
  ) throws(DocumentFailure) -> [(line: Int, event: DragEvent)] {
    var events: [(line: Int, event: DragEvent)] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard line.contains(where: { $0 != 0x20 && $0 != 0x0d }) else { continue }
      let text = Array(line)
      do throws(TextProblem) {
        let reader = try LogReader(try JSONScanner.scan(text))
        if number == 1 {
          try reader.checkHeader(format, version: version)
        } else {
          events.append((number, try DragEvent(reader)))
        }
      } catch {
        var failure = DocumentFailure(file: file, bytes: text, problem: error)
        if case .text(_, let column) = failure.place {
          failure.place = .text(line: number, column: column)
        }
        throw failure
      }
    }
    return events
  }
}
