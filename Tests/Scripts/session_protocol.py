"""Conversations, written from the articles "The sync protocol" and "Byte format" alone: a second
implementation that talks to `betwixt sync --stdio`.

It never claims more than it must, says everything that the protocol asks for, and is slow.
"""
import hashlib, os, subprocess

import block_format as form

HELLO, OPEN, DELTA, ACK, RANGES, WANT, REFUSED, CREDIT, PING, PONG, END, ERROR = range(1, 13)
VERSION = 0x0D
CRITICAL, LAST = 1, 2
USES_CREDIT = {DELTA, RANGES, WANT, REFUSED, VERSION}
GREAT_VERSION, GREAT_FLOOR, VERSION_ROWS = 60 << 10, 2 << 10, 3_000
FILL, PER_ENTRY, PER_REGISTER, LIST_LIMIT, FAN_OUT = 63_488, 64, 257, 32, 16


class Refused(Exception):
    """The other side ended with ERROR."""


def tag(number, value):
    return bytes([number]) + form.fixed(len(value), 2) + value


def tags(payload):
    reader, found = form.Reader(payload), {}
    while reader.rest:
        number = reader.byte()
        form.need(not found or number > max(found), "tags rise")
        found[number] = reader.take(reader.fixed(2))
    return found


def encode_version(version):
    return form.varint(len(version)) + b"".join(
        form.fixed(replica, 8) + form.varint(number) for replica, number in sorted(version.items()))


def decode_version(reader):
    version = {}
    for _ in range(reader.varint()):
        replica = reader.fixed(8)
        form.need(not version or replica > max(version), "version")
        version[replica] = reader.varint()
    return version


def name_of(address, entry):
    (item, register) = address
    digest = hashlib.sha256(form.canonical(item, register, entry)).digest()
    return digest


class Peer:
    """One side, with entries and a version of its own."""

    def __init__(self, list_id, entries, version, nonce, replica=None, asks=False, floor=None):
        self.list, self.entries, self.version = list_id, dict(entries), dict(version)
        self.floor = dict(floor or {})
        self.nonce, self.replica, self.asks = nonce, replica, asks
        self.out, self.seed, self.number = [], form.crc32c(form.STREAM), 0
        self.credit = self.refused_count = self.taken = 0
        self.types, self.refused, self.has_acked = [], {}, False

    @property
    def digest(self):
        """Of all but the registers of refused writes, which this side never replaces here."""
        return form.digest({
            address: entry for address, entry in self.entries.items()
            if address not in self.refused})

    # Frames

    def say(self, kind, payload=b"", flags=CRITICAL):
        head = form.fixed(len(payload), 4) + bytes([kind, flags]) + bytes(2)
        head += form.fixed(self.number, 4)
        check = form.crc32c(head, self.seed)
        self.seed = form.crc32c(payload, check)
        self.number += 1
        if kind in USES_CREDIT:
            self.credit -= len(payload) + 20
        self.write(head + form.fixed(check, 4) + payload + form.fixed(self.seed, 4))

    def write(self, data):
        try:
            self.pipe.stdin.write(data)
            self.pipe.stdin.flush()
        except BrokenPipeError:
            pass  # Why the other side has gone is in what it said.

    def hear(self):
        """The next frame that is not about credit or signs of life."""
        while True:
            start = self.pipe.stdout.read(16)
            form.need(len(start) == 16, "the stream ends")
            size = int.from_bytes(start[:4], "big")
            reader = form.Reader(start + self.pipe.stdout.read(size + 4))
            kind, flags, payload, self.their_seed = form.decode_frame(
                reader, self.their_seed, self.their_number)
            self.their_number += 1
            self.types.append(kind)
            if kind in USES_CREDIT:
                self.grant(len(payload) + 20)
            if kind == CREDIT:
                self.credit += form.Reader(payload).varint()
            elif kind == PING:
                self.say(PONG, flags=0)
            elif kind == ERROR:
                raise Refused(payload[0], payload[1:].decode())
            else:
                return kind, flags, payload

    def grant(self, count):
        self.taken += count
        if self.taken > 1 << 18:
            self.say(CREDIT, form.varint(self.taken))
            self.taken = 0

    # A conversation

    def run(self, command, environment):
        self.pipe = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        try:
            self.write(form.STREAM)
            self.hello()
            form.need(self.pipe.stdout.read(8) == form.STREAM, "the other side's preamble")
            self.their_seed, self.their_number = form.crc32c(form.STREAM), 0
            self.greet()
            self.round()
            self.say(END, bytes.fromhex(self.digest))
            kind, _, payload = self.hear()
            form.need(kind == END, f"frame {kind} in place of END")
            form.need(payload.hex() in ("", self.digest), "the digest of END")
        finally:
            try:
                self.pipe.stdin.close()
            except BrokenPipeError:
                pass
            self.messages = self.pipe.stderr.read().decode()
            self.pipe.stdout.close()
            self.pipe.stderr.close()
            self.code = self.pipe.wait()

    def hello(self):
        self.say(HELLO, b"".join([
            tag(1, b"\1\1"), tag(2, b"\1\1"), tag(5, form.varint(1 << 20)),
            tag(6, form.varint(1 << 20)), tag(7, self.nonce), tag(8, self.list),
            tag(9, b"second implementation"), tag(0x50, b"of later")]))
        self.my_digest = form.digest(self.entries)
        opening = tag(1, form.varint(0)) + tag(2, bytes.fromhex(self.my_digest))
        opening += tag(3, form.varint(len(self.entries)))
        version = encode_version(self.version)
        is_great = len(version) > GREAT_VERSION
        if not is_great:
            opening += tag(4, version)
        if self.asks:
            opening += tag(5, b"\1")
        if self.replica is not None:
            opening += tag(6, form.fixed(self.replica, 8))
        if is_great:
            opening += tag(7, b"\1")
        floor = encode_version(self.floor)
        if len(floor) > GREAT_FLOOR:
            opening += tag(9, b"\1")
        elif self.floor:
            opening += tag(8, floor)
        self.say(OPEN, opening)
        if is_great:
            self.say_rows(self.version)
        if len(floor) > GREAT_FLOOR:
            self.say_rows(self.floor)

    def say_rows(self, version):
        """A version or a floor that follows in frames."""
        rows = sorted(version.items())
        for start in range(0, len(rows), VERSION_ROWS):
            is_last = start + VERSION_ROWS >= len(rows)
            part = dict(rows[start:start + VERSION_ROWS])
            self.say(VERSION, encode_version(part), CRITICAL | (LAST if is_last else 0))

    def greet(self):
        kind, _, payload = self.hear()
        form.need(kind == HELLO, "HELLO comes first")
        theirs = tags(payload)
        form.need(theirs[8] == self.list, "the list")
        form.need({1, 2, 5, 6, 7, 8} <= set(theirs), "obligatory tags of HELLO")
        self.credit += min(1 << 20, form.Reader(theirs[6]).varint())
        self.speaks_first = self.nonce < theirs[7]
        kind, _, payload = self.hear()
        form.need(kind == OPEN, "OPEN comes second")
        opening = tags(payload)
        form.need({1, 2, 3} <= set(opening), "obligatory tags of OPEN")
        self.their_digest, self.they_ask = opening[2].hex(), opening.get(5) == b"\1"
        self.their_version = decode_version(form.Reader(opening[4])) if 4 in opening else None
        if opening.get(7) == b"\1":
            form.need(4 not in opening, "a version is said once")
            self.their_version = self.rows()
        theirs = decode_version(form.Reader(opening[8])) if 8 in opening else {}
        form.need(8 not in opening or theirs, "an empty floor")
        if opening.get(9) == b"\1":
            form.need(8 not in opening, "a floor is said once")
            theirs = self.rows()
        # From here on what is left under both floors counts.
        self.floor = form.join_floors(self.floor, theirs)
        form.forget(self.entries, self.floor)

    def rows(self):
        """A version or a floor that follows in frames."""
        rows, flags = {}, 0
        while not flags & LAST:
            kind, flags, payload = self.hear()
            form.need(kind == VERSION, "VERSION follows OPEN")
            part = decode_version(form.Reader(payload))
            form.need(part and min(part) > max(rows, default=-1), "rising")
            rows.update(part)
        return rows

    def round(self):
        said = self.their_version
        if self.their_digest == self.my_digest:
            self.claim(said)
            return
        if self.asks or self.they_ask or self.their_version is None:
            self.compare()
        else:
            known = self.their_version
            news = {address for address, entry in self.entries.items() if entry[2] > known.get(entry[1], 0)}
            # What a restored item holds may be forgotten there.
            whole = {item for item, register in news if self.floor and register == form.LIFE and int.from_bytes(
                self.entries[(item, register)][3], "big") > 2}
            self.exchange({
                address: entry for address, entry in self.entries.items()
                if address in news or address[0] in whole})
        if self.ack_digest != self.digest:
            self.compare()
            form.need(self.ack_digest == self.digest, "the lists differ")
        if not self.refused:
            self.claim(said)

    def claim(self, version):
        for replica, number in (version or {}).items():
            self.version[replica] = max(self.version.get(replica, 0), number)

    # Entries to and fro

    def frames(self, wanted):
        rows = sorted(wanted.items(), key=lambda row: (row[1][1], row[1][2]))
        frame, size, names = {}, 0, set()
        for address, entry in rows:
            more = len(entry[3]) + PER_ENTRY
            register = address[1]
            if register not in (form.LIFE, form.POSITION) and register not in names:
                more += PER_REGISTER
            if frame and size + more > FILL:
                yield frame, False
                frame, size, names = {}, 0, set()
                more = len(entry[3]) + PER_ENTRY + (
                    PER_REGISTER if register not in (form.LIFE, form.POSITION) else 0)
            frame[address] = entry
            size += more
            names.add(register)
        yield frame, True

    def exchange(self, wanted):
        """Sends what the other side lacks, takes what it sends, and hears its ACK."""
        for frame, is_last in self.frames(wanted):
            block = form.encode_block(form.DELTA, self.list, frame, [])
            self.say(DELTA, block, CRITICAL | (LAST if is_last else 0))
        self.has_acked, self.ack_digest = False, None
        while not self.has_acked or self.ack_digest is None:
            kind, flags, payload = self.hear()
            if kind == DELTA:
                block = form.decode_block(payload)
                form.need(block["list"] == self.list, "the list of a frame")
                form.need(
                    not block["ranges"] and not block["knowledge"] and not block["floor"],
                    "claims in DELTA")
                form.join(self.entries, block["entries"], self.floor)
                if flags & LAST:
                    self.has_acked = True
                    self.acknowledge()
            elif kind == REFUSED:
                self.take_refused(payload)
            else:
                form.need(kind == ACK, f"frame {kind} in place of ACK")
                reader = form.Reader(payload)
                self.ack_digest = reader.take(32).hex()
                reader.varint()
                form.need(not reader.rest, "the end of ACK")

    def acknowledge(self):
        self.say(ACK, bytes.fromhex(self.digest) + form.varint(self.refused_count))

    def take_refused(self, payload):
        reader = form.Reader(payload)
        deferred = reader.byte()
        reason = reader.take(reader.byte()).decode()
        refused = form.decode_block(reader.take(reader.fixed(4)))
        self.refused_count += 1
        for address in refused["entries"]:
            self.refused[address] = (deferred, reason)
        # An acknowledgement that has not seen every refusal does not count.
        if self.has_acked:
            self.acknowledge()

    # Comparing contents

    def compare(self):
        self.order = sorted(
            (form.fixed(entry[1], 8) + form.fixed(entry[2], 8) + name_of(address, entry)[:16],
             int.from_bytes(name_of(address, entry), "big"), address)
            for address, entry in self.entries.items())
        self.lacking, self.wanted = set(), {}
        if self.speaks_first:
            self.say(RANGES, self.split(0, len(self.order), b"", count=True))
        is_open, has_asked, was_asked = True, False, False
        while not (has_asked and was_asked):
            kind, flags, payload = self.hear()
            if kind == WANT:
                self.note(payload)
                was_asked = bool(flags & LAST)
                continue
            form.need(kind == RANGES and is_open, f"frame {kind} in place of RANGES")
            answer, is_open = self.answer(payload)
            if answer is not None:
                self.say(RANGES, answer)
            if not is_open:
                has_asked = True
                self.say(WANT, b"".join(sorted(self.lacking)), CRITICAL | LAST)
        self.their_version = None
        self.exchange(self.wanted)

    def place(self, bound):
        return sum(1 for key, _, _ in self.order if key < bound.ljust(32, b"\0"))

    def fingerprint(self, start, end):
        total = sum(number for _, number, _ in self.order[start:end]) % (1 << 256)
        return hashlib.sha256(form.fixed(end - start, 8) + form.fixed(total, 32)).digest()[:16]

    def bound(self, place):
        before, key = self.order[place - 1][0], self.order[place][0]
        count = next(n for n in range(1, 33) if key[:n].ljust(32, b"\0") > before)
        return key[:count].rstrip(b"\0")

    def split(self, start, end, upper, count=False):
        closing = bytes([len(upper)]) + upper
        if end - start <= LIST_LIMIT:
            names = b"".join(key[16:] for key, _, _ in self.order[start:end])
            ranges = [closing + bytes([2 + end - start]) + names]
        else:
            ranges, first = [], start
            for part in range(1, FAN_OUT + 1):
                last = start + (end - start) * part // FAN_OUT
                bound = closing
                if part < FAN_OUT:
                    edge = self.bound(last)
                    bound = bytes([len(edge)]) + edge
                ranges.append(bound + b"\1" + self.fingerprint(first, last))
                first = last
        return form.varint(len(ranges)) + b"".join(ranges) if count else ranges

    def answer(self, payload):
        """The answer, and whether anything is open after it."""
        reader, ranges, start, heard = form.Reader(payload), [], 0, False
        for _ in range(reader.varint()):
            upper = reader.take(reader.byte())
            end = self.place(upper) if upper else len(self.order)
            kind = reader.byte()
            skip = bytes([len(upper)]) + upper + b"\0"
            heard = heard or kind != 0
            if kind == 1:
                theirs = reader.take(16)
                if theirs != self.fingerprint(start, end):
                    ranges += self.split(start, end, upper)
                    kind = None
            elif kind >= 2:
                theirs = {reader.take(16) for _ in range(kind - 2)}
                mine = {key[16:]: address for key, _, address in self.order[start:end]}
                self.lacking |= theirs - set(mine)
                for name in set(mine) - theirs:
                    self.wanted[mine[name]] = self.entries[mine[name]]
            if kind is not None:
                # What there is nothing to say of is one range, however many come together.
                if ranges and ranges[-1][1 + ranges[-1][0]] == 0:
                    ranges.pop()
                ranges.append(skip)
            start = end
        form.need(reader.rest == 0, "trailing")
        if not heard:
            return None, False
        is_open = any(part[1 + part[0]] != 0 for part in ranges)
        return form.varint(len(ranges)) + b"".join(ranges), is_open

    def note(self, payload):
        by_name = {key[16:]: address for key, _, address in self.order}
        for place in range(0, len(payload), 16):
            address = by_name.get(payload[place:place + 16])
            if address:
                self.wanted[address] = self.entries[address]
