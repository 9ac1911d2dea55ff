"""A WebSocket in front of a command that speaks over its standard streams.

    python3 Tests/Scripts/websocket.py 8080 betwixt sync --stdio trip.trip

Each connection starts the command once. What comes in messages goes to its input, and its output goes
back in messages. It listens on this machine only: put it behind whatever keeps strangers out.
"""
import base64
import hashlib
import socket
import struct
import subprocess
import sys
import threading

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3
LIMIT = 1 << 20


def answered(connection):
    """Answers the request for a WebSocket; whether it was one."""
    request = b""
    while b"\r\n\r\n" not in request and len(request) < 16384:
        more = connection.recv(4096)
        if not more:
            return False
        request += more
    fields = (line.partition(b":") for line in request.split(b"\r\n"))
    key = next((value.strip() for name, _, value in fields if name.lower() == b"sec-websocket-key"), None)
    if key is None:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        return False
    accept = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    return True


def taken(stream):
    """The kind and the bytes of the next frame; None at the end."""
    head = stream.read(2)
    if len(head) < 2:
        return None
    size = head[1] & 127
    if size >= 126:
        form = ">H" if size == 126 else ">Q"
        size = struct.unpack(form, stream.read(struct.calcsize(form)))[0]
    # Clients mask what they send, and nobody needs messages of a megabyte.
    if not head[1] & 128 or size > LIMIT:
        return None
    mask = stream.read(4)
    data = stream.read(size)
    return head[0] & 15, bytes(byte ^ mask[index & 3] for index, byte in enumerate(data))


def frame(kind, data):
    size = len(data)
    long = struct.pack(">BH", 126, size) if size < 65536 else struct.pack(">BQ", 127, size)
    return bytes([128 | kind]) + (bytes([size]) if size < 126 else long) + data


def serve(connection, command):
    with connection:
        if not answered(connection):
            return
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def give():
            while data := process.stdout.read1(65536):
                connection.sendall(frame(2, data))
            connection.sendall(frame(8, b""))

        giver = threading.Thread(target=give, daemon=True)
        giver.start()
        try:
            stream = connection.makefile("rb")
            while (message := taken(stream)) and message[0] != 8:
                if message[0] in (0, 1, 2):
                    process.stdin.write(message[1])
                    process.stdin.flush()
            process.stdin.close()
        except OSError:
            pass  # The command ended, or the page went away.
        process.wait()
        giver.join()


def listen(port, command):
    """Serves connections until the process ends; returns the port, which is drawn if it is 0."""
    server = socket.create_server(("127.0.0.1", port))

    def accept():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve, args=(connection, command), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    return server.getsockname()[1], thread


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    number, running = listen(int(sys.argv[1]), sys.argv[2:])
    print(f"ws://127.0.0.1:{number}", flush=True)
    running.join()
