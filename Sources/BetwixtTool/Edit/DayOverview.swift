import Betwixt
import BetwixtDrag
import BetwixtTrips

/// All days of a trip, a line each, to look at and to go to one.
///
///     Day 1, Thu 2026-06-11   3  Museum, Game A, Bus
struct DayOverview: Sendable {
  private var days: [(day: Int64, text: String)] = []
  private(set) var chosen = 0

  /// Shows a trip, with a day chosen.
  init(_ trip: Trip, at day: Int64) {
    update(trip)
    chosen = days.firstIndex { $0.day >= day } ?? max(0, days.count - 1)
  }

  /// The day that is chosen.
  var day: Int64? { days.indices.contains(chosen) ? days[chosen].day : nil }

  /// Goes up or down by so many days, as far as there are some.
  mutating func go(by count: Int) {
    chosen = max(0, min(chosen + count, days.count - 1))
  }

  /// Shows the trip as it is now.
  mutating func update(_ trip: Trip) {
    var titles: [String] = []
    var heading: (day: Int64, text: String)?
    let chosenDay = day
    var all: [(day: Int64, text: String)] = []
    func finish() {
      guard let heading else { return }
      let count = titles.count.description
      let room = String(repeating: " ", count: max(1, 5 - count.count))
      let words = titles.joined(separator: ", ")
      all.append((heading.day, heading.text.fitted(to: 24) + room + count + "  " + words))
    }
    for row in trip.rows {
      switch row {
      case .header(let day, let date):
        finish()
        titles = []
        heading = (day, ItineraryText.heading(day, date: date))
      case .item(let id, _, _): titles.append(trip.list[id: id]?.summary ?? "")
      }
    }
    finish()
    days = all
    if let chosenDay { chosen = days.firstIndex { $0.day >= chosenDay } ?? days.count - 1 }
    chosen = max(0, min(chosen, days.count - 1))
  }

  /// As many lines as there is room for, the chosen day among them.
  func lines(_ height: Int) -> [(text: String, isChosen: Bool)] {
    let start = max(0, min(chosen - height / 2, days.count - height))
    return (start..<start + height).map { place in
      days.indices.contains(place) ? (days[place].text, place == chosen) : ("", false)
    }
  }
}

extension EditHost {
  /// The day on which the chosen row stands.
  var dayOfChosen: Int64 {
    switch chosen {
    case .header(let day)?: day
    case .item(let id)?: trip.list[id: id]?.section ?? 1
    case nil: 1
    }
  }
}
