import Betwixt

/// Reads reservations as schema.org describes them, in JSON-LD: what KDE Itinerary exports, and
/// what airlines and hotels put into their mails.
///
/// Shapes learned from the test data of KDE/kitinerary (autotests/calendarhandlerdata) and from
/// <https://schema.org/Reservation>.
struct ReservationReader {
  private var file = ForeignFile(.reservations, in: .trip)
  private var known: Set<ItemID> = []
  private let lines: LineIndex

  static func read(_ value: JSONValue, bytes: [UInt8]) -> ForeignFile {
    var reader = ReservationReader(lines: LineIndex(bytes))
    let all = value.elements ?? value["@graph"]?.elements ?? [value]
    for reservation in all { reader.take(reservation) }
    return reader.file
  }

  private init(lines: LineIndex) { self.lines = lines }

  private mutating func take(_ value: JSONValue) {
    let line = lines.line(of: value.offset)
    let type = ReservationReader.type(of: value)
    guard let kind = ReservationKind(type) else {
      file.notes.append((line, "skipped: “\(type.excerpt)” is no reservation that is known"))
      return
    }
    if (value.text("reservationStatus") ?? "").utf8.suffix(9).elementsEqual("Cancelled".utf8) {
      file.notes.append((line, "skipped: it is cancelled"))
      return
    }
    guard let start = kind.start(of: value) else {
      file.notes.append((line, "skipped: it has no time"))
      // Its time is a part of what it is known by.
      file.hasUnknownSkips = true
      return
    }
    var item = ForeignItem(
      "schema.org", id: identity(value, type: type, start: start.text), line: line)
    guard known.insert(item.id).inserted else {
      file.notes.append((line, "skipped: it stands in the file twice"))
      return
    }
    kind.fill(&item, value: value, from: start.time)
    item.set("reservationNumber", value.text("reservationNumber"))
    item.set("underName", value["underName"]?.text("name"))
    item.set("json:reservation", value.canonicalText)
    file.items.append(item)
  }

  // A reservation has no id of its own; two travellers of one booking are two.
  private func identity(_ value: JSONValue, type: String, start: String) -> String {
    let subject = value["reservationFor"] ?? value
    let parts = [
      type, value.text("reservationNumber"), subject.text("flightNumber"),
      subject.text("trainNumber"), subject.text("busNumber"), subject.text("name"), start,
      value["underName"]?.text("name"),
    ]
    return parts.map { $0 ?? "" }.joined(separator: "\u{0}")
  }

  static func type(of value: JSONValue) -> String {
    let word = value.text("@type") ?? value["@type"]?.elements?.first?.string ?? ""
    return String(word.split(separator: "/").last ?? "")
  }
}

/// What a reservation is for.
enum ReservationKind {
  case journey(mode: String, from: [String], to: [String])
  case lodging
  case meal
  case event
  case car
  case visit

  init?(_ type: String) {
    switch type {
    case "FlightReservation":
      self = .journey(mode: "flight", from: ["departureAirport"], to: ["arrivalAirport"])
    case "TrainReservation":
      self = .journey(mode: "train", from: ["departureStation"], to: ["arrivalStation"])
    case "BusReservation":
      self = .journey(
        mode: "bus", from: ["departureBusStop", "departureStation"],
        to: ["arrivalBusStop", "arrivalStation"])
    case "BoatReservation":
      self = .journey(
        mode: "boat", from: ["departureBoatTerminal"], to: ["arrivalBoatTerminal"])
    case "TaxiReservation":
      self = .journey(mode: "taxi", from: ["pickupLocation"], to: ["dropoffLocation"])
    case "LodgingReservation": self = .lodging
    case "FoodEstablishmentReservation": self = .meal
    case "EventReservation", "Event": self = .event
    case "RentalCarReservation": self = .car
    case "TouristAttractionVisit": self = .visit
    default: return nil
    }
  }

  // The members that hold the start and the end, in the order of preference.
  private var times: (starts: [String], ends: [String]) {
    switch self {
    case .journey: (["departureTime", "pickupTime", "departureDay"], ["arrivalTime"])
    case .lodging: (["checkinTime", "checkinDate"], ["checkoutTime", "checkoutDate"])
    case .meal: (["startTime"], ["endTime"])
    case .event: (["startDate", "doorTime"], ["endDate"])
    case .car: (["pickupTime"], ["dropoffTime"])
    case .visit: (["arrivalTime"], ["departureTime"])
    }
  }

  /// When it starts, and how the file says so.
  func start(of value: JSONValue) -> (time: ISOTime, text: String)? {
    ReservationKind.time(times.starts, in: value)
  }

  private static func time(
    _ names: [String], in value: JSONValue
  ) -> (time: ISOTime, text: String)? {
    for name in names {
      for owner in [value, value["reservationFor"]] {
        // A time with a zone is an object around the text.
        let text = owner?.text(name) ?? owner?[name]?.text("@value")
        if let text, let time = ISOTime(text) { return (time, text) }
      }
    }
    return nil
  }

  func fill(_ item: inout ForeignItem, value: JSONValue, from start: ISOTime) {
    let subject = value["reservationFor"] ?? value["touristAttraction"] ?? value
    item.date = start.date
    item.set(.time, start.clock?.description)
    item.number = start.clock.map { Double(100 + $0.minuteOfDay) } ?? -1
    if let end = ReservationKind.time(times.ends, in: value)?.time,
      let minutes = ISOTime.minutes(from: start, to: end)
    {
      item.fields[.duration] = .some(.int64(minutes))
    }
    var place: JSONValue? = subject
    switch self {
    case .journey(let mode, let from, let to):
      place = from.compactMap { subject[$0] ?? value[$0] }.first
      let goal = to.compactMap { subject[$0] ?? value[$0] }.first
      item.set(.kind, "travel")
      item.set(.mode, mode)
      item.set(.from, place.flatMap { ReservationKind.placeName($0) })
      item.set(.to, goal.flatMap { ReservationKind.placeName($0) })
      item.set(.title, ReservationKind.title(of: subject, item: item))
    case .event:
      place = subject["location"]
      item.set(.kind, "custom")
      item.set(.title, subject.text("name"))
    case .car:
      place = value["pickupLocation"]
      item.set(.kind, "custom")
      let company = subject["rentalCompany"]?.text("name") ?? value["provider"]?.text("name")
      item.set(.title, company.map { "Rental car: \($0)" } ?? "Rental car")
    case .lodging, .meal, .visit:
      item.set(.kind, "custom")
      item.set(.title, subject.text("name"))
    }
    item.setPlace(place, isTravel: (item.fields[.kind] ?? nil) == "travel")
  }

  private static func placeName(_ place: JSONValue) -> String? {
    place.text("name") ?? place.text("iataCode") ?? place["address"]?.text("addressLocality")
  }

  /// The number of the journey and its route: `LH 123 Berlin → Paris`.
  private static func title(of subject: JSONValue, item: ForeignItem) -> String? {
    let carrier = subject["airline"]?.text("iataCode") ?? subject["airline"]?.text("name")
    let number =
      subject.text("flightNumber") ?? subject.text("trainNumber") ?? subject.text("busNumber")
    let name = subject.text("trainName") ?? subject.text("busName")
    let words = [carrier, name, number].compactMap { $0 }
    let ends = [FieldName.from, .to].map { (item.fields[$0] ?? nil)?.string ?? "?" }
    return words.isEmpty ? nil : words.joined(separator: " ") + " " + ends.joined(separator: " → ")
  }
}

extension ForeignItem {
  /// Takes where a place is.
  fileprivate mutating func setPlace(_ place: JSONValue?, isTravel: Bool) {
    guard let place else { return }
    setPoint(
      place["geo"]?.decimal("latitude") ?? place.decimal("latitude"),
      longitude: place["geo"]?.decimal("longitude") ?? place.decimal("longitude"))
    guard !isTravel else { return }
    if let text = place.text("address") {
      set(.address, text)
    } else if let address = place["address"] {
      let town = [address.text("postalCode"), address.text("addressLocality")].compactMap { $0 }
      let parts = [
        address.text("streetAddress"), town.isEmpty ? nil : town.joined(separator: " "),
        address.text("addressCountry"),
      ]
      set(.address, parts.compactMap { $0 }.joined(separator: ", "))
    }
  }

  /// Takes coordinates, if they are both there and both in range.
  mutating func setPoint(_ latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, (-90.0...90.0).contains(latitude),
      (-180.0...180.0).contains(longitude)
    else { return }
    fields[.latitude] = .some(.double(latitude))
    fields[.longitude] = .some(.double(longitude))
  }
}

/// Which line a byte of a text stands on.
struct LineIndex {
  private var starts: [Int] = [0]

  init(_ bytes: [UInt8]) {
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(index + 1)
    }
  }

  /// The number of the line, counted from 1.
  func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
