package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure.Unit;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whole handshakes between two engines in memory: the CPU time of server and client, from the creation of their {@code
 * SSL} to its end, and the latency of both together, for the percentiles. The client verifies the server's chain and
 * name.
 */
final class HandshakeProbe implements Probe {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int PLAINTEXT_BYTES = 1 << 14;

    /** The number of latencies kept per round. */
    private static final int KEPT = 4096;

    private final MeasuredHandshake kind;
    private final HandshakeContexts contexts;
    private final CpuClock clock;
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment plaintext = allocator.allocate(PLAINTEXT_BYTES, Long.BYTES);
    private final long[] latencies = new long[KEPT];
    private @Nullable TlsSession session;
    private long serverNanos;
    private long clientNanos;

    HandshakeProbe(MeasuredHandshake kind, Certificates certificates, CpuClock clock) {
        this.kind = kind;
        this.contexts = new HandshakeContexts(kind, certificates.server(kind.key()), 0);
        this.clock = clock;
    }

    @Override
    public List<Name> names() {
        String path = kind.path();
        return List.of("server", "client", "latency-p50", "latency-p90", "latency-p99").stream()
                .map(name -> new Name(path + "/" + name, Unit.MICROSECONDS))
                .toList();
    }

    @Override
    public double[] round(long nanos) {
        if (kind.resumed() && session == null) {
            one(null);
        }
        serverNanos = 0;
        clientNanos = 0;
        long begin = System.nanoTime();
        int count = 0;
        while (count == 0 || (System.nanoTime() - begin < nanos && count < KEPT)) {
            long before = System.nanoTime();
            one(kind.resumed() ? Objects.requireNonNull(session) : null);
            latencies[count++] = System.nanoTime() - before;
        }
        return figures(count);
    }

    private double[] figures(int count) {
        Arrays.sort(latencies, 0, count);
        return new double[] {
            (double) serverNanos / count / NANOS_PER_MICRO,
            (double) clientNanos / count / NANOS_PER_MICRO,
            percentile(count, 0.5),
            percentile(count, 0.9),
            percentile(count, 0.99)
        };
    }

    private double percentile(int count, double share) {
        int index = (int) Math.ceil(count * share) - 1;
        return latencies[Math.max(0, index)] / NANOS_PER_MICRO;
    }

    private void one(@Nullable TlsSession offered) {
        long before = clock.now();
        MemoryEngine server = MemoryEngine.server(contexts.server());
        serverNanos += clock.since(before);
        before = clock.now();
        MemoryEngine client = offered == null
                ? MemoryEngine.client(contexts.client(), Certificates.HOST)
                : MemoryEngine.client(contexts.client(), Certificates.HOST, offered);
        clientNanos += clock.since(before);
        try {
            play(client, server);
            requireAsAsked(server, offered != null);
        } finally {
            before = clock.now();
            server.close();
            serverNanos += clock.since(before);
            before = clock.now();
            client.close();
            clientNanos += clock.since(before);
        }
    }

    private void play(MemoryEngine client, MemoryEngine server) {
        while (client.handshakeInfo() == null || server.handshakeInfo() == null) {
            long before = clock.now();
            MemoryPair.step(client);
            clientNanos += clock.since(before);
            MemoryPair.carry(client, server);
            before = clock.now();
            MemoryPair.step(server);
            serverNanos += clock.since(before);
            MemoryPair.carry(server, client);
        }
        if (kind.resumed()) {
            takeTicket(client);
        }
    }

    /** Reads a ticket, which is the client's work; a TLS 1.3 ticket is used once. */
    private void takeTicket(MemoryEngine client) {
        long before = clock.now();
        client.read(plaintext.address(), PLAINTEXT_BYTES);
        TlsSession next = client.session();
        clientNanos += clock.since(before);
        if (next != null) {
            closeSession();
            session = next;
        }
    }

    private void requireAsAsked(MemoryEngine server, boolean resumed) {
        if (Objects.requireNonNull(server.handshakeInfo()).resumed() != resumed) {
            throw new IllegalStateException(
                    kind.path() + ": a handshake was " + (resumed ? "full" : "resumed") + " of the wrong kind");
        }
    }

    private void closeSession() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    @Override
    public void close() {
        closeSession();
        contexts.close();
        allocator.free(plaintext);
    }
}
