"""The array of yrs through pycrdt: a move and a set are a deletion and an insertion in one transaction."""
import importlib.metadata, json

import pycrdt

import yrs_update
from operations import DELETE, INSERT, MOVE, moves, value


def versions():
    """pycrdt's, and that of the yrs in it."""
    version = importlib.metadata.version("pycrdt")
    for path in importlib.metadata.files("pycrdt") or []:
        if path.name.endswith(".cyclonedx.json"):
            parts = json.loads(path.read_text())["components"]
            return version + "".join(f" with yrs {part['version']}" for part in parts if part["name"] == "yrs")
    return version


class Array:
    version = versions()
    merged = (14_878, 10_677)

    def __init__(self, replica):
        self.document = pycrdt.Doc(client_id=replica)
        self.document["list"] = self.array = pycrdt.Array()

    def fill(self, values):
        self.perform([(INSERT, index, 0, value) for index, value in enumerate(values)])

    def perform(self, operations):
        """Below pycrdt's own classes, which take three times as long over an edit as what they call."""
        insert, remove = self.array.integrated.insert, self.array.integrated.remove_range
        begin = self.document._doc.create_transaction
        for kind, index, target, value in operations:
            transaction = begin()
            if kind != INSERT:
                remove(transaction, index, 1)
            if kind != DELETE:
                insert(transaction, target if kind == MOVE else index, value)
            transaction.commit()
            transaction.drop()

    def values(self):
        """As JSON: `to_py` looks for each index anew."""
        return json.loads(str(self.array))

    def count(self):
        return len(self.array)

    def fork(self, replica):
        return self.load(replica, self.save())

    def summary(self):
        return self.document.get_state()

    def news(self, summary):
        """What somebody with that summary lacks."""
        return self.document.get_update(summary)

    def merge(self, news):
        self.document.apply_update(news)

    def merge_many(self, parts):
        self.document.apply_update(pycrdt.merge_updates(*parts))

    def save(self):
        return self.document.get_update()

    @classmethod
    def load(cls, replica, saved):
        peer = cls(replica)
        peer.merge(saved)
        return peer

    @classmethod
    def moved(cls, operations, base):
        """A list that was moved about, from bytes: 100,000 moves themselves would take it many minutes."""
        few, sample = [value(item) for item in range(300)], moves(300, 900, seed=3)
        peer = cls(1)
        peer.fill(few)
        peer.perform(sample)
        if peer.save() != yrs_update.after_moves(few, sample):
            raise SystemExit("yrs writes other bytes than yrs_update.py")
        return cls.load(1, yrs_update.after_moves(base, operations))
