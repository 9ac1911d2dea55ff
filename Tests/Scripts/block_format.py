"""Blocks, seals, frames and document files, written from the articles "Byte format" and "Document
files" alone: a second implementation, to see that the articles are exact and that both agree.

It is strict where the articles are, and slow.
"""
import hashlib

SEAL = bytes.fromhex("894254420D0A1A0A")
STREAM = bytes.fromhex("894254530D0A1A0A")
DOCUMENT = bytes.fromhex("894254440D0A1A0A")
LIFE, POSITION, FIELD = (0, b""), (1, b""), 2
FLOOR = 0x0100
SNAPSHOT, DELTA, EXPORT, SEGMENT, FOLDER_SNAPSHOT = 1, 2, 3, 4, 5


class Malformed(Exception):
    pass


def need(condition, reason):
    if not condition:
        raise Malformed(reason)


# Numbers

def varint(number):
    output = bytearray()
    while number >= 0x80:
        output.append(number & 0x7F | 0x80)
        number >>= 7
    output.append(number)
    return bytes(output)


def zigzag(number):
    return varint(2 * number if number >= 0 else -2 * number - 1)


def fixed(number, count):
    return number.to_bytes(count, "big")


def signed64(number):
    return number - (1 << 64) if number >> 63 else number


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    @property
    def rest(self):
        return len(self.data) - self.place

    def take(self, count):
        need(0 <= count <= self.rest, "truncated")
        self.place += count
        return self.data[self.place - count:self.place]

    def byte(self):
        return self.take(1)[0]

    def fixed(self, count):
        return int.from_bytes(self.take(count), "big")

    def varint(self):
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            need(shift <= 70 and number < 1 << 64, "long number")
            if byte < 0x80:
                need(byte or shift == 7, "long number")
                return number

    def zigzag(self):
        code = self.varint()
        return code >> 1 if code & 1 == 0 else -(code >> 1) - 1

    def below63(self):
        number = self.varint()
        need(number < 1 << 63, "bad number")
        return number

    def row(self, rows):
        number = self.varint()
        need(number < len(rows), "bad index")
        return number


def need_rising(values, reason="bad order"):
    need(all(a < b for a, b in zip(values, values[1:])), reason)


# Sort keys

def take_number(reader):
    """A number of a key: digits of seven bits, the last one with an even byte and not 0."""
    digits = bytearray()
    while True:
        digits.append(reader.byte())
        if digits[-1] & 1 == 0:
            need(digits[-1] != 0, "zero digit")
            return bytes(digits)


def take_counter(reader):
    start = reader.data[reader.place:reader.place + 2]
    need(start, "truncated")
    head = int.from_bytes((start + b"\0")[:2], "big")
    if start[0] < 0x80:
        head ^= 0xFFFF
    count = next((n for n in range(1, 10) if not head >> (15 - n) & 1), 9)
    return reader.take(count)


def counter_code(counter):
    magnitude = counter if counter >= 0 else ~counter
    count = next((n for n in range(1, 9) if magnitude < 1 << (7 * n - 1)), 9)
    ones = (1 << count) - 1
    bits = ones << (8 * count - count) | magnitude
    if counter < 0:
        bits ^= (1 << 8 * count) - 1
    return fixed(bits, count)


def complete(stem, author, counter):
    """The key of a stem whose last step is an author's with a counter."""
    reader = Reader(stem)
    zone, above = "top", None
    while True:
        take_number(reader)
        if not reader.rest:
            break
        if zone == "top":
            above = reader.fixed(8)
        elif zone == "before" and reader.byte() == 1:
            other = reader.fixed(8)
            need(other != above, "long author")
            above = other
        take_counter(reader)
        zone = {0: "before", 2: "after"}[reader.byte()]
    key = stem
    if zone == "top":
        key += fixed(author, 8)
    elif zone == "before":
        key += b"\0" if author == above else b"\1" + fixed(author, 8)
    else:
        need(author == above, "bad key")
    key += counter_code(counter) + b"\1"
    need(len(key) <= 1024, "too long")
    return key


OPENING = b"\xc0"  # the number of a node that a head names
NODE, AFTER, SHORT = 4, 8, 16  # the bits of such a head, above those of the form


def is_short(counter, rest, form):
    """Whether what follows the counter of a node that the head names is left out."""
    return len(counter) > 1 and rest == OPENING and form != WRITTEN


def read_key(reader, names, form):
    """The stem that is read behind a head of that form, or the whole key without its end."""
    head = reader.varint()
    need(head & 3 == form, "form")
    if not head & NODE:
        return unpack_key(Reader(reader.take(head >> 3)), names, form == WRITTEN)
    link, zone = (b"\2", "after") if head & AFTER else (b"\0", "before")
    inner = reader if head & SHORT else Reader(reader.take(reader.varint()))
    if head >> 5:
        need(head >> 5 <= len(names), "bad index")
        node = OPENING + fixed(names[(head >> 5) - 1], 8)
    else:
        node = OPENING + inner.take(8)
        author = int.from_bytes(node[1:], "big")
        need(author not in names, "long id")
        names.append(author)
    counter = take_counter(inner)
    if head & SHORT:
        need(is_short(counter, OPENING, form), "a head that is no node's")
        return node + counter + link + OPENING
    need(not is_short(counter, inner.data[inner.place:], form), "a longer head")
    return unpack_key(inner, names, form == WRITTEN, node + counter + link, zone)


def unpack_key(reader, names, is_whole, stem=b"", zone="top"):
    """The stem that was packed, or the whole key without its end."""
    above = stem[1:9] or None
    while True:
        number = take_number(reader)
        stem += number
        if not is_whole and not reader.rest:
            return stem
        if zone != "after":
            code = reader.varint()
            need(code or zone == "before", "bad key")
            if zone == "before":
                stem += b"\1" if code else b"\0"
            if code == 1:
                stem += reader.take(8)
                author = int.from_bytes(stem[-8:], "big")
                need(author not in names, "long id")
                names.append(author)
            elif code:
                need(code - 2 < len(names), "bad index")
                stem += fixed(names[code - 2], 8)
            if code:
                need(stem[-8:] != above, "long author")
                above = stem[-8:]
        is_top = zone == "top"
        stem += take_counter(reader)
        if is_whole and not reader.rest:
            return stem
        need(not (is_top and number == OPENING), "a node without its head")
        link = reader.take(1)
        need(link in (b"\0", b"\2"), "bad key")
        stem += link
        zone = "before" if link == b"\0" else "after"


def pack_key(key, names, form):
    """The packed stem of a key behind its head, or all of it but the end."""
    reader, packed, zone, is_whole = Reader(key), b"", "top", form == WRITTEN
    node = None
    while True:
        number = take_number(reader)
        packed += number
        author = None
        if zone == "top":
            author = reader.fixed(8)
        elif zone == "before" and reader.byte() == 1:
            author = reader.fixed(8)
        counter = take_counter(reader)
        link = reader.take(1)
        is_last = link == b"\1"
        need(not is_last or not reader.rest, "trailing")
        if is_last and not is_whole:
            break
        if zone == "top" and not is_last and number == OPENING:
            row = names.index(author) + 1 if author in names else 0
            node, packed = (row, (b"" if row else fixed(author, 8)), counter, link), b""
            if not row:
                names.append(author)
            zone = "before" if link == b"\0" else "after"
            continue
        if zone != "after":
            if author is None:
                packed += varint(0)
            elif author in names:
                packed += varint(names.index(author) + 2)
            else:
                packed += varint(1) + fixed(author, 8)
                names.append(author)
        packed += counter
        if is_last:
            break
        packed += link
        zone = "before" if link == b"\0" else "after"
    if node is None:
        return varint(len(packed) << 3 | form) + packed
    row, full, counter, link = node
    head = row << 5 | NODE | form | (0 if link == b"\0" else AFTER)
    if is_short(counter, packed, form):
        return varint(head | SHORT) + full + counter
    packed = full + counter + packed
    return varint(head) + varint(len(packed)) + packed


# Entries: (item, register) -> (time, replica, sequence, canonical value)

WRITTEN = 3  # the form of a key that says its last author and counter itself


def ties(item, replica, sequence):
    return [(replica, sequence), (replica, -sequence), (item >> 64, signed64(item & (1 << 64) - 1))]


def canonical(item, register, entry):
    time, replica, sequence, value = entry
    kind, name = register
    return (fixed(item, 16) + bytes([kind, len(name)]) + name + fixed(time, 8) + fixed(replica, 8)
            + fixed(sequence, 8) + fixed(len(value), 4) + value)


def digest(entries):
    total = sum(
        int.from_bytes(hashlib.sha256(canonical(item, register, entry)).digest(), "big")
        for (item, register), entry in entries.items())
    return hashlib.sha256(
        b"betwixt list 1\0" + fixed(len(entries), 8) + fixed(total % (1 << 256), 32)).hexdigest()


def join(entries, others, floor=None):
    """Of two writes of one register the greater one stays; what the floor takes goes before."""
    if floor:
        forget(entries, floor)
        others = dict(others)
        forget(others, floor)
        lives = {address: entry for address, entry in others.items() if address[1] == LIFE}
        join(entries, lives)
        forget(entries, floor)
    for address, entry in others.items():
        if floor and address[1] != LIFE and is_forgotten(entries, address[0], floor) and is_below(entry, floor):
            continue
        present = entries.get(address)
        if present is None or order(address[1], entry) > order(address[1], present):
            entries[address] = entry


def is_below(entry, floor):
    return entry[2] <= floor.get(entry[1], 0)


def is_forgotten(entries, item, floor):
    """Whether an item was removed at or below a floor."""
    life = entries.get((item, LIFE))
    return item != 0 and life is not None and life[3][-1] % 2 == 0 and is_below(life, floor)


def forget(entries, floor):
    """Brings entries into the normal form under a floor."""
    for address in list(entries):
        if address[1] != LIFE and is_below(entries[address], floor) and is_forgotten(entries, address[0], floor):
            del entries[address]


def join_floors(floor, other):
    return {replica: max(floor.get(replica, 0), other.get(replica, 0)) for replica in {*floor, *other}}


def order(register, entry):
    time, replica, sequence, value = entry
    length = value if register == LIFE else b""
    return (length, time, replica, value, sequence)


def join_ranges(version, ranges):
    for replica, after, through in ranges:
        if after <= version.get(replica, 0) < through:
            version[replica] = through


# Blocks

def decode_block(data):
    """Everything that a block says, or `Malformed`."""
    reader = Reader(data)
    need(reader.byte() == 1, "version")
    kind = reader.byte()
    need(1 <= kind <= 5, "critical content")
    flags = reader.fixed(2)
    need(flags in (0, FLOOR), "flags")
    block = {"kind": kind, "list": reader.take(16), "heads": None, "knowledge": [], "floor": []}
    replicas = [reader.fixed(8) for _ in range(reader.varint())]
    need_rising(replicas)
    block["ranges"] = []
    for _ in range(reader.varint()):
        replica, after = replicas[reader.row(replicas)], reader.below63()
        through = after + reader.below63()
        need(after < through < 1 << 63 and (kind == DELTA or after == 0), "bad range")
        block["ranges"].append((replica, after, through))
    for (r, _, through), (s, after, _) in zip(block["ranges"], block["ranges"][1:]):
        need(r < s or r == s and through < after, "bad order")
    if kind in (DELTA, SEGMENT):
        for _ in range(reader.varint()):
            block["knowledge"].append(
                (replicas[reader.row(replicas)], reader.below63(), reader.below63()))
        need(all(row[1] or row[2] for row in block["knowledge"]), "empty knowledge")
        need_rising([row[0] for row in block["knowledge"]])
    if flags & FLOOR:
        block["floor"] = [
            (replicas[reader.row(replicas)], reader.below63()) for _ in range(reader.varint())]
        need(block["floor"] and all(number for _, number in block["floor"]), "empty floor")
        need_rising([row[0] for row in block["floor"]])
    if kind in (SEGMENT, FOLDER_SNAPSHOT):
        own = (reader.fixed(8), reader.below63())
        heads = [
            (reader.fixed(8), reader.below63(), reader.take(32)) for _ in range(reader.varint())]
        need_rising([head[0] for head in heads])
        block["heads"] = (own, heads)
    registers = []
    for _ in range(reader.varint()):
        register_kind = reader.byte()
        registers.append((register_kind, reader.take(reader.byte())))
        registers[-1][1].decode("utf-8")
        need(2 <= register_kind < 0x80 and (register_kind != 2 or registers[-1][1]), "register")
    need_rising(registers)
    block["entries"] = decode_items(reader, replicas, registers)
    need(not reader.rest, "trailing")
    used = {entry[1] for entry in block["entries"].values()}
    used |= {row[0] for row in block["ranges"] + block["knowledge"] + block["floor"]}
    need(set(replicas) == used, "a replica that is not used")
    need(set(registers) == {r for _, r in block["entries"]} - {LIFE, POSITION}, "registers")
    return block


def id_form(item, last_item, replicas):
    """How an id is written: a difference, a row of replicas, a family and a number, or whole."""
    half, number = item >> 64, item & (1 << 64) - 1
    if last_item is not None and half == last_item >> 64 and item - last_item < 1 << 62:
        return varint(2 * (item - last_item) + 1)
    if half in replicas:
        return varint(2 * replicas.index(half) + 4) + varint(number)
    if number < 1 << 56:
        return varint(2) + fixed(half, 8) + varint(number)
    return varint(0) + fixed(item, 16)


def number_of(item):
    """The second half of an id, if it may be the number of the write that made the item."""
    number = item & (1 << 64) - 1
    return number if 0 < number < 1 << 56 else None


def decode_items(reader, replicas, registers):
    # Behind the replicas stand the authors of keys that came in full.
    names = list(replicas)
    entries, sequences = {}, {}
    item = last_item = None
    replica, base, section = 0, 0, 0
    item_count, entry_count = reader.varint(), reader.varint()
    for _ in range(item_count):
        start = reader.place
        code = reader.varint()
        if code & 1:
            need(last_item is not None, "bad index")
            need((last_item & (1 << 64) - 1) + (code >> 1) < 1 << 64, "bad number")
            item = last_item + (code >> 1)
        elif code == 0:
            item = reader.fixed(16)
        elif code == 2:
            item = reader.fixed(8) << 64 | reader.varint()
        else:
            need(code // 2 - 2 < len(replicas), "bad index")
            item = replicas[code // 2 - 2] << 64 | reader.varint()
        need(last_item is None or item > last_item, "bad order")
        need(reader.data[start:reader.place] == id_form(item, last_item, replicas), "long id")
        last_item = item
        last_code, birth = -1, None
        while True:
            head = reader.byte()
            need(head < 0x80, "reserved")
            number = head & 7
            if number == 7:
                number += reader.varint()
            need(last_code < number < len(registers) + 2, "bad order")
            last_code = number
            if not head & 0x10:
                row = reader.row(replicas)
                need(row != replica, "bad number")
                replica = row
            need(replica < len(replicas), "bad index")
            stamp = base if head & 0x20 else decode_time(reader, base)
            key = (replica, head & 7)
            before = birth[1] if birth and birth[0] == replica else sequences.get(key, 0)
            if number == 0 and number_of(item):
                before = number_of(item) - 1
            sequence = before + reader.zigzag() + 1
            need(0 < sequence < 1 << 63, "bad number")
            sequences[key] = sequence
            if number == 0:
                birth = (replica, sequence)
            if number == 0 or not birth:
                base = stamp
            writer = replicas[replica]
            if number == 0:
                need(not head & 0x40, "reserved")
                register, value = LIFE, fixed(reader.below63(), 8)
                need(value != bytes(8), "bad number")
            elif number == 1:
                if not head & 0x40:
                    new = reader.zigzag()
                    need(new != section, "bad number")
                    section = new
                register = POSITION
                value = fixed(section + (1 << 63), 8)
                value += decode_key(reader, names, item, writer, sequence)
            else:
                register = registers[number - 2]
                value = decode_value(reader, register, head & 0x40)
            entries[(item, register)] = (stamp, writer, sequence, value)
            if head & 8:
                break
    need(len(entries) == entry_count, "bad number")
    return entries


def decode_time(reader, base):
    code = reader.varint()
    step = max(0, code - 3) >> 1
    milliseconds = (base >> 16) + (step >> 1 if step & 1 == 0 else -(step >> 1) - 1)
    need(0 <= milliseconds < 1 << 47, "bad number")
    if code < 5:
        low = (0, None, 1, 2, 3)[code]
        if low is None:
            low = reader.varint()
            need(low > 3, "bad number")
    else:
        low = reader.varint() if code - 3 & 1 else 0
        need(bool(low) == bool(code - 3 & 1), "bad number")
    need(low < 1 << 16 and milliseconds << 16 | low != base, "bad number")
    return milliseconds << 16 | low


def encode_time(stamp, base):
    step, low = (stamp >> 16) - (base >> 16), stamp & 0xFFFF
    if step == 0:
        return varint(low + 1 if low else 0) if low <= 3 else varint(1) + varint(low)
    step = 2 * step if step >= 0 else -2 * step - 1
    return varint(2 * step + 3 + (1 if low else 0)) + (varint(low) if low else b"")


def decode_key(reader, names, item, writer, sequence):
    form = reader.data[reader.place] & 3 if reader.rest else 0
    stem = read_key(reader, names, form)
    choices = ties(item, writer, sequence)
    if form < WRITTEN:
        need(choices.index(choices[form]) == form, "a lesser form")
        return complete(stem, *choices[form])
    key = stem + b"\1"
    need(len(key) <= 1024, "too long")
    need(lesser_form(key, choices) is None, "a lesser form")
    return key


def decode_value(reader, register, is_text):
    payload = reader.take(reader.varint())
    if register[0] != FIELD:
        need(not is_text, "reserved")
        return payload
    if is_text:
        payload.decode("utf-8")
        need(payload, "bad value")
        return b"\5" + payload
    need(payload and payload[0] < 0x80, "critical content")
    tag, rest = payload[0], payload[1:]
    if tag <= 2 or tag == 5:
        need(not rest, "bad value")
    elif tag == 3:
        inner = Reader(rest)
        number = inner.zigzag()
        need(not inner.rest, "bad value")
        return b"\3" + fixed(number + (1 << 63), 8)
    elif tag == 4:
        need(len(rest) == 8, "bad value")
    return payload


def encode_block(kind, list_id, entries, ranges, knowledge=(), heads=None, floor=()):
    used = {entry[1] for entry in entries.values()}
    used |= {row[0] for row in [*ranges, *knowledge, *floor]}
    items = sorted({item for item, _ in entries})
    replicas = sorted(used)
    registers = sorted({register for _, register in entries} - {LIFE, POSITION})
    output = bytes([1, kind]) + fixed(FLOOR if floor else 0, 2) + list_id
    output += varint(len(replicas)) + b"".join(fixed(number, 8) for number in replicas)
    output += varint(len(ranges))
    for replica, after, through in sorted(ranges):
        output += varint(replicas.index(replica)) + varint(after) + varint(through - after)
    if kind in (DELTA, SEGMENT):
        output += varint(len(knowledge))
        for replica, needed, further in sorted(knowledge):
            output += varint(replicas.index(replica)) + varint(needed) + varint(further)
    if floor:
        output += varint(len(floor))
        for replica, number in sorted(floor):
            output += varint(replicas.index(replica)) + varint(number)
    if heads:
        (directory, ordinal), others = heads
        output += fixed(directory, 8) + varint(ordinal) + varint(len(others))
        for other, number, name in others:
            output += fixed(other, 8) + varint(number) + name
    output += varint(len(registers))
    for register_kind, name in registers:
        output += bytes([register_kind, len(name)]) + name
    output += varint(len(items)) + varint(len(entries))
    return output + encode_items(entries, items, replicas, registers)


def encode_items(entries, items, replicas, registers):
    output, sequences, names = bytearray(), {}, list(replicas)
    last_item, replica, base, section = None, 0, 0, 0
    codes = {LIFE: 0, POSITION: 1} | {register: n + 2 for n, register in enumerate(registers)}
    by_item = {}
    for (item, register), entry in entries.items():
        by_item.setdefault(item, []).append((codes[register], register, entry))
    for item in items:
        output += id_form(item, last_item, replicas)
        last_item = item
        writes, birth = sorted(by_item[item]), None
        for place, (code, register, (stamp, writer, sequence, value)) in enumerate(writes):
            row = replicas.index(writer)
            is_text = register[0] == FIELD and value[0] == 5 and len(value) > 1
            here = int.from_bytes(value[:8], "big") - (1 << 63) if code == 1 else None
            head = min(code, 7) | (8 if place == len(writes) - 1 else 0)
            head |= (0x10 if row == replica else 0) | (0x20 if stamp == base else 0)
            head |= 0x40 if is_text or here == section and code == 1 else 0
            output.append(head)
            if code >= 7:
                output += varint(code - 7)
            if row != replica:
                output += varint(row)
            if stamp != base:
                output += encode_time(stamp, base)
            replica, key = row, (row, head & 7)
            before = birth[1] if birth and birth[0] == row else sequences.get(key, 0)
            if code == 0 and number_of(item):
                before = number_of(item) - 1
            output += zigzag(sequence - 1 - before)
            sequences[key] = sequence
            if code == 0:
                birth = (row, sequence)
            if code == 0 or not birth:
                base = stamp
            if code == 0:
                output += varint(int.from_bytes(value, "big"))
            elif code == 1:
                if here != section:
                    output += zigzag(here)
                    section = here
                output += encode_key(value[8:], names, item, writer, sequence)
            else:
                output += encode_value(register, value, is_text)
    return bytes(output)


def encode_key(key, names, item, writer, sequence):
    form = lesser_form(key, ties(item, writer, sequence))
    if form is None:
        form = WRITTEN
    return pack_key(key, names, form)


def lesser_form(key, choices):
    """The first form that does without the author and the counter; None if they must be written."""
    stem = read_key(Reader(pack_key(key, [], 0)), [], 0)
    for form, tie in enumerate(choices):
        try:
            if complete(stem, *tie) == key:
                return form
        except Malformed:
            pass
    return None


def encode_value(register, value, is_text):
    if is_text:
        return varint(len(value) - 1) + value[1:]
    if register[0] == FIELD and value[0] == 3:
        value = b"\3" + zigzag(int.from_bytes(value[1:], "big") - (1 << 63))
    return varint(len(value)) + value


def decode_sealed(data):
    need(data[:8] == SEAL, "bad magic")
    need(fixed(xxh64(data[:-8]), 8) == data[-8:], "bad checksum")
    return decode_block(data[8:-8])


def seal(block):
    data = SEAL + block
    return data + fixed(xxh64(data), 8)


# XXH64 with the seed 0, by its specification

PRIME = [
    0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5]
WORD = (1 << 64) - 1


def turn(number, count):
    return (number << count | number >> (64 - count)) & WORD


def xxh64_round(lane, number):
    return turn((lane + number * PRIME[1]) & WORD, 31) * PRIME[0] & WORD


def xxh64(data):
    place = 0
    state = PRIME[4]
    if len(data) >= 32:
        lanes = [(PRIME[0] + PRIME[1]) & WORD, PRIME[1], 0, -PRIME[0] & WORD]
        while len(data) - place >= 32:
            for lane in range(4):
                number = int.from_bytes(data[place:place + 8], "little")
                lanes[lane] = xxh64_round(lanes[lane], number)
                place += 8
        state = sum(turn(lane, count) for lane, count in zip(lanes, (1, 7, 12, 18))) & WORD
        for lane in lanes:
            state = ((state ^ xxh64_round(0, lane)) * PRIME[0] + PRIME[3]) & WORD
    state = (state + len(data)) & WORD
    while len(data) - place >= 8:
        number = int.from_bytes(data[place:place + 8], "little")
        state = (turn(state ^ xxh64_round(0, number), 27) * PRIME[0] + PRIME[3]) & WORD
        place += 8
    if len(data) - place >= 4:
        number = int.from_bytes(data[place:place + 4], "little")
        state = (turn(state ^ number * PRIME[0] & WORD, 23) * PRIME[1] + PRIME[2]) & WORD
        place += 4
    for byte in data[place:]:
        state = turn(state ^ byte * PRIME[4] & WORD, 11) * PRIME[0] & WORD
    state = (state ^ state >> 33) * PRIME[1] & WORD
    state = (state ^ state >> 29) * PRIME[2] & WORD
    return state ^ state >> 32


# Frames and document files

def crc32c_row(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


CRC32C = [crc32c_row(byte) for byte in range(256)]


def crc32c(data, seed=0):
    state = seed ^ 0xFFFFFFFF
    for byte in data:
        state = state >> 8 ^ CRC32C[(state ^ byte) & 0xFF]
    return state ^ 0xFFFFFFFF


def decode_frame(reader, seed, number):
    """Type, flags, payload, and the checksum that the next one goes on from."""
    start = reader.take(12)
    header = Reader(start)
    checksum = reader.fixed(4)
    need(checksum == crc32c(start, seed), "bad checksum")
    length, kind, flags = header.fixed(4), header.byte(), header.byte()
    need(header.fixed(2) == 0 and flags < 4 and header.fixed(4) == number, "bad order")
    payload = reader.take(length)
    after = reader.fixed(4)
    need(after == crc32c(payload, checksum), "bad checksum")
    return kind, flags, payload, after


def decode_stream(data):
    need(data[:8] == STREAM, "bad magic")
    reader, seed, frames = Reader(data), crc32c(STREAM), []
    reader.take(8)
    while reader.rest:
        kind, flags, payload, seed = decode_frame(reader, seed, len(frames))
        frames.append((kind, flags, payload))
    return frames


def decode_document(data):
    """The list, the entries, the version and the floor of a document file."""
    header = Reader(data[:64])
    need(header.take(8) == DOCUMENT and header.fixed(2) == 1 and header.fixed(2) == 0, "header")
    list_id, log, _ = header.take(16), header.take(8), header.take(8)
    need(header.take(16) == bytes(16) and header.fixed(4) == crc32c(data[:60]), "header")
    reader, entries, version, floor, ordinal = Reader(data), {}, {}, {}, 0
    reader.take(64)
    while reader.rest:
        need(reader.take(8) == log, "marker")
        seed = crc32c(log + fixed(ordinal, 4))
        kind, flags, payload, _ = decode_frame(reader, seed, ordinal)
        need(kind == 3 and flags & 2, "no commit")
        block = decode_sealed(payload) if ordinal == 0 else decode_block(payload)
        need(block["kind"] == (DELTA if ordinal else SNAPSHOT), "other kind")
        need(block["list"] == list_id, "other list")
        floor = join_floors(floor, dict(block["floor"]))
        join(entries, block["entries"], floor)
        join_ranges(version, block["ranges"])
        ordinal += 1
    return list_id, entries, version, floor
