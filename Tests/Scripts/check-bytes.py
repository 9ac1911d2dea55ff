#!/usr/bin/env python3
"""Compares the command with a second implementation of the byte format, block_format.py.

    check-bytes.py PATH-OF-BETWIXT

Documents are made and edited by the command; the other side reads every file, makes the same
exports from the commits byte for byte, and writes what the command takes in.
"""
import hashlib, os, pathlib, re, subprocess, sys, tempfile

sys.dont_write_bytecode = True
import block_format as form
import session_protocol as protocol

here = pathlib.Path(__file__).resolve().parent
betwixt = str(pathlib.Path(sys.argv[1]).resolve())
trips = sorted((here.parent / "BetwixtTripsTests/Resources/trips").glob("*.json"))
article = here.parent.parent / "Sources/BetwixtSync/BetwixtSync.docc/ByteFormat.md"


def fail(message):
    print(f"check-bytes: {message}", file=sys.stderr)
    sys.exit(1)


def same(left, right, what):
    if left != right:
        fail(f"{what} differs")


class Device:
    def __init__(self, folder, name):
        self.folder = f"{folder}/{name}"
        os.makedirs(self.folder)
        self.environment = dict(os.environ, BETWIXT_STATE=f"{self.folder}/state")
        self.document = f"{self.folder}/trip.trip"

    def run(self, *arguments):
        result = subprocess.run(
            [betwixt, *arguments], env=self.environment, capture_output=True, text=True)
        if result.returncode != 0:
            fail(f"{arguments}: {result.stderr}")
        return result.stdout

    def digest(self, path=None):
        return self.run("digest", path or self.document).split()[0]


def check_example():
    hexes = re.findall(r"^[0-9a-f]{20,}$", article.read_text(), re.MULTILINE)
    data = bytes.fromhex("".join(hexes))
    block = form.decode_sealed(data)
    same(remade(block), data, "the example")
    values = {name: entry[3] for (_, (_, name)), entry in block["entries"].items() if name}
    same(values[b"title"], b"\5Dinner", "the title of the example")
    for place in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        try:
            form.decode_sealed(bytes(flipped))
            fail(f"bit {place} of the example may be flipped")
        except form.Malformed:
            pass


def check_rules():
    """Rules of the second implementation that no document of the command meets."""
    life = {(item, form.LIFE): (1, 1, 1, (2).to_bytes(8, "big")) for item in (0, 7)}
    note = {(item, (form.FIELD, b"note")): (1, 1, 2, b"\5kept") for item in (0, 7)}
    held = {**life, **note}
    form.forget(held, {1: 2})
    if (0, (form.FIELD, b"note")) not in held or (7, (form.FIELD, b"note")) in held:
        fail("a floor takes fields of the root, or none")
    for value in (0, 1):
        entries = {(7, form.LIFE): (1, 1, 1, value.to_bytes(8, "big"))}
        data = form.seal(form.encode_block(form.EXPORT, bytes(16), entries, [(1, 0, 1)]))
        try:
            form.decode_sealed(data)
            if value == 0:
                fail("a life of no length is taken")
        except form.Malformed:
            if value == 1:
                fail("a life of length 1 is refused")


def remade(block):
    return form.seal(form.encode_block(
        block["kind"], block["list"], block["entries"], block["ranges"], block["knowledge"],
        block["heads"], block["floor"]))


def document(device):
    """The list, the entries, the version and the floor of a device's document."""
    return form.decode_document(pathlib.Path(device.document).read_bytes())


def check_export(device):
    """An export, and the same bytes made of the commits of the document."""
    path = f"{device.folder}/sealed.trip"
    device.run("export", device.document, "-o", path)
    data = pathlib.Path(path).read_bytes()
    block = form.decode_sealed(data)
    same(remade(block), data, "an export that was read and written")
    same(form.digest(block["entries"]), device.digest(), "the digest")
    list_id, entries, version, floor = document(device)
    same(form.digest(entries), device.digest(), "the digest of the document's commits")
    ranges = [(replica, 0, through) for replica, through in version.items()]
    made = form.seal(form.encode_block(form.EXPORT, list_id, entries, ranges, floor=floor.items()))
    same(made, data, "an export that was made of the document's commits")
    return block


def check_writing(device, block):
    """What the second implementation writes is taken in, and one wrong byte is not."""
    item, register = shown_title(device, block["entries"])
    # The command may have titled the item at any time, so the write follows what is there.
    writer, time = 0x5EC0_4D1E, block["entries"][(item, register)][0] + 1
    block["entries"][(item, register)] = (time, writer, 1, b"\5" + "From Pythön".encode())
    block["entries"][(item, (form.FIELD, b"rating"))] = (time, writer, 2, b"\3" + bytes(
        [0x80, 0, 0, 0, 0, 0, 0, 5]))
    block["entries"][(item, (0x21, b"of later"))] = (time, writer, 3, b"anything")
    block["ranges"].append((writer, 0, 3))
    path = f"{device.folder}/written.trip"
    pathlib.Path(path).write_bytes(remade(block))
    same(device.digest(path), form.digest(block["entries"]), "the digest of what was written")
    device.run("sync", "--with", path, device.document)
    same(device.digest(), form.digest(block["entries"]), "the digest of what was taken in")
    if "From Pythön" not in device.run("show", device.document):
        fail("what was written is not shown")
    check_export(device)


def check_folder(first, second, box):
    for device in (first, second, first):
        device.run("sync", "--folder", box, device.document)
    entries = {}
    for path in sorted(pathlib.Path(box).rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            block = form.decode_sealed(data)
            same(remade(block), data, f"{path.name} that was read and written")
            (directory, ordinal), _ = block["heads"]
            name = hashlib.sha256(data).hexdigest()[:16]
            same(path.name, f"{ordinal:08}-{name}.segment", "a name in the folder")
            same(path.parent.name, f"{directory:016x}", "a directory of the folder")
            form.join(entries, block["entries"])
    same(form.digest(entries), first.digest(), "the digest of all files of the folder")
    same(first.digest(), second.digest(), "the digest of two devices")


def check_stream(device):
    """What a side says before it has heard anything: a hello and the opening of a round."""
    result = subprocess.run(
        [betwixt, "sync", "--stdio", device.document], env=device.environment,
        stdin=subprocess.DEVNULL, capture_output=True)
    frames = form.decode_stream(result.stdout)
    same([frame[0] for frame in frames[:2]], [1, 2], "the first two frames")
    if bytes.fromhex(device.digest()) not in frames[1][2]:
        fail("the opening does not say the digest")


def shown_title(device, entries):
    """The address of a title that the device shows: the least id may be of a removed item."""
    shown = device.run("show", device.document)
    return next(
        address for address, entry in sorted(entries.items(), key=lambda pair: pair[0])
        if address[1] == (form.FIELD, b"title") and entry[3][1:].decode() in shown)


def converse(device, peer):
    peer.run([betwixt, "sync", "--stdio", device.document], device.environment)
    if peer.code != 0:
        fail(f"a conversation ends with {peer.code}: {peer.messages}")
    same(form.digest(peer.entries), device.digest(), "the digest after a conversation")
    if peer.version != document(device)[2]:
        fail("the versions differ after a conversation")
    return peer


def check_session(device):
    """Conversations of the second implementation: from nothing, with news on both sides, with
    contents compared, and with writes that are refused."""
    list_id = document(device)[0]
    writer, low, high = 0x5E55_1044, bytes(16), b"\xff" * 16
    fresh = converse(device, protocol.Peer(list_id, {}, {}, high, writer))
    item, register = shown_title(device, fresh.entries)
    for number, nonce in enumerate([low, high, low, high], 1):
        asks = number > 2
        entries, version = dict(fresh.entries), dict(fresh.version)
        time = entries[(item, register)][0] + 1
        entries[(item, register)] = (time, writer, number, b"\5" + f"Session {number}".encode())
        version[writer] = number
        device.run("add", device.document, "--day", "1", "--title", f"Meanwhile {number}")
        fresh = converse(
            device, protocol.Peer(list_id, entries, version, nonce, writer, asks))
        if asks != (protocol.RANGES in fresh.types):
            fail("contents are compared when they need not be, or not when they must")
        if f"Session {number}" not in device.run("show", device.document):
            fail("what a conversation brought is not shown")
    # The same again: nothing to send.
    again = converse(device, protocol.Peer(list_id, fresh.entries, fresh.version, low, writer))
    if protocol.DELTA in again.types:
        fail("equal lists send entries")
    # A version that OPEN has no room for: first theirs, and when it has been taken, also ours.
    version = dict(again.version)
    version.update({0x6E_0000_0000 + number: 1 for number in range(8_000)})
    frames = []
    for _ in range(3):
        # Of replicas without an entry 4,096 are taken in a conversation.
        great = protocol.Peer(list_id, again.entries, version, low, writer)
        great.run([betwixt, "sync", "--stdio", device.document], device.environment)
        same(great.code, 0, "a conversation with a great version")
        frames.append(great.types.count(protocol.VERSION))
        if protocol.RANGES in great.types or protocol.DELTA in great.types:
            fail("a great version has contents sent or compared")
    same(frames, [0, 0, 3], "frames of a great version")
    # A write of the year 6000 waits outside, and is told to be deferred.
    entries, version = dict(fresh.entries), dict(fresh.version)
    far = (1 << 46) << 16
    entries[(item, (form.FIELD, b"note"))] = (far, writer, 5, b"\5never")
    version[writer] = 5
    peer = protocol.Peer(list_id, entries, version, low, writer)
    before = device.digest()
    peer.run([betwixt, "sync", "--stdio", device.document], device.environment)
    same((peer.code, device.digest()), (1, before), "a write of the future")
    (address, (deferred, reason)), = peer.refused.items()
    same((address, deferred), ((item, (form.FIELD, b"note")), 1), "what is refused")
    if "ahead of the clock" not in reason:
        fail(f"a refusal says: {reason}")
    # Nonsense ends the conversation with the code of malformed frames.
    peer = protocol.Peer(list_id, fresh.entries, fresh.version, bytes(15), writer)
    try:
        peer.run([betwixt, "sync", "--stdio", device.document], device.environment)
        fail("a nonce of fifteen bytes is taken")
    except protocol.Refused as error:
        same(error.args[0], 3, "the code of a malformed HELLO")


def check_floor(device):
    """Floors: said by the command, said by the second implementation, and restored in between."""
    list_id, whole, version, _ = document(device)
    writer, low, high = 0x5E55_1045, bytes(16), b"\xff" * 16
    item, _ = shown_title(device, whole)
    title = whole[(item, (form.FIELD, b"title"))][3][1:].decode()
    device.run("remove", device.document, title)
    device.run("compact", "--keep", "0", device.document)
    _, forgotten, _, floor = document(device)
    if not floor or (item, form.POSITION) in forgotten:
        fail("compact has not forgotten what was removed")
    check_export(device)
    # Who holds everything, with versions and with contents compared, and who holds nothing.
    for entries, known, asks in [(whole, version, False), (whole, version, True), ({}, {}, False)]:
        peer = converse(device, protocol.Peer(list_id, entries, known, low, writer, asks))
        same(peer.floor, floor, "the floor that the command says")
    # Who has not heard of it restores the item: it comes back whole.
    entries, known = dict(whole), dict(version)
    time, _, _, length = document(device)[1][(item, form.LIFE)]
    restored = (int.from_bytes(length, "big") + 1).to_bytes(8, "big")
    entries[(item, form.LIFE)] = (time + 1, writer, 1, restored)
    known[writer] = 1
    peer = converse(device, protocol.Peer(list_id, entries, known, high, writer))
    same(peer.entries[(item, (form.FIELD, b"title"))][3][1:].decode(), title, "the restored title")
    if title not in device.run("show", device.document):
        fail("what was restored is not shown")
    # The other side forgets, too.
    device.run("remove", device.document, title)
    _, entries, known, floor = document(device)
    form.forget(entries, known)
    peer = converse(device, protocol.Peer(list_id, entries, known, low, writer, floor=known))
    same(document(device)[3], known, "the floor that the command takes")
    if (item, form.POSITION) in document(device)[1]:
        fail("the command keeps what the floor takes")
    check_export(device)


def main():
    check_example()
    check_rules()
    if not trips:
        fail("no trips beside the tests")
    for trip in trips:
        with tempfile.TemporaryDirectory() as folder:
            first, second = Device(folder, "first"), Device(folder, "second")
            for device in (first, second):
                device.run("new", "--from", str(trip), device.document)
            for number in range(4):
                first.run("add", first.document, "--day", "2", "--at", "1", "--title", f"Walk {number}")
                first.run("set", first.document, "2.1", f"note=n {number}", "price:=12.5")
                second.run("add", second.document, "--day", "1", "--title", f"Stop {number}")
                second.run("move", second.document, "--day", f"{number + 1}", f"Stop {number}")
            first.run("remove", first.document, "2.2")
            # Keys that are there again, in documents, exports and the folder.
            first.run("move", first.document, "--day", "1", "2.1")
            first.run("undo", first.document)
            check_export(first)
            block = check_export(second)
            check_writing(second, block)
            os.makedirs(f"{folder}/box")
            check_folder(first, second, f"{folder}/box")
            check_export(first)
            check_stream(first)
            check_session(first)
            check_floor(first)
            print(f"  {trip.name}: {first.digest()[:16]}")


print("bytes by a second implementation")
main()
