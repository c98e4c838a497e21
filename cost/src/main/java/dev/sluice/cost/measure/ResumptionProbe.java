package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure.Unit;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The sixth phase, without the handshake: the size of a ticket, and of the session that a client keeps. */
final class ResumptionProbe implements Probe {
    private static final int PLAINTEXT_BYTES = 1 << 14;

    private final String path;
    private final HandshakeContexts contexts;

    ResumptionProbe(ProtocolVersion version, Certificates certificates) {
        MeasuredHandshake kind = MeasuredHandshake.usual(version, KeyKind.ECDSA_P256, false);
        this.path = "resumption/" + (version == ProtocolVersion.TLS_1_2 ? "tls12" : "tls13");
        this.contexts = new HandshakeContexts(kind, certificates.server(kind.key()), 0);
    }

    @Override
    public List<Name> names() {
        return List.of(new Name(path + "/ticket", Unit.BYTES), new Name(path + "/session", Unit.BYTES));
    }

    @Override
    public double[] round(long nanos) {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment plaintext = allocator.allocate(PLAINTEXT_BYTES, Long.BYTES);
        try (MemoryEngine server = MemoryEngine.server(contexts.server());
                MemoryEngine client = MemoryEngine.client(contexts.client(), Certificates.HOST)) {
            MemoryPair.handshake(client, server);
            client.read(plaintext.address(), PLAINTEXT_BYTES);
            return sizes(client);
        } finally {
            allocator.free(plaintext);
        }
    }

    private double[] sizes(MemoryEngine client) {
        try (TlsSession session = client.session()) {
            if (session == null) {
                throw new IllegalStateException(path + ": the handshake yielded no session");
            }
            return new double[] {session.ticketBytes(), session.encodedBytes()};
        }
    }

    @Override
    public void close() {
        contexts.close();
    }
}
