"""A client over TLS and a backend over TCP for tools/syscalls/count.

The first byte of a connection says what the backend does: E echoes everything, that byte included; D and U are followed
by orders of four bytes, a number of mebibytes each, which it sends (D), or reads and acknowledges by a byte (U).
"""

import multiprocessing
import socket
import ssl
import threading

MEBIBYTE = 1 << 20
CHUNK = 256 * 1024


def read_exactly(receive, count):
    """Reads so many bytes with a function like recv; None when the peer has ended before."""
    parts = []
    while count > 0:
        part = receive(min(count, CHUNK))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


class Backend:
    """A process that serves connections until it is closed, a thread for each."""

    def __init__(self):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = listener.getsockname()[1]
        self.process = multiprocessing.Process(target=_accept, args=(listener,), daemon=True)
        self.process.start()
        listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()


def _accept(listener):
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_serve, args=(connection,), daemon=True).start()


def _serve(connection):
    with connection:
        try:
            kind = connection.recv(1)
            if kind == b"E":
                data = kind
                while data:
                    connection.sendall(data)
                    data = connection.recv(CHUNK)
            while kind in (b"D", b"U") and (order := read_exactly(connection.recv, 4)):
                count = int.from_bytes(order, "big") * MEBIBYTE
                if kind == b"D":
                    connection.sendall(bytes(count))
                elif read_exactly(connection.recv, count):
                    connection.sendall(b"!")
        except ConnectionError:
            pass


class Client:
    """A client of a terminator on this machine: a full handshake for each connection, one connection at a time."""

    def __init__(self, port):
        self.port = port
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3

    def connect(self):
        """Returns a connection with its handshake done; its first byte will choose the kind."""
        plain = socket.create_connection(("127.0.0.1", self.port), 30)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Connection(plain, self.context)

    def connections(self, count):
        """Connects, exchanges a byte and ends in order, so many times."""
        for _ in range(count):
            with self.connect() as connection:
                self.messages(connection, 1, 1)

    def messages(self, connection, count, size):
        """Sends a message and waits for its echo, so many times."""
        message = b"E" * size
        for _ in range(count):
            connection.send(message)
            if connection.receive(size) is None:
                raise ConnectionError("the terminator ended the connection")

    def download(self, connection, mebibytes):
        """Receives so many mebibytes."""
        connection.order(b"D", mebibytes)
        if connection.receive(mebibytes * MEBIBYTE) is None:
            raise ConnectionError("the terminator ended a download")

    def upload(self, connection, mebibytes):
        """Sends so many mebibytes and waits until the backend has them."""
        connection.order(b"U", mebibytes)
        for _ in range(mebibytes):
            connection.send(bytes(MEBIBYTE))
        if connection.receive(1) is None:
            raise ConnectionError("the terminator ended an upload")


class Connection:
    """A TLS connection over memory BIOs, which ends as a browser's does: close_notify and FIN, then the peer's end."""

    def __init__(self, plain, context):
        self.plain = plain
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.ordered = False
        self._run(self.tls.do_handshake)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.tls.unwrap()
        except ssl.SSLWantReadError:
            pass  # its close_notify is written; the peer's comes with its end
        try:
            self._flush()
            self.plain.shutdown(socket.SHUT_WR)
            while self.plain.recv(CHUNK):
                pass
        except OSError:
            pass
        self.plain.close()

    def send(self, data):
        self.tls.write(data)
        self._flush()

    def receive(self, count):
        """Returns so many bytes; None when the peer has ended before."""
        return read_exactly(lambda most: self._run(lambda: self.tls.read(most)), count)

    def order(self, kind, mebibytes):
        """Orders so many mebibytes from the backend."""
        self.send((b"" if self.ordered else kind) + mebibytes.to_bytes(4, "big"))
        self.ordered = True

    def _run(self, action):
        while True:
            try:
                result = action()
                self._flush()
                return result
            except ssl.SSLWantReadError:
                self._flush()
                data = self.plain.recv(CHUNK)
                if not data:
                    raise ConnectionError("the terminator ended the connection") from None
                self.incoming.write(data)

    def _flush(self):
        if self.outgoing.pending:
            self.plain.sendall(self.outgoing.read())
