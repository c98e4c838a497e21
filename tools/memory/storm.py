"""A storm of TLS handshakes, and a backend to go with it, for tools/memory/allocators.

storm.py backend                      listens on a port, which it prints, and reads whatever comes
storm.py storm PORT CONNECTIONS N     makes as many connections, N handshakes at once, and resets each behind its
                                      handshake; prints how many per second were done
"""

import asyncio
import ssl
import sys
import time


async def backend():
    async def serve(reader, writer):
        try:
            while await reader.read(65536):
                pass
        except ConnectionError:
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def storm(port, connections, at_once):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    places = asyncio.Semaphore(at_once)
    served = 0

    async def client():
        nonlocal served
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
            served += 1
            writer.transport.abort()
        except OSError:
            pass
        finally:
            places.release()

    began = time.monotonic()
    clients = set()
    for _ in range(connections):
        await places.acquire()
        task = asyncio.create_task(client())
        clients.add(task)
        task.add_done_callback(clients.discard)
    await asyncio.gather(*clients)
    print(round(served / (time.monotonic() - began)))


if sys.argv[1] == "backend":
    asyncio.run(backend())
else:
    asyncio.run(storm(*map(int, sys.argv[2:])))
