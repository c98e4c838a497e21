package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure.Unit;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.MallocStatistics;
import dev.sluice.memory.Ledger;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.LoopCrypto;
import dev.sluice.tls.engine.MemoryEngine;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fourth and fifth phase: the memory of a server's connections, in the C library's heap and in Java's. Many
 * connections are opened, and the growth of the heaps is divided by their number; the clients are closed by then.
 */
final class MemoryProbes {
    private static final int ROOM_FOR_RECEIVES = 20 * 1024;
    private static final int RECEIVES = 64;
    private static final String CONNECTION_KEYS = "connection keys";

    /** More than all rounds create, so that no session is evicted. */
    private static final int ROOM_FOR_SESSIONS = 1_000_000;

    private MemoryProbes() {}

    /** Returns the probes that this machine supports; the C library's heap is read with {@code mallinfo2}. */
    static List<Probe> all(Certificates certificates, List<Integer> counts) {
        Certificates.Server certificate = certificates.server(KeyKind.ECDSA_P256);
        MeasuredHandshake kind = MeasuredHandshake.usual(ProtocolVersion.TLS_1_3, KeyKind.ECDSA_P256, false);
        List<Probe> probes = new ArrayList<>();
        int many = counts.getLast();
        probes.add(new InFlight(
                "memory/handshake", new HandshakeContexts(kind, certificate, 0), many, HandshakePath.LIBSSL));
        probes.add(new InFlight(
                "memory/lean-handshake", new HandshakeContexts(kind, certificate, 0), many, HandshakePath.LEAN));
        probes.add(new Established("memory", new HandshakeContexts(kind, certificate, 0), counts, null));
        LoopCrypto path = new LoopCrypto(
                new MallocAllocator(), Math.max(ROOM_FOR_RECEIVES, ContextBuilder.DEFAULT_RING_BYTES), RECEIVES);
        probes.add(new Established("direct", new HandshakeContexts(kind, certificate, 0), counts, path));
        MeasuredHandshake cached = new MeasuredHandshake(ProtocolVersion.TLS_1_2, KeyKind.ECDSA_P256, false, 0, false);
        probes.add(new CachedSessions(new HandshakeContexts(cached, certificate, ROOM_FOR_SESSIONS), many));
        return probes;
    }

    /**
     * The memory in use: native memory, and Java's heap after a collection. Read while the JIT compilers are idle,
     * whose memory is malloc's too.
     */
    private record Heaps(long nativeBytes, long javaBytes) {
        private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
        private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();
        private static final int QUIET_MILLIS = 20;
        private static final int LONGEST_WAITS = 50;

        static Heaps now() {
            return now(MallocStatistics::bytesInUse);
        }

        static Heaps now(LongSupplier nativeBytes) {
            MEMORY.gc();
            awaitCompilers();
            return new Heaps(
                    nativeBytes.getAsLong(), MEMORY.getHeapMemoryUsage().getUsed());
        }

        private static void awaitCompilers() {
            long before = -1;
            long now = COMPILERS.getTotalCompilationTime();
            for (int i = 0; i < LONGEST_WAITS && now != before; i++) {
                LockSupport.parkNanos(QUIET_MILLIS * 1_000_000L);
                before = now;
                now = COMPILERS.getTotalCompilationTime();
            }
        }

        double nativeSince(Heaps before, int count) {
            return Math.max(0, (double) (nativeBytes - before.nativeBytes) / count);
        }

        double javaSince(Heaps before, int count) {
            return Math.max(0, (double) (javaBytes - before.javaBytes) / count);
        }
    }

    /** A server that has answered the ClientHello and waits for the client's Finished. */
    private static final class InFlight implements Probe {
        private final String name;
        private final HandshakeContexts contexts;
        private final int count;
        private final HandshakePath path;

        InFlight(String name, HandshakeContexts contexts, int count, HandshakePath path) {
            this.name = name;
            this.contexts = contexts;
            this.count = count;
            this.path = path;
        }

        @Override
        public List<Name> names() {
            return List.of(new Name(name + "/native", Unit.BYTES), new Name(name + "/java", Unit.BYTES));
        }

        @Override
        public double[] round(long nanos) {
            // Its pools keep what they have once taken: each round begins with empty ones.
            try (LoopCrypto crypto = new LoopCrypto(new MallocAllocator(), ROOM_FOR_RECEIVES, 2 * (count + 1))) {
                List<BufferedEngine> held = new ArrayList<>(count);
                begin(held, crypto);
                held.removeLast().close();
                Heaps before = Heaps.now();
                for (int i = 0; i < count; i++) {
                    begin(held, crypto);
                }
                Heaps after = Heaps.now();
                held.forEach(BufferedEngine::close);
                if (path == HandshakePath.LEAN && crypto.leanFlights() != count + 1) {
                    throw new IllegalStateException("libssl did " + (count + 1 - crypto.leanFlights()) + " of "
                            + (count + 1) + " handshakes that were to be lean");
                }
                return new double[] {after.nativeSince(before, count), after.javaSince(before, count)};
            }
        }

        private void begin(List<BufferedEngine> held, LoopCrypto crypto) {
            BufferedEngine server = path == HandshakePath.LEAN
                    ? DirectEngine.server(contexts.server(), crypto)
                    : MemoryEngine.server(contexts.server());
            held.add(server);
            try (MemoryEngine client = MemoryEngine.client(contexts.client(), Certificates.HOST)) {
                MemoryPair.step(client);
                MemoryPair.carry(client, server);
                MemoryPair.step(server);
                MemoryPair.carry(server, client);
            }
        }

        @Override
        public void close() {
            contexts.close();
        }
    }

    /** Idle connections in two numbers: the slope is the memory of each. */
    private static final class Established implements Probe {
        private final String engine;
        private final HandshakeContexts contexts;
        private final List<Integer> counts;
        private final @Nullable LoopCrypto path;

        Established(String engine, HandshakeContexts contexts, List<Integer> counts, @Nullable LoopCrypto path) {
            this.engine = engine;
            this.contexts = contexts;
            this.counts = counts;
            this.path = path;
        }

        @Override
        public List<Name> names() {
            List<Name> names = new ArrayList<>();
            names.add(new Name("memory/connection/" + engine + "/native", Unit.BYTES));
            names.add(new Name("memory/connection/" + engine + "/java", Unit.BYTES));
            for (int count : counts) {
                names.add(new Name("memory/total/" + engine + "/" + count, Unit.BYTES));
            }
            return names;
        }

        @Override
        public double[] round(long nanos) {
            int most = counts.getLast();
            List<BufferedEngine> held = new ArrayList<>(most);
            establish(held);
            held.removeLast().close();
            Heaps[] seen = new Heaps[counts.size()];
            Heaps before = Heaps.now(this::nativeBytes);
            for (int i = 0; i < seen.length; i++) {
                while (held.size() < counts.get(i)) {
                    establish(held);
                }
                seen[i] = Heaps.now(this::nativeBytes);
            }
            held.forEach(BufferedEngine::close);
            return figures(before, seen);
        }

        /**
         * Returns the native bytes in use; a connection detached from libssl has only its keys, which the ledger counts
         * exactly.
         */
        private long nativeBytes() {
            return path == null
                    ? MallocStatistics.bytesInUse()
                    : Ledger.process().account(CONNECTION_KEYS).liveBytes();
        }

        private double[] figures(Heaps before, Heaps[] seen) {
            int more = counts.getLast() - counts.getFirst();
            double[] figures = new double[2 + seen.length];
            Heaps last = seen[seen.length - 1];
            figures[0] = last.nativeSince(seen[0], more);
            figures[1] = last.javaSince(seen[0], more);
            for (int i = 0; i < seen.length; i++) {
                figures[2 + i] = seen[i].nativeSince(before, 1) + seen[i].javaSince(before, 1);
            }
            return figures;
        }

        private void establish(List<BufferedEngine> held) {
            LoopCrypto direct = path;
            Supplier<BufferedEngine> maker = direct == null
                    ? () -> MemoryEngine.server(contexts.server())
                    : () -> DirectEngine.server(contexts.server(), direct);
            BufferedEngine server = maker.get();
            held.add(server);
            try (MemoryEngine client = MemoryEngine.client(contexts.client(), Certificates.HOST)) {
                MemoryPair.handshake(client, server);
            }
        }

        @Override
        public void close() {
            contexts.close();
            if (path != null) {
                path.close();
            }
        }
    }

    /** Sessions cached by a server for resumption by id: TLS 1.2. */
    private static final class CachedSessions implements Probe {
        private final HandshakeContexts contexts;
        private final int count;

        CachedSessions(HandshakeContexts contexts, int count) {
            this.contexts = contexts;
            this.count = count;
        }

        @Override
        public List<Name> names() {
            return List.of(new Name("resumption/cached-session/native", Unit.BYTES));
        }

        @Override
        public double[] round(long nanos) {
            one();
            Heaps before = Heaps.now();
            for (int i = 0; i < count; i++) {
                one();
            }
            return new double[] {Heaps.now().nativeSince(before, count)};
        }

        private void one() {
            try (MemoryEngine server = MemoryEngine.server(contexts.server());
                    MemoryEngine client = MemoryEngine.client(contexts.client(), Certificates.HOST)) {
                MemoryPair.handshake(client, server);
            }
        }

        @Override
        public void close() {
            contexts.close();
        }
    }
}
