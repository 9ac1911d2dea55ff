"""Loro's two lists, driven as an application would: a commit per edit."""
import loro

from operations import DELETE, INSERT, MOVE

WHOLE = loro.ExportMode.Snapshot()


class MovableList:
    """The list that can move and set."""

    version = loro.LORO_VERSION

    # An item that one replica deletes and another moves lives unless the place it was moved to was deleted.
    merged = (10_607, 10_607)

    def __init__(self, replica, document=None):
        self.document = document or loro.LoroDoc()
        self.document.peer_id = replica
        self.list = self.container()

    def container(self):
        return self.document.get_movable_list("list")

    def fill(self, values):
        insert = self.list.insert
        for index, value in enumerate(values):
            insert(index, value)
        self.document.commit()

    def perform(self, operations):
        insert, move, delete, set = self.list.insert, self.list.mov, self.list.delete, self.list.set
        commit = self.document.commit
        for kind, index, target, value in operations:
            if kind == INSERT:
                insert(index, value)
            elif kind == MOVE:
                move(index, target)
            elif kind == DELETE:
                delete(index, 1)
            else:
                set(index, value)
            commit()

    def values(self):
        return self.list.get_value()

    def count(self):
        return len(self.list)

    def fork(self, replica):
        return type(self)(replica, self.document.fork())

    def summary(self):
        return self.document.oplog_vv.encode()

    def news(self, summary):
        """What somebody with that summary lacks."""
        return self.document.export(loro.ExportMode.Updates(loro.VersionVector.decode(summary)))

    def merge(self, news):
        self.document.import_(news)

    def merge_many(self, parts):
        self.document.import_batch(parts)

    def save(self):
        return self.document.export(WHOLE)

    @classmethod
    def load(cls, replica, saved):
        document = loro.LoroDoc()
        document.import_(saved)
        return cls(replica, document)

    @classmethod
    def moved(cls, operations, base):
        """A list that was moved about, and its bytes."""
        peer = cls(1)
        peer.fill(base)
        peer.perform(operations)
        return peer


class PlainList(MovableList):
    """The list that inserts and deletes: a move is both, in one commit."""

    merged = (14_878, 10_677)

    def container(self):
        return self.document.get_list("list")

    def perform(self, operations):
        insert, delete, commit = self.list.insert, self.list.delete, self.document.commit
        for kind, index, target, value in operations:
            if kind != INSERT:
                delete(index, 1)
            if kind != DELETE:
                insert(target if kind == MOVE else index, value)
            commit()
