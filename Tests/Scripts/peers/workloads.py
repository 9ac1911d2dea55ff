#!/usr/bin/env python3
"""Runs one workload of the benchmarks on one peer, and prints lines like those of `Benchmarks`.

    workloads.py [--cap SECONDS] [--trace PATH] PEER WORKLOAD
    workloads.py --peers

Wall and processor seconds are those of the operations alone; what they are made of is prepared before. A loop that
takes longer than the cap stops at a multiple of 500 operations and is held against the model there. Of the times of
local edits the loop in Python itself is 6 ms per 100,000.
"""
import argparse, gc, importlib, json, sys, time

sys.dont_write_bytecode = True
import operations as plans
from operations import EXPECTED, MOVE, Order, content, value

PEERS = {
    "loro": ("loro_lists", "MovableList"),
    "loro-list": ("loro_lists", "PlainList"),
    "pycrdt": ("yrs_array", "Array"),
}


class Run:
    def __init__(self, name, cap, trace):
        module, kind = PEERS[name]
        self.name, self.cap, self.trace = name, cap, trace
        self.peer = getattr(importlib.import_module(module), kind)

    def timed(self, work):
        """What it returns, and its wall and processor seconds."""
        gc.collect()
        gc.disable()
        processor, wall = time.process_time(), time.perf_counter()
        result = work()
        seconds = time.perf_counter() - wall, time.process_time() - processor
        gc.enable()
        return result, seconds

    def line(self, workload, seconds, check, ops, bytes=None, **more):
        line = {"peer": self.name, "version": self.peer.version, "workload": workload,
                "seconds": round(seconds[0], 9), "cpu": round(seconds[1], 9), "bytes": bytes, "ops": ops, "notes": ""}
        print(json.dumps({**line, "check": check, **more}), flush=True)

    def loop(self, workload, operations, base, expected):
        """Local edits, one after the other."""
        peer = self.peer(1)
        peer.fill(base)
        parts = [operations[start:start + 500] for start in range(0, len(operations), 500)]

        def work():
            end = time.perf_counter() + self.cap
            for done, part in enumerate(parts):
                if time.perf_counter() > end:
                    return done
                peer.perform(part)
            return len(parts)

        done, seconds = self.timed(work)
        ops = min(500 * done, len(operations))
        check = "expected length and hash"
        if ops < len(operations):
            model = Order(base)
            plans.perform(model, operations[:ops])
            expected, check = content(model.elements()), "same as the model"
        self.line(workload + ".op", seconds, judged(content(peer.values()), expected, check), ops,
                  len(peer.save()), capped=ops < len(operations))


def judged(actual, wanted, words="expected length and hash"):
    return words if actual == wanted else f"WRONG: {actual}, not {wanted}"


def base(count):
    return [value(number) for number in range(count)]


def w1(run):
    run.loop("W1", plans.appends(100_000), [], EXPECTED["W1"])


def w1b(run):
    run.loop("W1b", plans.prepends(100_000), [], EXPECTED["W1b"])


def w2(run):
    run.loop("W2", plans.insertions(100_000), [], EXPECTED["W2"])


def w3a(run):
    run.loop("W3a", plans.moves(10_000, 100_000, 3), base(10_000), EXPECTED["W3a"])


def w3b(run):
    run.loop("W3b", plans.moves(100_000, 100_000, 30), base(100_000), EXPECTED["W3b"])


def w4(run):
    """Ten forks, 1,400 edits each, merged."""
    values = base(10_000)
    finals = [list(values) for _ in range(10)]
    work = [plans.offline(number + 1, values) for number, values in enumerate(finals)]
    hub = run.peer(1)
    hub.fill(values)
    forks, seconds = run.timed(lambda: [hub.fork(101 + number) for number in range(10)])
    run.line("W4.fork.op", seconds, "property holds", 10)
    start = hub.summary()
    _, seconds = run.timed(lambda: [fork.perform(plan) for fork, plan in zip(forks, work)])
    run.line("W4.offline.op", seconds, judged([content(fork.values()) for fork in forks], EXPECTED["W4"]), 14_000)
    deltas, seconds = run.timed(lambda: [fork.news(start) for fork in forks])
    run.line("W4.export.op", seconds, "property holds", 10, sum(map(len, deltas)))
    other = hub.fork(2)
    _, seconds = run.timed(lambda: other.merge_many(deltas))
    run.line("W4.merge_many.op", seconds, merged(run, other.values()), 14_000)
    _, seconds = run.timed(lambda: [hub.merge(delta) for delta in deltas])
    whole = hub.values()
    run.line("W4.merge.op", seconds, merged(run, whole), 14_000, length=len(whole))

    def fan_out():
        news = 0
        for fork in forks:
            message = hub.news(fork.summary())
            fork.merge(message)
            news += len(message)
        return news

    news, seconds = run.timed(fan_out)
    are_same = all(copy.values() == whole for copy in [other, *forks])
    run.line("W4.fanout.op", seconds, "property holds" if are_same else "WRONG: the replicas differ", 10, news)


def merged(run, values):
    """Length and number of different items by the rule that this peer has."""
    found = len(values), len({value[:8] for value in values})
    return judged(found, run.peer.merged, "length by the peer's rule")


def w5(run):
    """A file, and back; then once more with a first edit, for which some unpack what they loaded."""
    peer = run.peer.moved(plans.moves(100_000, 100_000, 30), base(100_000))
    before = peer.values()
    saved, seconds = run.timed(peer.save)
    run.line("W5.encode", seconds, judged(content(before), EXPECTED["W3b"]), 1, len(saved))

    def load():
        loaded = run.peer.load(2, saved)
        return loaded, loaded.count()

    (loaded, _), seconds = run.timed(load)
    values, reading = run.timed(loaded.values)
    run.line("W5.load", seconds, judged(content(values), EXPECTED["W3b"]), 1, len(saved), read_all_s=reading[0])
    edit = [(MOVE, 50_000, 0, values[50_000])]

    def load_to_edit():
        loaded = run.peer.load(3, saved)
        loaded.perform(edit)
        return loaded

    loaded, seconds = run.timed(load_to_edit)
    values.insert(0, values.pop(50_000))
    run.line("W5.edit", seconds, judged(loaded.values(), values, "same as the model"), 1)


def w6(run):
    peer = run.peer(1)
    peer.fill(base(100_000))
    exchange(run, "W6", peer.fork(2), peer.fork(3))


def w6h(run):
    saved = run.peer.moved(plans.moves(100_000, 100_000, 30), base(100_000)).save()
    exchange(run, "W6h", run.peer.load(2, saved), run.peer.load(3, saved))


def exchange(run, workload, left, right):
    """Five edits on each side, then what the other lacks is sent both ways."""
    for peer, seed in ((left, 600), (right, 601)):
        peer.perform(plans.five(seed, peer.values()))
    found = [content(peer.values()) for peer in (left, right)]
    summaries, first = run.timed(lambda: (left.summary(), right.summary()))
    news, second = run.timed(lambda: (left.news(summaries[1]), right.news(summaries[0])))
    _, third = run.timed(lambda: (left.merge(news[1]), right.merge(news[0])))
    check = judged(found, EXPECTED[workload])
    if left.values() != right.values():
        check = "WRONG: copies differ"
    seconds = [sum(parts) for parts in zip(first, second, third)]
    run.line(workload, seconds, check, 10, sum(map(len, (*summaries, *news))),
             summary_s=first[0], diff_s=second[0], apply_s=third[0])


def w7(run):
    if not run.trace:
        sys.exit("W7 needs --trace PATH")
    plan, end = plans.typed(run.trace)
    run.loop("W7", plan, [], content(end))


WORKLOADS = {"W1": w1, "W1b": w1b, "W2": w2, "W3a": w3a, "W3b": w3b, "W4": w4, "W5": w5, "W6": w6, "W6h": w6h, "W7": w7}


def versions():
    """A line per peer that this interpreter has."""
    for name, (module, kind) in PEERS.items():
        try:
            print(name, getattr(importlib.import_module(module), kind).version)
        except ImportError as error:
            print(f"no {name}: {error}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--peers", action="store_true", help="print the peers that are here")
    parser.add_argument("--cap", type=float, default=60)
    parser.add_argument("--trace", help="the recorded text of W7, unpacked")
    parser.add_argument("peer", nargs="?", choices=PEERS)
    parser.add_argument("workload", nargs="?", choices=WORKLOADS)
    options = parser.parse_args()
    if options.peers:
        return versions()
    if not options.workload:
        parser.error("name a peer and a workload")
    WORKLOADS[options.workload](Run(options.peer, options.cap, options.trace))


if __name__ == "__main__":
    main()
