package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.memory.Ledger;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A process in which each allocation of OpenSSL inside a lean handshake fails once, and what became of the handshake is
 * counted. Its arguments: a chain, its key, the root, libcrypto. See {@link AllocationFailureTest}.
 */
final class AllocationFailureTrial {
    private static final int PASSES = 3;
    private static final int MAX_ALLOCATIONS = 2_000;

    private final FailingAllocator failing;
    private final MallocAllocator allocator = new MallocAllocator();
    private final TicketKeyRing ring =
            new TicketKeyRing(Duration.ofHours(1), Duration.ofHours(1), InstantSource.system());
    private final MemorySegment room = allocator.allocate(RecordChannel.MAX_CONTROL_BYTES, 1);
    private final TlsContext server;
    private final Path root;

    private AllocationFailureTrial(FailingAllocator failing, String[] files) {
        this.failing = failing;
        this.root = Path.of(files[2]);
        this.server = TlsContext.server()
                .certificate(Path.of(files[0]), Path.of(files[1]))
                .ticketKeys(ring)
                .handshake(HandshakePath.LEAN)
                .build();
    }

    public static void main(String[] files) throws Throwable {
        FailingAllocator failing = FailingAllocator.install(files[3]);
        AllocationFailureTrial trial = new AllocationFailureTrial(failing, files);
        trial.chooseX25519();
        for (String group : List.of("X25519", "P-256")) {
            for (boolean resumed : new boolean[] {false, true}) {
                trial.run(group, resumed);
            }
        }
        trial.runKeyUpdates();
        trial.server.close();
        trial.ring.close();
        trial.allocator.free(trial.room);
    }

    /** Does the process's first handshake with X25519, which a failed allocation would have take the slower way. */
    private void chooseX25519() {
        try (TlsContext client = TlsContext.client()
                        .trust(root)
                        .groups(List.of("X25519"))
                        .build();
                LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 16)) {
            require(handshake(crypto, client, null, null).equals("FULL"), "no first handshake");
        }
    }

    /** Prints the outcomes, and what the last pass holds beyond the one before, by when caches are filled. */
    private void run(String group, boolean resumed) {
        try (TlsContext client =
                TlsContext.client().trust(root).groups(List.of(group)).build()) {
            Map<String, Integer> outcomes = new TreeMap<>();
            long live = 0;
            for (int pass = 0; pass < PASSES; pass++) {
                live = failing.live();
                outcomes.clear();
                for (int nth = 1; fails(client, resumed, nth, outcomes); nth++) {
                    require(nth < MAX_ALLOCATIONS, "too many allocations");
                }
            }
            System.out.println(
                    group + (resumed ? " resumed " : " full ") + outcomes + " leaked " + (failing.live() - live));
        }
    }

    /** Prints the outcomes of key updates, whose derivation has a context that the connections of a loop share. */
    private void runKeyUpdates() {
        Map<String, Integer> outcomes = new TreeMap<>();
        try (TlsContext client = TlsContext.client().trust(root).build()) {
            boolean failed = true;
            for (int nth = 1; failed; nth++) {
                try (LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 16)) {
                    failing.disarm();
                    String outcome = updateKey(crypto, client, nth);
                    failed = failing.disarm() == 0;
                    if (failed) {
                        outcomes.merge(outcome, 1, Integer::sum);
                    }
                    require(updateKey(crypto, client, 0).equals("UPDATED"), "the next key update");
                }
            }
        }
        System.out.println("key update " + outcomes);
    }

    private String updateKey(LoopCrypto crypto, TlsContext client, long nth) {
        try (DirectEngine engine = DirectEngine.server(server, crypto);
                MemoryEngine peer = MemoryEngine.client(client, "localhost")) {
            peer.handshake();
            require(handshake(engine, peer, null).equals("FULL"), "no connection");
            RecordChannel channel = Objects.requireNonNull(engine.channel());
            failing.arm(nth);
            channel.updateKey();
            channel.writeControl(room.address());
            return "UPDATED";
        } catch (OpenSslException e) {
            return "THREW";
        }
    }

    /** Does a handshake whose nth allocation fails, and one more; returns false when it has fewer allocations. */
    private boolean fails(TlsContext client, boolean resumed, int nth, Map<String, Integer> outcomes) {
        Map<String, Ledger.Balance> before = Ledger.process().balances();
        long[] left = {nth};
        try (LoopCrypto crypto = new LoopCrypto(allocator, 20 * 1024, 16);
                LoopCrypto other = new LoopCrypto(allocator, 20 * 1024, 16)) {
            // A failed handshake costs the client its session: each has one of its own, from a loop of its own.
            String outcome = handshake(crypto, other, client, resumed, left);
            if (left[0] == 0) {
                outcomes.merge(outcome, 1, Integer::sum);
            }
            require(crypto.leasedBuffers() == 0, "leased buffers");
            List<OpenSslError> errors = ErrorQueue.drain();
            require(errors.isEmpty(), "after " + outcomes + ", allocation " + nth + ", left in the queue: " + errors);
            String next = handshake(crypto, other, client, resumed, null);
            require(next.equals(resumed ? "RESUMED" : "FULL"), "the next handshake: " + next);
        }
        require(
                Ledger.process().leaksSince(before).isEmpty(),
                "not released: " + Ledger.process().leaksSince(before));
        return left[0] == 0;
    }

    private String handshake(
            LoopCrypto crypto, LoopCrypto other, TlsContext client, boolean resumed, long @Nullable [] left) {
        TlsSession session = resumed ? session(other, client) : null;
        try {
            return handshake(crypto, client, session, left);
        } finally {
            if (session != null) {
                session.close();
            }
        }
    }

    /**
     * Does a handshake.
     *
     * @param left the server's allocations until the failing one, counted down; null when none shall fail
     */
    private String handshake(
            LoopCrypto crypto, TlsContext client, @Nullable TlsSession session, long @Nullable [] left) {
        try (MemoryEngine peer = session == null
                ? MemoryEngine.client(client, "localhost")
                : MemoryEngine.client(client, "localhost", session)) {
            peer.handshake();
            arm(left);
            DirectEngine engine;
            try {
                engine = DirectEngine.server(server, crypto);
            } finally {
                disarm(left);
            }
            try (engine) {
                return handshake(engine, peer, left);
            }
        }
    }

    private String handshake(DirectEngine engine, MemoryEngine peer, long @Nullable [] left) {
        for (int round = 0; round < 3; round++) {
            shuttle(peer, engine);
            arm(left);
            int status;
            try {
                status = engine.handshake();
            } finally {
                disarm(left);
            }
            shuttle(engine, peer);
            int theirs = peer.handshake();
            if (status == EngineStatus.FAILED) {
                TlsFailure failure = Objects.requireNonNull(engine.failure());
                return failure.reason() + ", client " + failureOf(peer);
            }
            if (status == EngineStatus.DONE && theirs == EngineStatus.DONE) {
                return Objects.requireNonNull(engine.handshakeInfo()).kind().toString();
            }
        }
        return "stalled";
    }

    /** Returns the reason of a client's failure, which reads on where its handshake was complete. */
    private String failureOf(MemoryEngine peer) {
        if (peer.failure() == null) {
            peer.read(room.address(), 1);
        }
        TlsFailure failure = peer.failure();
        return failure == null ? "unaware" : failure.reason().toString();
    }

    private void arm(long @Nullable [] left) {
        if (left != null && left[0] > 0) {
            failing.arm(left[0]);
        }
    }

    private void disarm(long @Nullable [] left) {
        if (left != null) {
            left[0] = failing.disarm();
        }
    }

    private TlsSession session(LoopCrypto crypto, TlsContext client) {
        try (DirectEngine engine = DirectEngine.server(server, crypto);
                MemoryEngine peer = MemoryEngine.client(client, "localhost")) {
            peer.handshake();
            require(handshake(engine, peer, null).equals("FULL"), "no session");
            peer.read(room.address(), 1);
            peer.closeOutput();
            return Objects.requireNonNull(peer.session());
        }
    }

    private static void shuttle(BufferedEngine from, BufferedEngine to) {
        while (from.sendLength() > 0) {
            int count = Math.min(from.sendLength(), to.receiveCapacity());
            RawMemory.copy(from.sendAddress(), to.receiveAddress(), count);
            to.received(count);
            from.sent(count);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
