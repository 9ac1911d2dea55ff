"""The bytes of a yrs document that held a list and moved items of it: what pycrdt would write, without the moves.

yrs looks for an index from the start of the list, so that 100,000 moves take it many minutes. The bytes are those
of update format 1 of Yjs: blocks of insertions with their neighbours on both sides, and ranges of deletions.
"""
from operations import Order

STRING, DELETED, HAS_LEFT, HAS_RIGHT = 8, 1, 0x80, 0x40
NONE = -1


def number(value):
    encoded = bytearray()
    while value >= 128:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


class History:
    """Every item ever inserted by replica 1, numbered in that order, in a chain that deleted ones stay in."""

    def __init__(self, values):
        count = len(values)
        self.values = list(values)
        self.order = Order(range(count))
        self.before, self.after = list(range(-1, count - 1)), list(range(1, count)) + [NONE]
        self.left, self.right = list(self.before), [NONE] * count
        self.is_deleted = [False] * count
        self.last = count - 1

    def move(self, source, target):
        item = self.order.pop(source)
        self.is_deleted[item] = True
        right = self.order.get(target)
        right = NONE if right is None else right
        left = self.last if right == NONE else self.before[right]
        made = len(self.values)
        self.values.append(self.values[item])
        self.is_deleted.append(False)
        for neighbours, value in ((self.left, left), (self.before, left), (self.right, right), (self.after, right)):
            neighbours.append(value)
        if left != NONE:
            self.after[left] = made
        if right == NONE:
            self.last = made
        else:
            self.before[right] = made
        self.order.insert(target, made)

    def continues(self, item):
        """Whether an item lies in one block with the one inserted before it."""
        return (self.left[item] == item - 1 and self.after[item - 1] == item
                and self.right[item] == self.right[item - 1] and self.is_deleted[item] == self.is_deleted[item - 1])

    def encoded(self):
        starts = [item for item in range(len(self.values)) if item == 0 or not self.continues(item)]
        parts = [b"\x01", number(len(starts)), b"\x01\x00"]
        for start, end in zip(starts, starts[1:] + [len(self.values)]):
            parts += self.block(start, end)
        ranges = []
        for item, is_deleted in enumerate(self.is_deleted):
            if not is_deleted:
                continue
            if ranges and sum(ranges[-1]) == item:
                ranges[-1][1] += 1
            else:
                ranges.append([item, 1])
        parts += [b"\x01\x01", number(len(ranges))] if ranges else [b"\x00"]
        parts += [number(start) + number(length) for start, length in ranges]
        return b"".join(parts)

    def block(self, start, end):
        left, right = self.left[start], self.right[start]
        kind = DELETED if self.is_deleted[start] else STRING
        yield bytes([kind | (HAS_LEFT if left != NONE else 0) | (HAS_RIGHT if right != NONE else 0)])
        if left != NONE:
            yield b"\x01" + number(left)
        if right != NONE:
            yield b"\x01" + number(right)
        if left == NONE and right == NONE:
            yield b"\x01\x04list"
        yield number(end - start)
        if kind == STRING:
            for value in self.values[start:end]:
                text = value.encode()
                yield b"w" + number(len(text)) + text


def after_moves(values, moves):
    history = History(values)
    for _, source, target, _ in moves:
        history.move(source, target)
    return history.encoded()
