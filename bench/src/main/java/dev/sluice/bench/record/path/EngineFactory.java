package dev.sluice.bench.record.path;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.MemoryEngine;

/** A factory of connections between two of Sluice's engines, as in an event loop: one set of contexts for all. */
final class EngineFactory implements AutoCloseable {
    /** The kinds of engines. */
    enum Kind {
        /** libssl over a BIO pair. */
        MEMORY,
        /** libssl for the handshake, Sluice's record layer after it. */
        DIRECT
    }

    private static final int BUFFER_BYTES = 20 * 1024;
    private static final int MAX_BUFFERS = 16;

    private final Kind kind;
    private final TlsContexts contexts;
    private final LoopCrypto path = new LoopCrypto(new MallocAllocator(), BUFFER_BYTES, MAX_BUFFERS);

    EngineFactory(Kind kind, String suite, Credentials credentials) {
        this.kind = kind;
        this.contexts = new TlsContexts(suite, credentials);
    }

    /** Returns a connection after its handshake. */
    EnginePair connect() {
        EnginePair pair = kind == Kind.DIRECT
                ? new EnginePair(
                        DirectEngine.client(contexts.client(), TlsContexts.HOST, path),
                        DirectEngine.server(contexts.server(), path))
                : new EnginePair(
                        MemoryEngine.client(contexts.client(), TlsContexts.HOST),
                        MemoryEngine.server(contexts.server()));
        pair.connect();
        if (pair.client() instanceof DirectEngine client && pair.server() instanceof DirectEngine server) {
            RecordPath.require(
                    client.detached() == Detach.DIRECT && server.detached() == Detach.DIRECT, "detaching from libssl");
        }
        return pair;
    }

    @Override
    public void close() {
        path.close();
        contexts.close();
    }
}
