/// A small trip in plain JSON, and copies of it that were edited apart.
enum SampleTrip {
  /// Three days: a game between two items, a leg, an empty day.
  static let base = trip(items: [museum(), game, dinner(), leg])

  /// Renames the museum and adds a market.
  static let phone = trip(items: [
    museum(title: "Museum of Pop Culture", modifiedAt: "2026-05-02T10:00:00Z"), game, dinner(),
    leg, market,
  ])

  /// Moves the museum to day 3, gives it a time, and deletes dinner.
  static let tablet = trip(items: [
    museum(day: 3, time: "10:30", modifiedAt: "2026-05-02T11:00:00Z"), game, leg,
  ])

  /// Renames the museum too, later.
  static let laptop = trip(items: [
    museum(title: "Closed museum", modifiedAt: "2026-05-02T12:00:00Z"), game, dinner(), leg,
  ])

  static let game = """
    {"id":"wc-1","kind":"game","day":1,"sortOrder":820.0,"home":"USA","away":"Turkey",\
    "start":"2026-06-13T12:00-07:00","city":"Seattle","venue":"Lumen Field",\
    "modifiedAt":"2026-05-01T00:00:00Z"}
    """

  static let leg = """
    {"id":"33333333-3333-4333-8333-333333333333","kind":"travel","day":2,"sortOrder":1.0,\
    "from":"Seattle","to":"Vancouver","distanceKm":195.6,"durationMin":175,"mode":"car",\
    "time":"09:30","modifiedAt":"2026-05-01T00:00:00Z"}
    """

  /// Tasks, one of them in the inbox and one done.
  static let tasks = """
    {"format":"betwixt-tasks","id":"77777777-7777-4777-8777-777777777777","name":"To do","tasks":[
    {"id":"a1111111-1111-4111-8111-111111111111","text":"Ask about tickets","sortOrder":0},
    {"id":"a2222222-2222-4222-8222-222222222222","text":"Book the hotel","sortOrder":0,
     "scheduledDate":"2026-02-13","state":"completed"},
    {"id":"a3333333-3333-4333-8333-333333333333","text":"Pack","sortOrder":1,
     "scheduledDate":"2026-02-13","state":"active"}
    ]}

    """

  private static let market = """
    {"id":"44444444-4444-4444-8444-444444444444","kind":"custom","day":2,"sortOrder":2.0,\
    "title":"Pike Place Market","modifiedAt":"2026-05-02T10:05:00Z"}
    """

  static func trip(items: [String], days: Int = 3) -> String {
    """
    {"id":"55555555-5555-4555-8555-555555555555","name":"North west","startDate":"2026-06-13",
    "days":\(days),"modifiedAt":"2026-05-01T00:00:00Z","items":[
    \(items.joined(separator: ",\n"))
    ]}

    """
  }

  static func museum(
    title: String = "Museum", day: Int = 1, time: String? = nil,
    modifiedAt: String = "2026-05-01T00:00:00Z"
  ) -> String {
    let time = time.map { ",\"time\":\"\($0)\"" } ?? ""
    return """
      {"id":"11111111-1111-4111-8111-111111111111","kind":"custom","day":\(day),\
      "sortOrder":-1.0,"title":"\(title)","modifiedAt":"\(modifiedAt)"\(time)}
      """
  }

  static func dinner(day: Int = 1) -> String {
    """
    {"id":"22222222-2222-4222-8222-222222222222","day":\(day),"sortOrder":821.0,\
    "title":"Dinner","note":"Booked","modifiedAt":"2026-05-01T00:00:00Z"}
    """
  }
}
