"""What the benchmarks do, for the peers: the operations of Tests/Benchmarks/Operations, and what must come out.

An operation is (kind, index, target, value). A move carries the value it moves, for peers that can only delete
and insert; looking it up is not charged to them.
"""
import hashlib, json

INSERT, MOVE, DELETE, SET = range(4)
MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed & MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def below(self, count):
        return self.next() % count


def payload(number):
    return f"{SplitMix64(number).next():016x}"


def value(number):
    """The value that an item starts with: 8 digits of identity, 16 of payload."""
    return f"{number:08x}" + payload(number)


def content(values):
    """Length and hash of a list, as all implementations compare them."""
    text = "".join(f"{value}\n" for value in values)
    return len(values), hashlib.sha256(text.encode()).hexdigest()[:16]


class Order:
    """A list in chunks, for long ones that much is done to."""

    CHUNK = 512

    def __init__(self, elements):
        elements = list(elements)
        self.chunks = [elements[start:start + self.CHUNK] for start in range(0, len(elements), self.CHUNK)] or [[]]

    def place(self, index):
        last = len(self.chunks) - 1
        for number, chunk in enumerate(self.chunks):
            if index < len(chunk) or number == last:
                return number, index
            index -= len(chunk)

    def get(self, index):
        number, index = self.place(index)
        return self.chunks[number][index] if index < len(self.chunks[number]) else None

    def pop(self, index):
        number, index = self.place(index)
        element = self.chunks[number].pop(index)
        if not self.chunks[number] and len(self.chunks) > 1:
            del self.chunks[number]
        return element

    def insert(self, index, element):
        number, index = self.place(index)
        chunk = self.chunks[number]
        chunk.insert(index, element)
        if len(chunk) > 2 * self.CHUNK:
            self.chunks[number:number + 1] = [chunk[:self.CHUNK], chunk[self.CHUNK:]]

    def elements(self):
        return [element for chunk in self.chunks for element in chunk]


def perform(order, operations):
    """The same operations on an `Order`, as a model of what a peer must hold."""
    for kind, index, target, value in operations:
        if kind != INSERT:
            order.pop(index)
        if kind != DELETE:
            order.insert(target if kind == MOVE else index, value)


def appends(count):
    return [(INSERT, number, 0, value(number)) for number in range(count)]


def prepends(count):
    return [(INSERT, 0, 0, value(number)) for number in range(count)]


def insertions(count):
    random = SplitMix64(2)
    return [(INSERT, random.below(number + 1), 0, value(number)) for number in range(count)]


def moves(base, count, seed):
    random, order, plan = SplitMix64(seed), Order(map(value, range(base))), []
    for _ in range(count):
        source, target = random.below(base), random.below(base)
        moved = order.pop(source)
        order.insert(target, moved)
        plan.append((MOVE, source, target, moved))
    return plan


def drawn(kinds, seed, payloads, values):
    """Operations of some kinds on a list of values, which is changed by them."""
    random, plan = SplitMix64(seed), []
    for number, kind in enumerate(kinds):
        index, target = random.below(len(values) + (kind == INSERT)), 0
        if kind == MOVE:
            target = random.below(len(values))
        made = value(payloads + number) if kind == INSERT else values[index]
        if kind == SET:
            made = made[:8] + payload(payloads + number)
        if kind != INSERT:
            del values[index]
        if kind != DELETE:
            values.insert(target if kind == MOVE else index, made)
        plan.append((kind, index, target, made))
    return plan


def offline(replica, values):
    """What a fork does: of 14 operations ten moves, an insertion, a deletion, two updates."""
    kinds = [MOVE] * 10 + [INSERT, DELETE, SET, SET]
    return drawn(kinds * 100, 400 + replica, replica * 1_000_000, values)


def five(seed, values):
    return drawn([MOVE, INSERT, DELETE, SET, MOVE], seed, seed * 1_000_000, values)


def typed(path):
    """A recorded text as operations on a list of characters, and the text it leads to."""
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    plan = []
    for transaction in trace["txns"]:
        for position, deleted, inserted in transaction["patches"]:
            plan += [(DELETE, position, 0, None)] * deleted
            plan += [(INSERT, position + offset, 0, letter) for offset, letter in enumerate(inserted)]
    return plan, trace["endContent"]


# As in Tests/Benchmarks/Operations/Expected.swift.
EXPECTED = {
    "W1": (100_000, "a4e1ddfa982e675c"),
    "W1b": (100_000, "aabfbb822de5f19e"),
    "W2": (100_000, "b10b35ea75f8dd55"),
    "W3a": (10_000, "18bde1a336e2b6ff"),
    "W3b": (100_000, "f1780cfee2fe95c9"),
    "W6": [(100_000, "dccb0287463430d2"), (100_000, "8e9d7488595f017d")],
    "W6h": [(100_000, "17c92681cbe17aaf"), (100_000, "ea2f920827e54301")],
    "W4": [(10_000, digest) for digest in (
        "497af1e32526a6b9", "793bcdc935576442", "e34e61e339512458", "52763306469155ed", "9a9791debd1e8ab7",
        "be2189017fc436bd", "4a2530db80cc7af1", "c99a921a111aa7ec", "ffd8ce8602e76b9b", "97481a60219b3ab9")],
}
