import Betwixt
import BetwixtSync
import BetwixtWeb
import Foundation
import Testing
import WebPrograms

@testable import BetwixtWebTrips

/// A page drags by events and layouts, and what is dropped is written.
@Suite struct DragDeskTests {
  private func ask(_ desk: inout Desk, _ operation: TripOperation, _ text: String? = nil) -> String
  {
    let request = Request(
      number: operation.rawValue, 1, now: 1_780_000_000_000, random: 5)
    let answer = desk.bridge.answer(request.adding { if let text { $0.append(text: text) } })
    return (answer.first == 0 ? "" : "refused ")
      + String(decoding: answer.dropFirst(), as: UTF8.self)
  }

  private func layout(_ items: [String]) -> String {
    let rows = items.enumerated().map { "[\"\($1)\",\(40 + $0 * 40),\(80 + $0 * 40)]" }
    return """
      {"event":"layout","container":null,"rows":[[1,0,40],\(rows.joined(separator: ","))],\
      "width":300,"viewportHeight":600,"offset":0,"contentHeight":\(40 + 40 * items.count),\
      "tabStrip":null}
      """
  }

  @Test func dropIsWrittenAndTakenBack() throws {
    var desk = try Desk()
    var items: [String] = []
    for (number, title) in ["A", "B", "C"].enumerated() {
      let id = desk.insertOnDayOne(title, random: UInt64(number + 1))
      items.append(Hex.encode(try #require(id)))
    }
    let before = desk.digest
    _ = desk.bridge.answer(
      Request(number: TripOperation.startDrags.rawValue, 1, now: 0, random: 0).bytes + [0])
    _ = ask(&desk, .event, layout(items))
    _ = ask(
      &desk, .event,
      "{\"event\":\"press\",\"row\":\"\(items[0])\",\"input\":\"mouse\",\"point\":[20,60],\"at\":1000}"
    )
    let lifted = ask(&desk, .event, "{\"event\":\"moved\",\"point\":[20,66],\"at\":1010}")
    #expect(lifted.contains("\"dragged\":\"\(items[0])\""))
    _ = ask(&desk, .event, "{\"event\":\"moved\",\"point\":[20,155],\"at\":1020}")
    let dropped = ask(&desk, .event, "{\"event\":\"released\",\"point\":[20,155],\"at\":1030}")
    #expect(dropped.contains("\"effect\":\"commit\""))
    let written = desk.digest
    #expect(written != before)
    let rows = ask(&desk, .rows)
    let order = items.sorted { place(of: $0, in: rows) < place(of: $1, in: rows) }
    #expect(order == [items[1], items[2], items[0]])
    let answered = ask(&desk, .event, layout(order))
    #expect(answered.contains("Dropped A") && answered.contains("\"button\":\"Undo\""))
    let undone = desk.bridge.answer(
      Request(number: TripOperation.toast.rawValue, 1, now: 0, random: 8).adding {
        $0.appendZigzag(2_000)
      })
    #expect(String(decoding: undone, as: UTF8.self).contains("\"effect\":\"turn\""))
    let shown = ask(&desk, .rows)
    #expect(place(of: items[0], in: shown) < place(of: items[1], in: shown))
  }

  /// A step that is gone is not taken back, nor another one that has come to its number.
  @Test func aButtonMeansItsStepAlsoAfterTheClockWasMended() throws {
    var desk = try Desk()
    var items: [String] = []
    for (number, title) in ["A", "B"].enumerated() {
      let id = desk.insertOnDayOne(title, random: UInt64(number + 1))
      items.append(Hex.encode(try #require(id)))
    }
    _ = desk.bridge.answer(
      Request(number: TripOperation.startDrags.rawValue, 1, now: 0, random: 0).bytes + [0])
    _ = ask(&desk, .event, layout(items))
    let removed = ask(&desk, .event, "{\"event\":\"delete\",\"item\":\"\(items[0])\"}")
    #expect(removed.contains("\"effect\":\"commit\""))
    #expect(ask(&desk, .event, layout([items[1]])).contains("\"button\":\"Undo\""))
    // By a clock of ten days before all that is ahead.
    let repaired = desk.bridge.answer(
      Request(.repair, 1, now: 1_780_000_000_000 - 10 * 86_400_000, random: 9).adding {
        $0.appendBigEndian(UInt64(77))
      })
    #expect(repaired.first == 0 && repaired[1] > 0)
    for number in 3...6 { _ = desk.insertOnDayOne("New", random: UInt64(number)) }
    let before = desk.digest
    _ = desk.bridge.answer(
      Request(number: TripOperation.toast.rawValue, 1, now: 0, random: 8).adding {
        $0.appendZigzag(2_000)
      })
    #expect(desk.digest == before)
  }

  /// What reading a file leaves out comes with its list, and a row says where it is stored.
  @Test func filesSayWhatTheyLeaveOut() throws {
    var bridge = TripBridge()
    func file(_ name: String, _ text: String, to bytes: inout [UInt8]) {
      bytes.append(text: name)
      bytes.append(text: text)
    }
    let calendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n"
    let opened = bridge.answer(
      Request(number: TripOperation.open.rawValue, 0, now: 0, random: 0).adding { bytes in
        bytes.appendBigEndian(UInt64(7))
        file("c.ics", calendar, to: &bytes)
      })
    #expect(String(decoding: opened, as: UTF8.self).contains("c.ics:2: skipped: it has no DTSTART"))
    let joined = bridge.answer(
      Request(number: TripOperation.join.rawValue, 0, now: 0, random: 0).adding { bytes in
        bytes.appendBigEndian(UInt64(8))
        bytes += [0, 1]
        file("t.csv", "title,date\nA,1926-01-01\nB,1990-05-05\n", to: &bytes)
      })
    #expect(String(decoding: joined, as: UTF8.self).contains("t.csv:1: 1 × a date outside"))
    let rows = bridge.answer(
      Request(number: TripOperation.rows.rawValue, 2, now: 0, random: 0).bytes)
    #expect(String(decoding: rows, as: UTF8.self).contains(#""title":"B","storedOn":"23501""#))
  }

  /// What the page has not done it cannot say.
  @Test func pagesTellNoCommits() throws {
    var desk = try Desk()
    for line in [
      #"{"event":"committed","commit":1,"at":1}"#, #"{"event":"commitFailed","commit":1,"at":1}"#,
      #"{"event":"nonsense","at":1}"#, "", "[]", #"{"event":"moved","at":1}"#,
    ] {
      let answer = ask(&desk, .event, line)
      #expect(answer.hasPrefix("refused "))
    }
  }

  /// Drags hold a copy of their list, and go with it; where there is no list, none begin.
  @Test func closedListsHaveNoDrags() throws {
    var desk = try Desk()
    let start = TripOperation.startDrags.rawValue
    let started = desk.bridge.answer(Request(number: start, 1, now: 0, random: 0).bytes + [0])
    #expect(started.first == 0)
    let unknown = desk.bridge.answer(Request(number: start, 2, now: 0, random: 0).bytes + [0])
    #expect(unknown.first == 1)
    let refused = desk.bridge.answer(Request(number: start, 1, now: 0, random: 0).bytes)
    #expect(refused.first == 1)
    #expect(desk.bridge.desks.count == 1)
    let closed = desk.bridge.answer(Request(.close, 1, random: 0).bytes)
    #expect(closed.first == 0)
    #expect(desk.bridge.desks.count == 0)
  }

  private func place(of id: String, in rows: String) -> Int {
    rows.range(of: id).map { rows.distance(from: rows.startIndex, to: $0.lowerBound) } ?? -1
  }
}

extension Desk {
  fileprivate mutating func insertOnDayOne(_ title: String, random: UInt64) -> [UInt8]? {
    let answer = bridge.answer(
      Request(.insert, 1, random: random).adding { bytes in
        bytes.append(contentsOf: [1, 2, 1])
        bytes.appendField("title", .string(title))
      })
    return answer.first == 0 ? Array(answer.dropFirst()) : nil
  }
}
