/// Reads dates and times of fixed form from the front of a text.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// What was not read yet.
  var remainder: String { String(Substring(rest)) }

  /// Takes one character if it is the one given.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next = rest.first, UInt32(next) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes exactly so many digits.
  mutating func number(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Takes `YYYY-MM-DD`.
  mutating func date() -> CivilDate? {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Takes `HH:MM`.
  mutating func clock() -> ClockTime? {
    guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2) else {
      return nil
    }
    return ClockTime(hour: hour, minute: minute)
  }

  /// Takes `:SS`, with a fraction if there is one, as milliseconds.
  mutating func seconds() -> Int? {
    guard take(":"), let seconds = number(digits: 2), seconds < 60 else { return nil }
    guard take(".") else { return seconds * 1_000 }
    var milliseconds = 0
    var digits = 0
    while let digit = digit() {
      if digits < 3 { milliseconds = milliseconds * 10 + digit }
      digits += 1
    }
    guard digits > 0 else { return nil }
    while digits < 3 {
      milliseconds *= 10
      digits += 1
    }
    return seconds * 1_000 + milliseconds
  }

  /// Takes `Z` or `±HH:MM`, as minutes that the clock is ahead of UTC.
  mutating func offset() -> Int? {
    if take("Z") { return 0 }
    let isBehind: Bool
    if take("-") {
      isBehind = true
    } else if take("+") {
      isBehind = false
    } else {
      return nil
    }
    guard let clock = clock() else { return nil }
    return isBehind ? -clock.minuteOfDay : clock.minuteOfDay
  }

  private mutating func digit() -> Int? {
    guard let next = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else {
      return nil
    }
    rest.removeFirst()
    return Int(next) - 48
  }
}

/// A number of at least so many digits.
func padded(_ number: Int, to count: Int) -> String {
  let digits = String(number)
  let missing = count - digits.utf8.count
  return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
}
