#!/usr/bin/env python3
"""Makes the table of time zones in Sources/BetwixtTrips/Dates from the IANA time zone database.

    Tests/Scripts/make-zones.py            writes the table
    Tests/Scripts/make-zones.py --check    says whether it would be another one

It reads the compiled zones of the package `tzdata` (PyPI), which says of which version of the
database it is. Of each zone the rule of its last line is taken, and the stretches of time from 2015
to 2100 in which the clock does not follow that rule: zones whose law changed since 2015, and those
that have no rule at all, such as Morocco, which puts its clock back for each Ramadan.
"""

import datetime
import importlib.resources
import pathlib
import struct
import sys

import tzdata

TARGET = pathlib.Path(__file__).parent / "../../Sources/BetwixtTrips/Dates/ZoneTable.swift"
EPOCH = datetime.date(1970, 1, 1).toordinal()
FIRST, LAST = (
    (datetime.date(year, 1, 1).toordinal() - EPOCH) * 86_400 for year in (2015, 2101)
)


class Zone:
    """A compiled zone: the moments at which its clock changes, and the rule for the time after."""

    def __init__(self, data):
        start = self.skip(data, 0, 4)
        counts = self.counts(data, start)
        _, _, _, times, types, names = counts
        place = start + 44
        self.times = struct.unpack(f">{times}q", data[place : place + 8 * times])
        place += 8 * times
        kinds = data[place : place + times]
        place += times
        offsets = [struct.unpack(">i", data[place + 6 * n : place + 6 * n + 4])[0] for n in range(types)]
        self.offsets = [offsets[kind] for kind in kinds]
        self.first = offsets[0]
        self.rule = data[self.skip(data, start, 8) :].decode().strip()

    @staticmethod
    def counts(data, start):
        assert data[start : start + 4] == b"TZif"
        return struct.unpack(">6I", data[start + 20 : start + 44])

    @staticmethod
    def skip(data, start, width):
        utc, standard, leaps, times, types, names = Zone.counts(data, start)
        return start + 44 + times * (width + 1) + types * 6 + names + leaps * (width + 4) + standard + utc

    def offset(self, moment, rule):
        """Seconds ahead of UTC."""
        if not self.times or moment < self.times[0]:
            return self.first
        if moment >= self.times[-1] and self.rule:
            return rule.offset(moment)
        low, high = 0, len(self.times)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.times[middle] <= moment else (low, middle)
        return self.offsets[low]


class Rule:
    """A rule as POSIX writes it."""

    def __init__(self, text):
        self.rest = text
        self.name()
        self.standard = -self.clock()
        self.summer = None
        if self.rest:
            self.name()
            self.summer = self.standard + 3_600 if self.rest[0] == "," else -self.clock()
            self.start, self.end = self.change(), self.change()
        assert not self.rest, text

    def name(self):
        if self.rest[0] == "<":
            self.rest = self.rest[self.rest.index(">") + 1 :]
        else:
            self.rest = self.rest.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    def clock(self):
        length = len(self.rest) - len(self.rest.lstrip("+-0123456789:"))
        text, self.rest = self.rest[:length], self.rest[length:]
        parts = [int(part) for part in text.lstrip("+-").split(":")] + [0, 0]
        seconds = parts[0] * 3_600 + parts[1] * 60 + parts[2]
        return -seconds if text[0] == "-" else seconds

    def change(self):
        text, _, self.rest = self.rest[1:].partition(",")
        self.rest = "," + self.rest if self.rest else ""
        day, _, clock = text.partition("/")
        month, week, weekday = (int(part) for part in day.removeprefix("M").split("."))
        inner = Rule.__new__(Rule)
        inner.rest = clock or "2"
        return month, week, weekday, inner.clock()

    @staticmethod
    def second(change, year):
        month, week, weekday, clock = change
        first = datetime.date(year, month, 1)
        day = first + datetime.timedelta((weekday - first.isoweekday()) % 7 + 7 * (week - 1))
        while day.month != month:
            day -= datetime.timedelta(7)
        return (day.toordinal() - EPOCH) * 86_400 + clock

    def changes(self, year):
        """The moments of a year at which the clock changes."""
        if self.summer is None:
            return None
        return (
            self.second(self.start, year) - self.standard,
            self.second(self.end, year) - self.summer,
        )

    def offset(self, moment):
        if self.summer is None:
            return self.standard
        day = (moment + self.standard) // 86_400
        start, end = self.changes(datetime.date.fromordinal(EPOCH + day).year)
        is_summer = start <= moment < end if start < end else moment < end or start <= moment
        return self.summer if is_summer else self.standard


def exceptions(zone, rule):
    """Stretches in which the clock does not follow the rule: (from, to, offset) in minutes."""
    moments = {FIRST, LAST}
    moments.update(time for time in zone.times if FIRST < time < LAST)
    for year in range(2014, 2102):
        moments.update(time for time in rule.changes(year) or () if FIRST < time < LAST)
    moments = sorted(moments)
    stretches = []
    for start, end in zip(moments, moments[1:]):
        offset = zone.offset(start, rule)
        if offset == rule.offset(start):
            continue
        assert start % 60 == end % 60 == offset % 60 == 0
        if stretches and stretches[-1][1:] == (start // 60, offset // 60):
            stretches[-1] = (stretches[-1][0], end // 60, offset // 60)
        else:
            stretches.append((start // 60, end // 60, offset // 60))
    return tuple(stretches)


def wrapped(words, indent):
    """Words on lines that Swift joins: each but the last ends with a backslash."""
    lines, line = [], indent
    for word in words:
        if len(line) + len(word) > 95 and line != indent:
            lines.append(line + "\\")
            line = indent
        line += word + " "
    return "\n".join(lines + [line.rstrip()])


def table():
    root = importlib.resources.files("tzdata") / "zoneinfo"
    names = importlib.resources.files("tzdata").joinpath("zones").read_text().split()
    rules, irregular = {}, {}
    for name in names:
        zone = Zone(root.joinpath(name).read_bytes())
        # A name without a place, which says that nothing is known.
        if name == "Factory":
            continue
        rules.setdefault(zone.rule, []).append(name)
        stretches = exceptions(zone, Rule(zone.rule))
        if stretches:
            irregular.setdefault(stretches, []).append(name)
    text = [wrapped([rule] + sorted(names), "    ") for rule, names in sorted(rules.items())]
    other = [
        wrapped([f"{start}/{end}/{offset}" for start, end, offset in stretches] + sorted(names), "    ")
        for stretches, names in sorted(irregular.items(), key=lambda pair: sorted(pair[1]))
    ]
    return f'''\
// Made by Tests/Scripts/make-zones.py of version {tzdata.IANA_VERSION} of the database.

/// The clocks of the world's time zones, as the IANA time zone database (public domain) has them.
///
/// The rule of today is that of the last line of each compiled zone. Where a clock did or will not
/// follow it between 2015 and 2100 is listed beside it; what is said of times before may be an hour
/// off. A zone that a calendar brings itself comes first.
enum ZoneTable {{
  /// A rule as POSIX writes it, and the names of the zones that follow it; a line each.
  static let text = """
{chr(10).join(text)}
    """

  /// Stretches of time in which zones follow another clock than that of their rule.
  ///
  /// A line each, with the names of the zones behind them. A stretch is `FROM/TO/OFFSET`: minutes
  /// since 1970 UTC, the end not included, and the minutes that the clock is ahead of UTC.
  static let exceptions = """
{chr(10).join(other)}
    """
}}
'''


def main():
    made = table()
    if "--check" in sys.argv:
        if TARGET.read_text() != made:
            sys.exit(f"{TARGET.resolve()} is of another version than {tzdata.IANA_VERSION}")
        return
    TARGET.write_text(made)


main()
