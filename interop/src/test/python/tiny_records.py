"""A client that cuts everything into records of one byte, the handshake too, which no other library can be told to do.

    tiny_records.py PORT VERSION SUITE TEXT     VERSION is 1.2 or 1.3

Sends a text through the gateway to a backend that sends it back, and prints what came.
"""

import socket
import sys

from tlslite.api import HandshakeSettings, TLSConnection

port, version, suite, text = sys.argv[1:]
settings = HandshakeSettings()
settings.minVersion = settings.maxVersion = (3, int(version[-1]) + 1)
settings.cipherNames = [suite]

connection = TLSConnection(socket.create_connection(("127.0.0.1", int(port))))
connection.recordSize = 1
connection.handshakeClientCert(settings=settings, serverName="localhost")
connection.write(text.encode())
print(connection.read(min=len(text), max=len(text)).decode())
connection.close()
